import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { annotateTask, checkTask, checkTextsTask, notesTask, noteTextsTask } from "../../../tasks/books/faults.ts";
import type { NotesOfBook } from "../../../tasks/books/line-notes.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { jsonOnly, otherWay, taskCommand } from "../../task-command.ts";

export const checkCommand = taskCommand(checkTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the findings as JSON; with --in, one line per text" },
  },
  rules: [jsonOnly("findings", "`fabula evaluate FILE --out letter.html` writes them as a letter")],
  usage: "Give at least one book: `fabula check novel.epub`. For many texts use --in.",
  examples: [
    "fabula check novel.epub",
    "fabula check draft.docx --out findings.json",
    "fabula check novel.epub --judge openai:gpt-4.1 --max-cost 5",
    "fabula check --in texts.jsonl --out findings.jsonl",
  ],
  async present({ result: { books, failed }, plan, run }, { flags: { out, json }, terminal, document, show }) {
    if (plan) return showPlan(plan, json, terminal);
    if (out !== undefined) {
      const { writeWholeFile } = await import("../../../core/files.ts");
      await writeWholeFile(out, `${document()}\n`);
    }
    await show(async () => {
      const { default: pc } = await import("picocolors");
      const { describeChecks } = await import("../../output/fault-wording.ts");
      return books.map((book) => describeChecks(book, pc.createColors(terminal.colours)).join("\n")).join("\n\n");
    });
    if (out !== undefined) terminal.note(`All findings: ${out}`);
    for (const { reason } of failed) terminal.note(`fabula: ${reason}`);
    const missing = books.flatMap(({ title, unanswered = [] }) => unanswered.map((one) => ({ title, ...one })));
    for (const { title, question, reason } of missing)
      terminal.note(`Not covered in ${plainLine(title)}: ${question}, because ${reason}.`);
    if (run) terminal.note(runInWords(run));
    return failed.length > 0 ? 1 : missing.length > 0 ? 3 : 0;
  },
  others: [
    otherWay(checkTextsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give either FILEs or --in, not both.",
      async present({ result, plan, run }, { flags, terminal, document }) {
        const { texts, findings, out, unanswered = 0 } = result;
        if (plan) return showPlan(plan, flags.json, terminal);
        if (flags.json && out !== "-") terminal.print(document());
        else terminal.note(`${countOf(texts, "text")} checked, ${countOf(findings, "finding")}.`);
        if (run) terminal.note(runInWords(run));
        return unanswered > 0 ? 3 : 0;
      },
    }),
  ],
});

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
        const { notesInWords } = await import("../../output/fault-wording.ts");
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
  const { writeTable } = await import("../../../tasks/tables.ts");
  const { NOTE_COLUMNS } = await import("../../../report/tables.ts");
  const rows = notes.map(({ chapter, start, end, change, why, sentence }) => ({
    ...{ chapter, start, end, change, why, sentence },
  }));
  return writeTable(out, NOTE_COLUMNS, rows);
}

async function inWords({ title, notes, unscored, caveat }: NotesOfBook, top: number): Promise<string> {
  if (unscored !== null) return `${title}: no line notes, because ${unscored}.`;
  const { loadLetterTexts } = await import("../../../report/letter/letter-words.ts");
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
