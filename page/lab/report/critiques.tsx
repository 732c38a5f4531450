import type { AspectResult, EvaluationDetails, Evidence, Remark } from "../../../src/api/evaluations.ts";
import { chapterInWords, scoreInFigures } from "../../parts/formats.ts";
import { to } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** What was said for and against each aspect; every quotation leads to its passage in the book. */
export function Critiques({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const names = useNames();
  const { aspects } = details.evaluation;
  const told = aspects.filter((aspect) => aspect.strengths.length + aspect.weaknesses.length > 0);
  if (told.length === 0) return null;
  const isNoted = details.evaluation.jury !== undefined;
  const isWordless = told.every((aspect) =>
    [...aspect.strengths, ...aspect.weaknesses].every(({ text }) => text === ""),
  );
  return (
    <section>
      <h2>{isNoted ? texts.lineNotes : isWordless ? texts.passages : texts.critiques}</h2>
      {told.map((aspect) => (
        <article key={aspect.id} className="critique">
          <h3>
            {names.aspect(aspect.id, aspect.name)}{" "}
            {aspect.verdict.kind === "scored" ? (
              <small className="number">{scoreInFigures(aspect.verdict.score)}</small>
            ) : null}
          </h3>
          <div className="critique-columns">
            <Remarks
              heading={isNoted ? texts.leastChanged : texts.strengths}
              remarks={aspect.strengths}
              aspect={aspect}
              details={details}
            />
            <Remarks
              heading={isNoted ? texts.mostChanged : texts.weaknesses}
              remarks={aspect.weaknesses}
              aspect={aspect}
              details={details}
              isWeak
            />
          </div>
        </article>
      ))}
    </section>
  );
}

function Remarks({
  heading,
  remarks,
  aspect,
  details,
  isWeak = false,
}: {
  readonly heading: string;
  readonly remarks: readonly Remark[];
  readonly aspect: AspectResult;
  readonly details: EvaluationDetails;
  readonly isWeak?: boolean;
}) {
  const texts = useTexts();
  return (
    <div className={isWeak ? "remarks weak" : "remarks"}>
      <h4>{heading}</h4>
      {remarks.length === 0 ? <p className="muted">{texts.nothingFound}</p> : null}
      {remarks.map((remark, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: remarks have no names, and the list never changes.
        <div key={position}>
          {remark.text ? <p className="prose">{remark.text}</p> : null}
          {remark.absentNames && remark.absentNames.length > 0 ? (
            <p className="doubt">{texts.absentNames(remark.absentNames.join(", "))}</p>
          ) : null}
          {remark.evidence.flatMap((index) => {
            const item = aspect.evidence[index];
            return item ? [<Quotation key={index} item={item} details={details} />] : [];
          })}
        </div>
      ))}
    </div>
  );
}

function Quotation({ item, details }: { readonly item: Evidence; readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const names = useNames();
  const title = details.evaluation.book.chapters.find((chapter) => chapter.index === item.chapter)?.title;
  const where = chapterInWords(item.chapter, title, texts.chapterNumber);
  const isFound = item.found && item.start !== null && item.end !== null;
  return (
    <blockquote className="quotation" lang={details.evaluation.book.language ?? undefined}>
      {isFound ? (
        <a
          href={to(["books", details.bookId, "read"], {
            chapter: item.chapter,
            start: item.start,
            end: item.end,
            heat: item.change === undefined ? null : "edits",
            from: details.id,
            tab: "verdicts",
          })}
        >
          {item.quote}
        </a>
      ) : (
        <p>{item.quote}</p>
      )}
      <footer>
        {where}
        {item.change === undefined
          ? ""
          : ` · ${texts.editLikelihood(item.change.toFixed(2), item.why ? names.why(item.why) : null)}`}
        {isFound ? null : <strong className="doubt"> · {texts.notInBook}</strong>}
      </footer>
    </blockquote>
  );
}
