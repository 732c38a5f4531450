import { FabulaError } from "../../../core/errors.ts";
import { writeJsonLines } from "../../../core/json-lines.ts";
import { RATES } from "../../../report/letter/choose-notes.ts";
import { loadLetterTexts } from "../../../report/letter/letter-texts.ts";
import { NOTE_COLUMNS } from "../../../report/tables/note-columns.ts";
import { evaluateBook } from "../../../workflows/books/evaluate-book.ts";
import { type NotesOfBook, notesOfBook, notesOfItems } from "../../../workflows/books/notes/line-notes.ts";
import { writeNotesDocx } from "../../../workflows/books/notes/write-notes-docx.ts";
import { writeTable } from "../../../workflows/tables/write-table.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { notesInWords } from "../../output/notes-wording.ts";

export default defineCommand({
  summary: "Line notes: which sentences a professional editor would change, and why.",
  operands: "FILE",
  flags: {
    in: { type: "string", value: "FILE", help: 'many texts instead of one book: JSONL of {"id","text"}' },
    out: {
      type: "string",
      value: "FILE",
      help: "notes.docx: the manuscript with comments; notes.jsonl, .csv or .parquet: a row per sentence of a book; notes.jsonl with --in: a line per text; - is standard output",
    },
    "all-notes": { type: "boolean", help: "with --out notes.docx: every note instead of the 25 likeliest" },
    top: {
      type: "number",
      value: "N",
      help: "show the N sentences most likely to be changed",
      default: 20,
      minimum: 1,
      integer: true,
    },
  },
  examples: [
    "fabula notes chapter.md",
    "fabula notes novel.epub --top 50",
    "fabula notes novel.docx --out notes.docx",
    "fabula notes novel.epub --out notes.jsonl",
    "fabula notes --in texts.jsonl --out notes.jsonl",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (flags.in !== undefined) {
      if (operands.length > 0) throw new FabulaError("E_USAGE", "Give either a book or --in FILE, not both.");
      const summary = await notesOfItems({
        input: flags.in,
        output: flags.out ?? "-",
        signal,
        onProgress: terminal.progress,
      });
      terminal.endProgress();
      if (flags.json && flags.out !== undefined && flags.out !== "-")
        terminal.print(jsonDocument("noted-items", { ...summary, out: flags.out }));
      if (summary.unreadableLines.length > 0) {
        throw new FabulaError(
          "E_NOTES_LINES",
          `Line${summary.unreadableLines.length > 1 ? "s" : ""} ${summary.unreadableLines.slice(0, 5).join(", ")} could not be read: each must be a JSON object with "id" and "text". The others were noted.`,
        );
      }
      return summary.unscored > 0 ? 3 : 0;
    }
    const [file, ...rest] = operands;
    if (file === undefined || rest.length > 0) {
      throw new FabulaError("E_USAGE", "Give one book, or many texts with --in: `fabula notes chapter.md`.");
    }
    if (flags.out !== undefined && /\.docx$/i.test(flags.out)) {
      const evaluation = await evaluateBook(file, {
        judge: "editor",
        allNotes: flags["all-notes"],
        signal,
        onProgress: terminal.progress,
      });
      terminal.endProgress();
      const written = await writeNotesDocx(evaluation, flags.out);
      if (flags.json) terminal.print(jsonDocument("annotated-manuscript", { ...written, out: flags.out }));
      else terminal.note(notesInWords(written, flags.out));
      return written.placed === 0 ? 3 : 0;
    }
    const book = await notesOfBook(file, { stdin: process.stdin, onProgress: terminal.progress });
    terminal.endProgress();
    if (flags.out !== undefined) {
      if (flags.out === "-") await writeJsonLines("-", book.notes);
      else
        await writeTable(
          flags.out,
          NOTE_COLUMNS,
          book.notes.map(({ chapter, start, end, change, why, sentence }) => ({
            chapter,
            start,
            end,
            change,
            why,
            sentence,
          })),
        );
      terminal.note(book.unscored ?? `${book.notes.length} notes: ${flags.out}`);
    } else if (flags.json) terminal.print(jsonDocument("notes", book));
    else terminal.print(inWords(book, flags.top));
    return book.unscored === null ? 0 : 3;
  },
});

function inWords({ title, notes, unscored, caveat }: NotesOfBook, top: number): string {
  if (unscored !== null) return `${title}: no line notes, because ${unscored}.`;
  const { reasons } = loadLetterTexts("en");
  const likeliest = [...notes].sort((left, right) => right.change - left.change).slice(0, top);
  return [
    `${title}: of ${notes.length} sentences, those a professional editor would most likely change`,
    ...(caveat === null ? [] : [`Expect more misses here: the text is ${caveat}.`]),
    "",
    ...likeliest.map(
      ({ chapter, change, why, sentence }) =>
        `${(100 * change).toFixed(0).padStart(3)}%  chapter ${chapter}${why === null ? "" : `: ${reasons[why] ?? why}`}\n      ${sentence.replace(/\s+/g, " ")}`,
    ),
    "",
    `Of the tenth of sentences marked first, professional editors changed ${percent(RATES.shown)}; of all, ${percent(RATES.any)}. They edited short prose, most of it drafted by language models. One editor predicts another no better.`,
  ].join("\n");
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
