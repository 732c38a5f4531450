import type { createColors } from "picocolors";
import type { Finding, Severity } from "../../core/finding.ts";
import { countOf } from "../../core/wording.ts";
import { CHECK_KINDS } from "../../prose/checks/check.ts";
import { isQuestion } from "../../prose/checks/check-book.ts";
import { plainLine } from "../../report/markup.ts";
import type { CheckedFile } from "../../tasks/books/check-books.ts";
import type { WrittenNotes } from "../../tasks/books/line-notes.ts";

type Colors = ReturnType<typeof createColors>;

const HEADINGS: Readonly<Record<Severity, string>> = {
  must: "Any reader will notice",
  should: "A careful reader will notice",
  consider: "Worth a thought",
};
const MOST_PASSAGES = 4;
const LONGEST_QUOTE = 160;

/**
 * The findings as the terminal shows them: what would stop a reader first, then the rest, then possible false alarms.
 */
export function describeChecks(
  { title, author, words, chapters, findings, notTried }: CheckedFile,
  colours: Colors,
): string[] {
  const claims = findings.filter((finding) => !isQuestion(finding));
  const questions = findings.filter(isQuestion);
  const groups = Object.entries(HEADINGS).map(([severity, heading]) => ({
    heading,
    findings: claims.filter((finding) => finding.severity === severity),
  }));
  const shown = [...groups, { heading: "You may want to look", findings: questions }].filter(
    (group) => group.findings.length > 0,
  );
  return [
    `${colours.bold(plainLine(title))}${author ? ` by ${plainLine(author)}` : ""} · ${countOf(words, "word")} · ${countOf(chapters, "chapter")}`,
    ...(notTried.length === CHECK_KINDS.length
      ? [`Not checked: ${notTried[0]!.why}.`]
      : findings.length === 0
        ? [
            "Nothing found that code alone can find. A close reading by a model finds more: `fabula evaluate FILE --judge J`.",
          ]
        : []),
    ...shown.flatMap((group) => [
      "",
      colours.bold(group.heading),
      ...group.findings.flatMap((finding) => lines(finding, colours)),
    ]),
    ...(notTried.length === 0 || notTried.length === CHECK_KINDS.length
      ? []
      : ["", `Not tried: ${notTried.map(({ kind }) => kind).join(", ")} (${notTried[0]!.why}).`]),
  ];
}

function lines({ title, claim, passages, advice }: Finding, colours: Colors): string[] {
  const shown = passages.slice(0, MOST_PASSAGES);
  const more = passages.length - shown.length;
  return [
    `  ${colours.yellow("•")} ${plainLine(title)}${/[.?!]$/.test(title) ? "" : "."} ${plainLine(claim)}`,
    ...shown.map(({ chapter, quote }) => colours.dim(`      chapter ${chapter}: “${shortened(plainLine(quote))}”`)),
    ...(more > 0 ? [colours.dim(`      and ${countOf(more, "more passage")}`)] : []),
    `      ${plainLine(advice)}`,
  ];
}

function shortened(quote: string): string {
  return quote.length <= LONGEST_QUOTE ? quote : `${quote.slice(0, LONGEST_QUOTE).trimEnd()}…`;
}

/** How many notes could be placed in a Word document. */
export function notesInWords({ notes, placed }: WrittenNotes, path: string): string {
  const found = `The manuscript with ${countOf(placed, "comment")} is in ${path}.`;
  const lost = notes - placed;
  return lost === 0
    ? found
    : `${found} ${lost} more could not be placed: their sentences are not in the document as they were read.`;
}
