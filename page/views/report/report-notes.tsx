import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import { chapterInWords } from "../../parts/formats.ts";
import { to } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";

/** Everything that keeps a number from being taken for more than it is. */
export function ReportNotes({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  const { evaluation, bookId } = details;
  const { book, coverage, grounding, notes, suspicions = [] } = evaluation;
  const evidence = evaluation.aspects.flatMap((aspect) => aspect.evidence);
  const quotations = grounding ?? {
    quotations: evidence.length,
    found: evidence.filter((item) => item.found).length,
  };
  const titles = new Map(book.chapters.map((chapter) => [chapter.index, chapter.title]));
  return (
    <>
      <section>
        <h2>{texts.notes}</h2>
        <ul>
          {quotations.quotations > 0 ? <li>{texts.grounding(quotations.found, quotations.quotations)}</li> : null}
          {[...book.warnings, ...notes].map((note) => (
            <li key={note}>{inWords(note)}</li>
          ))}
          {evaluation.run ? (
            <li>
              <a href={to(["runs", evaluation.run])}>{texts.run}</a>
            </li>
          ) : null}
        </ul>
      </section>
      {coverage.skipped.length > 0 ? (
        <section>
          <h2>{texts.skippedChapters}</h2>
          <ul>
            {coverage.skipped.map((skipped) => (
              <li key={skipped.chapter}>
                {chapterInWords(skipped.chapter, titles.get(skipped.chapter), texts.chapterNumber)}:{" "}
                {inWords(skipped.reason)}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {suspicions.length > 0 ? (
        <section>
          <h2>{texts.suspicions}</h2>
          <p className="hint">{texts.suspicionsHint}</p>
          {suspicions.map((suspicion) => (
            <blockquote className="quotation" key={`${suspicion.chapter}:${suspicion.start}`}>
              <a
                href={to(["books", bookId, "read"], {
                  chapter: suspicion.chapter,
                  start: suspicion.start,
                  end: suspicion.end,
                  from: details.id,
                })}
              >
                {suspicion.quote}
              </a>
              <footer>{suspicion.why}</footer>
            </blockquote>
          ))}
        </section>
      ) : null}
    </>
  );
}
