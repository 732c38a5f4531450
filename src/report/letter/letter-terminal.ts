import type { createColors } from "picocolors";
import type { LetterView, QuotationView } from "../../judge/letter/letter-blocks.ts";
import { plainLine } from "../markup.ts";
import { inMarks, type NotesView, quoteText } from "./letter-view.ts";

/** A paragraph in lines of a width, each with an indent, and without control characters: it may come from a book. Text without spaces, such as Chinese, is left to the terminal. */
export function wrapped(text: string, width: number, indent: number): string[] {
  const room = Math.max(30, Math.min(width, 110) - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of plainLine(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.map((each) => " ".repeat(indent) + each);
}

type Paint = ReturnType<typeof createColors>;

const QUOTE_LIMIT = 160;

/** The letter for people at a terminal: the first screen of a report. */
export function letterLines({ blocks }: LetterView, paint: Paint, width: number): string[] {
  const quote = (passage: QuotationView) => quoteLines(passage, paint, width);
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "heading":
        return ["", paint.bold(plainLine(block.text))];
      case "text": {
        const lines = wrapped(block.text, width, 0);
        return block.quiet ? ["", ...lines.map((line) => paint.dim(line))] : lines;
      }
      case "list":
        return block.entries.flatMap((entry, at) =>
          wrapped(block.numbered ? `${at + 1}. ${entry}` : `· ${entry}`, width, 1),
        );
      case "quote":
        return quote(block.quote);
      case "item":
        if (block.minor) return wrapped(`${block.number}. ${block.title}: ${block.text}`, width, 0);
        return [
          "",
          `${block.number}. ${paint.bold(plainLine(block.title))}`,
          ...wrapped(block.text, width, 3),
          ...block.quotes.flatMap(quote),
          ...wrapped(block.advice, width, 3),
        ];
      default:
        return block satisfies never;
    }
  });
}

export function notesLines(notes: NotesView, paint: Paint, width: number): string[] {
  return [
    "",
    paint.bold(notes.heading),
    ...wrapped(notes.intro, width, 0),
    ...notes.notes.flatMap((passage) => quoteLines(passage, paint, width)),
  ];
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
