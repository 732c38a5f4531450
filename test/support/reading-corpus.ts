import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { headingKey } from "../../src/text/chapters/titles.ts";
import { countWords } from "../../src/text/words.ts";
import { type MadeBook, madeBooks } from "./made-books.ts";
import { madeLayouts } from "./made-layouts.ts";

/** Every file of the reading corpus that needs nothing from outside: made in code, or typeset once by `evals/typeset.ts`. */
export function readingCorpus(): readonly MadeBook[] {
  return [...madeBooks(), ...madeLayouts(), ...typesetBooks()];
}

const TYPESET = "test/fixtures/typeset";
const typesetSchema = z.object({
  notes: z.array(z.string()),
  files: z.array(z.object({ file: z.string(), titles: z.array(z.string()), hasNotes: z.boolean() })),
});

/** The bundled story as LaTeX, a word processor and a layout program set it. */
export function typesetBooks(): readonly MadeBook[] {
  const { notes, files } = typesetSchema.parse(JSON.parse(readFileSync(join(TYPESET, "expected.json"), "utf8")));
  const story = readFileSync("assets/examples/the-inspector-of-weights.md", "utf8")
    .split(/^(?=## )/m)
    .slice(1)
    .map((chapter) =>
      chapter
        .trim()
        .split(/\n{2,}/)
        .slice(1),
    );
  return files.map(({ file, titles, hasNotes }) => ({
    file: `typeset/${file}`,
    bytes: readFileSync(join(TYPESET, file)),
    chapters: titles.map((title, at) => ({
      title,
      first: sentences(story[at]![0]!)[0]!,
      last: sentences(story[at]!.at(-1)!).at(-1)!,
    })),
    words: titles.reduce(
      (sum, _title, at) => sum + countWords(story[at]!.join("\n\n")) + (hasNotes ? countWords(notes[at]!) : 0),
      0,
    ),
  }));
}

const sentences = (text: string) => text.split(/(?<=[.!?]["”]?) (?=\S)/);

/** What is needed of `fabula read --json`. */
export const summarySchema = z.object({
  file: z.string(),
  words: z.number(),
  chapters: z.array(z.object({ kind: z.string(), title: z.string().nullable() })),
  warnings: z.array(z.string()),
  pages: z.record(z.string(), z.number()).default({}),
  recognised: z.object({ certainty: z.string() }).optional(),
});
export type Summary = z.infer<typeof summarySchema>;
export const answerSchema = z.object({
  books: z.array(summarySchema),
  failed: z.array(z.object({ file: z.string(), reason: z.string() })).default([]),
});

export type Verdict = "right" | "refused by name" | "wrong, and said so" | "WRONG IN SILENCE";
export interface Judged {
  readonly verdict: Verdict;
  readonly what: string;
}

/** Read differently than a reader would: worst where nothing warns of it and nothing calls the chapters a guess. */
export function wrong({ warnings, recognised }: Summary, what: string): Judged {
  const isSaid = warnings.length > 0 || recognised?.certainty === "guess";
  return { verdict: isSaid ? "wrong, and said so" : "WRONG IN SILENCE", what };
}

const MOST_WORDS_OFF = 0.01;

/** What the command said about a made file, against what a reader would list. `texts` are those of its chapters. */
export function judge(made: MadeBook, answer: Summary | string | undefined, texts: readonly string[]): Judged {
  if (made.refusal !== undefined) {
    if (typeof answer === "string" && answer.includes(made.refusal)) return { verdict: "refused by name", what: "" };
    const what = typeof answer === "string" ? `refused with “${answer}”` : "read as a book";
    return { verdict: "WRONG IN SILENCE", what };
  }
  if (answer === undefined || typeof answer === "string") {
    return { verdict: "wrong, and said so", what: `refused: ${answer}` };
  }
  const found = answer.chapters.filter(({ kind }) => kind !== "part").map(({ title }) => headingKey(title ?? ""));
  const wanted = made.chapters.map(({ title }) => headingKey(title ?? ""));
  if (found.join("|") !== wanted.join("|")) {
    return wrong(
      answer,
      `${found.length} chapters (${found.slice(0, 4).join(", ")}) where a reader lists ${wanted.length}`,
    );
  }
  const at = made.chapters.findIndex(({ first, last }, index) => {
    const text = headingKey(texts[index] ?? "");
    return !text.startsWith(headingKey(first)) || !text.endsWith(headingKey(last));
  });
  if (at >= 0) return wrong(answer, `chapter ${at + 1} begins or ends with other words`);
  const { words } = made;
  if (words !== undefined && Math.abs(answer.words - words) > words * MOST_WORDS_OFF) {
    return wrong(answer, `${answer.words} words where a reader counts ${words}`);
  }
  return { verdict: "right", what: "" };
}
