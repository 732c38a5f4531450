import { memo, type ReactNode } from "react";
import type { LetterBlock, QuotationView } from "../../src/api/evaluations.ts";
import { Coded } from "./coded.tsx";

interface BookOfPassages {
  readonly language: string | null;
  /** Where a passage stands in the web app. */
  readonly address: (quote: QuotationView) => string;
}

/** One thing of an edit letter. The letter of a report shows findings as they are; the desk has its own way with them. */
export const Block = memo(function Block({
  block,
  book,
  item,
  refer = (text) => <Coded text={text} />,
}: {
  readonly block: LetterBlock;
  readonly book: BookOfPassages;
  /** Shows a sentence that may end with the numbers of findings. */
  readonly refer?: (text: string) => ReactNode;
  readonly item?: (block: Extract<LetterBlock, { kind: "item" }>) => ReactNode;
}) {
  switch (block.kind) {
    case "heading":
      return <h2>{block.text}</h2>;
    case "text":
      return <p className={block.quiet ? "hint" : "prose"}>{refer(block.text)}</p>;
    case "list": {
      const entries = block.entries.map((entry) => <li key={entry}>{refer(entry)}</li>);
      return block.numbered ? <ol className="prose">{entries}</ol> : <ul className="prose">{entries}</ul>;
    }
    case "quote":
      return <Passage quote={block.quote} book={book} isGood />;
    case "item":
      return item ? (
        item(block)
      ) : (
        <article id={`finding-${block.number}`} lang={/\p{Script=Han}/u.test(block.text) ? "zh-CN" : "en"}>
          <h3>
            {block.number}. {block.title}
          </h3>
          <p>{block.text}</p>
          {block.quotes.map((quote) => (
            <Passage key={`${quote.chapter}:${quote.start}`} quote={quote} book={book} />
          ))}
          <p>{block.advice}</p>
        </article>
      );
    default:
      return block satisfies never;
  }
});

/** A passage of the book, the words that are meant in bold; it leads to its place. */
export function Passage({
  quote,
  book,
  isGood = false,
}: {
  readonly quote: QuotationView;
  readonly book: BookOfPassages;
  readonly isGood?: boolean;
}) {
  const { before, marked, after, where, note } = quote;
  const isPart = before.replace("…", "") !== "" || after.replace("…", "") !== "";
  return (
    <blockquote className={isGood ? "quotation" : "quotation weak-passage"} lang={book.language ?? undefined}>
      <a href={book.address(quote)}>
        {before}
        {isPart ? <strong>{marked}</strong> : marked}
        {after}
      </a>
      <footer>{note === null ? where : `${where} · ${note}`}</footer>
    </blockquote>
  );
}
