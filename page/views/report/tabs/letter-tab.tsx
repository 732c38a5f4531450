import type { EditLetter, EvaluationDetails, QuotedPassage } from "../../../../src/api/evaluations.ts";
import { chapterInWords } from "../../../parts/formats.ts";
import { to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";
import "./letter.css";

/** The edit letter: what works, up to five things to look at, each with its passages, and what was not judged. */
export function LetterTab({ details, letter }: { readonly details: EvaluationDetails; readonly letter: EditLetter }) {
  const texts = useTexts();
  const { words, items, works } = letter;
  return (
    <div className="letter" lang={words.language === "zh" ? "zh-CN" : "en"}>
      <section>
        <h2>{texts.letterShort}</h2>
        {words.opening.map((sentence) => (
          <p key={sentence} className="prose">
            {sentence}
          </p>
        ))}
      </section>
      {words.verdicts.length > 0 ? (
        <section>
          <h2>{texts.letterJudges}</h2>
          {words.verdicts.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </section>
      ) : null}
      {words.items.length > 0 ? (
        <section>
          <h2>{texts.letterItems}</h2>
          <ol className="letter-items">
            {words.items.map(({ title, finding, advice, contrast }, position) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{finding}</p>
                {(items[position]?.passages ?? []).map((passage) => (
                  <Passage key={`${passage.chapter}:${passage.start}`} passage={passage} details={details} />
                ))}
                {items[position]?.better ? (
                  <>
                    <p className="hint">{contrast ?? texts.letterBetter}</p>
                    <Passage passage={items[position].better} details={details} isGood />
                  </>
                ) : null}
                <p>{advice}</p>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      {words.works.length + works.passages.length > 0 ? (
        <section>
          <h2>{texts.letterWorks}</h2>
          {words.works.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          {works.passages.map((passage) => (
            <Passage key={`${passage.chapter}:${passage.start}`} passage={passage} details={details} isGood />
          ))}
        </section>
      ) : null}
      <section>
        <h2>{texts.letterNotJudged}</h2>
        <p>{words.notJudged}</p>
      </section>
    </div>
  );
}

/** A passage of the book, the words that are meant in bold; it leads to its place. */
function Passage({
  passage,
  details,
  isGood = false,
}: {
  readonly passage: QuotedPassage;
  readonly details: EvaluationDetails;
  readonly isGood?: boolean;
}) {
  const texts = useTexts();
  const { chapter, start, end, quote, mark } = passage;
  const { book } = details.evaluation;
  const title = book.chapters.find(({ index }) => index === chapter)?.title;
  const [from, until] = mark ?? [0, 0];
  return (
    <blockquote className={isGood ? "quotation" : "quotation weak-passage"} lang={book.language ?? undefined}>
      <a href={to(["books", details.bookId, "read"], { chapter, start, end, notes: "open", from: details.id })}>
        {quote.slice(0, from)}
        {mark ? <strong>{quote.slice(from, until)}</strong> : null}
        {quote.slice(until)}
      </a>
      <footer>{chapterInWords(chapter, title, texts.chapterNumber)}</footer>
    </blockquote>
  );
}
