import type { EvaluationDetails, LetterBlock, LetterView, QuotationView } from "../../../../src/api/evaluations.ts";
import { Coded } from "../../../parts/coded.tsx";
import { to } from "../../../routing.ts";
import "./letter.css";

/** The edit letter, as every report lays it out: the blocks come from the server, the links to the passages are ours. */
export function LetterTab({ details, letter }: { readonly details: EvaluationDetails; readonly letter: LetterView }) {
  return (
    <div className="letter" lang={letter.language === "zh" ? "zh-CN" : "en"}>
      {letter.blocks.map((block, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names, and the letter never changes.
        <Block key={position} block={block} details={details} />
      ))}
    </div>
  );
}

function Block({ block, details }: { readonly block: LetterBlock; readonly details: EvaluationDetails }) {
  switch (block.kind) {
    case "heading":
      return <h2>{block.text}</h2>;
    case "text":
      return (
        <p className={block.quiet ? "hint" : "prose"}>
          <Coded text={block.text} />
        </p>
      );
    case "list": {
      const entries = block.entries.map((entry) => <li key={entry}>{entry}</li>);
      return block.numbered ? <ol>{entries}</ol> : <ul>{entries}</ul>;
    }
    case "quote":
      return <Passage quote={block.quote} details={details} isGood />;
    case "item":
      return (
        <article id={`finding-${block.number}`} lang={/\p{Script=Han}/u.test(block.text) ? "zh-CN" : "en"}>
          <h3>
            {block.number}. {block.title}
          </h3>
          <p>{block.text}</p>
          {block.quotes.map((quote) => (
            <Passage key={`${quote.chapter}:${quote.start}`} quote={quote} details={details} />
          ))}
          <p>{block.advice}</p>
        </article>
      );
    default:
      return block satisfies never;
  }
}

/** A passage of the book, the words that are meant in bold; it leads to its place. */
function Passage({
  quote,
  details,
  isGood = false,
}: {
  readonly quote: QuotationView;
  readonly details: EvaluationDetails;
  readonly isGood?: boolean;
}) {
  const { chapter, start, end, before, marked, after, where } = quote;
  const isPart = before.replace("…", "") !== "" || after.replace("…", "") !== "";
  return (
    <blockquote
      className={isGood ? "quotation" : "quotation weak-passage"}
      lang={details.evaluation.book.language ?? undefined}
    >
      <a href={to(["books", details.bookId, "read"], { chapter, start, end, notes: "open", from: details.id })}>
        {before}
        {isPart ? <strong>{marked}</strong> : marked}
        {after}
      </a>
      <footer>{where}</footer>
    </blockquote>
  );
}
