import type { createColors } from "picocolors";
import { plainLine } from "../markup.ts";
import { inMarks, type LetterView, type NotesView, type QuotationView, quoteText } from "./letter-view.ts";
import { wrapped } from "./wrap-text.ts";

type Paint = ReturnType<typeof createColors>;

const QUOTE_LIMIT = 160;

/** The letter for people at a terminal: the first screen of a report. */
export function letterLines(letter: LetterView, paint: Paint, width: number): string[] {
  const { headings, items } = letter;
  const text = (line: string, indent = 0) => wrapped(line, width, indent);
  const quote = (passage: QuotationView) => quoteLines(passage, paint, width);
  return [
    `${paint.bold(headings.short!)}`,
    ...letter.opening.flatMap((sentence) => text(sentence)),
    ...(items.length === 0 ? [] : ["", paint.bold(headings.items!)]),
    ...items.flatMap(({ title, finding, advice, passages, better, contrast, basis }, at) => [
      "",
      `${at + 1}. ${paint.bold(plainLine(title))}`,
      ...text(basis.length > 0 ? `${finding} (${basis.join(", ")})` : finding, 3),
      ...passages.flatMap(quote),
      ...(better ? [`   ${paint.dim(`${contrast}:`)}`, ...quote(better)] : []),
      ...text(advice, 3),
    ]),
    ...section(headings.works!, text(letter.works.join(" ")), paint),
    ...letter.strongPassages.slice(0, 1).flatMap(quote),
    ...section(headings.verdicts!, text(letter.verdicts.join(" ")), paint),
    "",
    ...text(letter.notJudged),
    ...(letter.reference === null ? [] : ["", ...text(letter.reference).map((line) => paint.dim(line))]),
  ];
}

export function notesLines(notes: NotesView, paint: Paint, width: number): string[] {
  return [
    "",
    paint.bold(notes.heading),
    ...wrapped(notes.intro, width, 0),
    ...notes.groups.flatMap(({ why, notes: own }) => [
      "",
      `  ${paint.bold(plainLine(why))}`,
      ...own.flatMap((passage) => quoteLines(passage, paint, width)),
    ]),
    "",
    `  ${paint.bold(notes.leastHeading)}`,
    ...notes.least.slice(0, 3).flatMap((passage) => quoteLines(passage, paint, width)),
  ];
}

function section(heading: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ["", paint.bold(heading), ...lines];
}

function quoteLines(passage: QuotationView, paint: Paint, width: number): string[] {
  const short = excerpt(passage);
  const where = passage.note === null ? passage.where : `${passage.where}; ${passage.note}`;
  return wrapped(`${inMarks(short)} (${where})`, width, 5).map((line) => paint.cyan(line));
}

/** As much as one look takes in, with the words that are meant: a quotation cut before them would show nothing. */
function excerpt(passage: QuotationView): string {
  const text = quoteText(passage);
  if (text.length <= QUOTE_LIMIT) return text;
  const { before, marked } = passage;
  const isSeen = before.length + marked.length <= QUOTE_LIMIT || marked.length > QUOTE_LIMIT;
  const from = isSeen ? 0 : before.length - Math.floor((QUOTE_LIMIT - marked.length) / 2);
  const start = from === 0 ? text : `…${text.slice(from).replace(/^\S*\s/, "")}`;
  return start.length <= QUOTE_LIMIT ? start : `${start.slice(0, QUOTE_LIMIT).replace(/\s\S*$/, "")}…`;
}
