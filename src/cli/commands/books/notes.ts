import { FabulaError } from "../../../core/errors.ts";
import type { NotesOfBook } from "../../../tasks/books/notes/line-notes.ts";
import { annotateTask, notesTask, noteTextsTask } from "../../../tasks/books/notes.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export const notesCommand = taskCommand(notesTask, {
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "notes.docx: the manuscript with comments; notes.jsonl, .csv or .parquet: a row per sentence of a book; notes.jsonl with --in: a line per text; - is standard output",
    },
    top: {
      type: "number",
      value: "N",
      help: "show the N sentences most likely to be changed",
      default: 20,
      minimum: 1,
      integer: true,
    },
  },
  usage: "Give one book, or many texts with --in: `fabula notes chapter.md`.",
  examples: [
    "fabula notes chapter.md",
    "fabula notes novel.epub --top 50",
    "fabula notes novel.docx --out notes.docx",
    "fabula notes novel.epub --out notes.jsonl",
    "fabula notes --in texts.jsonl --out notes.jsonl",
  ],
  async present(book, { flags: { out, top }, terminal, show }) {
    if (out === undefined) await show(() => inWords(book, top));
    else {
      await writeNotes(book, out);
      terminal.note(book.unscored ?? `${book.notes.length} notes: ${out}`);
    }
    return book.unscored === null ? 0 : 3;
  },
  others: [
    otherWay(noteTextsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give either a book or --in FILE, not both.",
      async present({ unscored, unreadableLines, out }, { flags, terminal, document }) {
        if (flags.json && out !== "-") terminal.print(document());
        if (unreadableLines.length > 0) {
          throw new FabulaError(
            "E_NOTES_LINES",
            `Line${unreadableLines.length > 1 ? "s" : ""} ${unreadableLines.slice(0, 5).join(", ")} could not be read: each must be a JSON object with "id" and "text". The others were noted.`,
          );
        }
        return unscored > 0 ? 3 : 0;
      },
    }),
    otherWay(annotateTask, {
      flag: "--out notes.docx",
      when: ({ out }) => /\.docx$/i.test(String(out)),
      async present(written, { flags, terminal, document }) {
        const { notesInWords } = await import("../../output/notes-wording.ts");
        if (flags.json) terminal.print(document());
        else terminal.note(notesInWords(written, written.out));
        return written.placed === 0 ? 3 : 0;
      },
    }),
  ],
});

async function writeNotes({ notes }: NotesOfBook, out: string): Promise<void> {
  const { writeJsonLines } = await import("../../../core/json-lines.ts");
  if (out === "-") return writeJsonLines("-", notes);
  const { writeTable } = await import("../../../workflows/tables.ts");
  const { NOTE_COLUMNS } = await import("../../../report/tables.ts");
  const rows = notes.map(({ chapter, start, end, change, why, sentence }) => ({
    ...{ chapter, start, end, change, why, sentence },
  }));
  return writeTable(out, NOTE_COLUMNS, rows);
}

async function inWords({ title, notes, unscored, caveat }: NotesOfBook, top: number): Promise<string> {
  if (unscored !== null) return `${title}: no line notes, because ${unscored}.`;
  const { loadLetterTexts } = await import("../../../report/letter/letter-texts.ts");
  const { RATES } = await import("../../../report/letter/choose-notes.ts");
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
