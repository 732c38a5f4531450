import type { Finding } from "../../src/api/letters.ts";
import { to } from "../routing.ts";
import { useTexts } from "../texts/preferences.tsx";

const LONGEST_QUOTE = 70;

/** Findings by name, each with its chapters and the words it begins with: three repeated passages are three. */
export function FindingNames({
  findings,
  bookId,
}: {
  readonly findings: readonly Finding[];
  /** The draft in which they stand. */
  readonly bookId: string;
}) {
  const texts = useTexts();
  return (
    <ul className="finding-names">
      {findings.map(({ id, title, passages }) => {
        const [passage] = passages;
        const chapters = [...new Set(passages.map(({ chapter }) => chapter))];
        if (!passage) return <li key={id}>{title}</li>;
        const { chapter, start, end, quote } = passage;
        return (
          <li key={id}>
            <a href={to(["books", bookId, "read"], { chapter, start, end })}>{title}</a>{" "}
            <small className="muted">
              {chapters.map(texts.chapterNumber).join(", ")}: “{shortened(quote)}”
            </small>
          </li>
        );
      })}
    </ul>
  );
}

function shortened(quote: string): string {
  const line = quote.replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST_QUOTE) return line;
  const atWord = line.lastIndexOf(" ", LONGEST_QUOTE);
  return `${line.slice(0, atWord > 0 ? atWord : LONGEST_QUOTE).replace(/[\s,;:—–-]+$/, "")}…`;
}
