import { z } from "zod";
import type { Finding } from "../core/finding.ts";
import { type Rubric, topLevel } from "../criteria/rubric.ts";
import { asJson, ask } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import { mean, sum } from "../stats/distribution.ts";
import { meanInterval } from "../stats/special/student-t.ts";
import { countWords } from "../text/words.ts";
import { wordingOf } from "./synopsis.ts";
import { readChapter, type WritingOptions } from "./writing.ts";

/** Writes whole books: a plan, then chapter after chapter, each with what came before it. */

export interface BookWritingOptions extends WritingOptions {
  readonly chapters: number;
  /** How many words of earlier chapters a writer sees in full; older ones it sees as its own summaries. */
  readonly context: number;
  readonly onChapter?: () => void;
}

export const bookPlanSchema = z.object({
  chapters: z.array(z.object({ title: z.string(), events: z.string() })).min(1),
});

export const writtenBookSchema = z.object({
  novel: z.string(),
  writer: z.string(),
  language: z.string().nullable(),
  plan: bookPlanSchema.nullable(),
  chapters: z.array(
    z.object({
      chapter: z.number().int().positive(),
      text: z.string(),
      cutOff: z.boolean(),
      /** How many earlier chapters the writer saw in full, and how many as a summary. */
      seen: z.number().int(),
      summarised: z.number().int(),
    }),
  ),
  /** Why it ends before its last chapter; null if it does not. */
  reason: z.string().nullable(),
});
export type WrittenBook = z.infer<typeof writtenBookSchema>;

const NOTHING_YET = { en: "(nothing yet)", zh: "（尚无）" };

/**
 * Plans and writes a book. A chapter that is refused or fails ends it, because later chapters need what came before.
 */
export async function writeBook(
  model: ChatModel,
  premise: string,
  rubric: Rubric,
  options: BookWritingOptions,
  signal: AbortSignal,
): Promise<Omit<WrittenBook, "novel" | "writer">> {
  const { language } = options;
  const ended = (reason: string | null, plan: WrittenBook["plan"], chapters: WrittenBook["chapters"]) => ({
    ...{ language, plan, chapters, reason },
  });
  const [count, words] = [String(options.chapters), String(options.words)];
  const planned = await ask(
    model,
    {
      purpose: "writer",
      messages: renderPrompt(await options.prompts("bench-plan", language), { premise, chapters: count, words }),
      temperature: options.temperature,
      maximumTokens: options.maximumTokens,
      sample: 0,
      ...asJson("plan", bookPlanSchema),
    },
    signal,
  );
  if (planned.kind === "unanswered") return ended(`no plan: ${planned.reason}`, null, []);
  const template = await options.prompts("bench-book-chapter", language);
  const criteria = topLevel(rubric).map(({ name, definition }) => `- ${name}: ${definition}`);
  const plan = planned.value.chapters.map(({ title, events }, at) => `${at + 1}. ${title}: ${events}`).join("\n");
  const nothing = NOTHING_YET[language?.startsWith("zh") ? "zh" : "en"];
  const recaps: string[] = [];
  const chapters: WrittenBook["chapters"] = [];
  for (let number = 1; number <= options.chapters; number++) {
    const first = firstInContext(chapters, options.context);
    while (recaps.length < first) recaps.push(await recapOf(model, chapters[recaps.length]!.text, options, signal));
    const shown = chapters.slice(first);
    const answer = await ask(
      model,
      {
        purpose: "writer",
        messages: renderPrompt(template, {
          ...{ premise, plan, words, chapters: count, criteria: criteria.join("\n"), number: String(number) },
          recap: recaps.map((recap, at) => `${at + 1}. ${recap}`).join("\n") || nothing,
          before: shown.map(({ text }) => text).join("\n\n") || nothing,
        }),
        temperature: options.temperature,
        maximumTokens: options.maximumTokens,
        sample: 0,
        // The first answer is what is measured; no writer gets a second chance.
        askAgain: false,
        read: readChapter,
      },
      signal,
    );
    options.onChapter?.();
    if (answer.kind === "unanswered") return ended(`chapter ${number}: ${answer.reason}`, planned.value, chapters);
    const { text, cutOff } = answer.value;
    chapters.push({ chapter: number, text, cutOff, seen: shown.length, summarised: first });
  }
  return ended(null, planned.value, chapters);
}

/** The first of the latest chapters that fit; the last one is shown in any case. */
function firstInContext(chapters: WrittenBook["chapters"], context: number): number {
  let words = 0;
  let first = chapters.length;
  while (first > 0) {
    words += countWords(chapters[first - 1]!.text);
    if (words > context && first < chapters.length) break;
    first--;
  }
  return first;
}

/** If the writer gives no summary, the beginning of the chapter is used. */
async function recapOf(
  model: ChatModel,
  chapter: string,
  { language, prompts }: BookWritingOptions,
  signal: AbortSignal,
): Promise<string> {
  const messages = renderPrompt(await prompts("bench-recap", language), { chapter });
  const question = {
    purpose: "summariser",
    messages,
    temperature: 0,
    maximumTokens: 600,
    sample: 0,
    read: readChapter,
  } as const;
  const answer = await ask(model, question, signal);
  return answer.kind === "answered" ? answer.value.text : `${chapter.slice(0, 400)}…`;
}

/** Measurements of one chapter of a book. */
export interface BookPoint {
  readonly chapter: number;
  readonly words: number;
  /** Mean score over the dimensions and judges; null if any dimension has none. */
  readonly quality: number | null;
  /** Share of its words in passages copied verbatim from earlier chapters of the book, 0–1. */
  readonly repetition: number;
  /** Findings in this chapter; one that concerns several chapters counts in the last of them. */
  readonly findings: number;
  /** The same for a close reading; null if there was none. */
  readonly read: number | null;
}

export function bookPoints(
  chapters: readonly { readonly chapter: number; readonly text: string; readonly quality: number | null }[],
  findings: readonly Finding[],
  /** Null without a close reading. */
  read: readonly Finding[] | null,
): BookPoint[] {
  const shownIn = (chapter: number, found: readonly Finding[]) =>
    found.filter(({ passages }) => Math.max(...passages.map((one) => one.chapter)) === chapter).length;
  let before = "";
  return chapters.map(({ chapter, text, quality }) => {
    const repetition = before === "" ? 0 : wordingOf(before).leakInto(text).share;
    before += `\n${text}`;
    return {
      ...{ chapter, quality, repetition, words: countWords(text) },
      findings: shownIn(chapter, findings),
      read: read && shownIn(chapter, read),
    };
  });
}

export type BookFigure = "quality" | "repetition" | "findings" | "read";

export interface BookCurve {
  /** The mean over the books that reach this chapter. */
  readonly points: readonly { readonly chapter: number; readonly value: number; readonly books: number }[];
  readonly mean: number | null;
  /** Change over ten chapters: the mean of each book's own slope, with a 95 % interval where there are two books or more. */
  readonly slope: { readonly perTenChapters: number; readonly interval: readonly [number, number] | null } | null;
}

/** A writer's curves along the book: quality, repetition, and findings per 10,000 words. */
export function bookCurves(books: readonly (readonly BookPoint[])[]): Readonly<Record<BookFigure, BookCurve>> {
  return {
    quality: curveOf(books, ({ quality }) => quality),
    repetition: curveOf(books, ({ repetition }) => repetition),
    findings: curveOf(books, ({ findings, words }) => perTenThousand(findings, words)),
    read: curveOf(books, ({ read, words }) => (read === null ? null : perTenThousand(read, words))),
  };
}

function perTenThousand(findings: number, words: number): number | null {
  return words === 0 ? null : (10_000 * findings) / words;
}

function curveOf(books: readonly (readonly BookPoint[])[], figureOf: (point: BookPoint) => number | null): BookCurve {
  const known = books.map((book) =>
    book.flatMap((point) => {
      const value = figureOf(point);
      return value === null ? [] : [{ chapter: point.chapter, value }];
    }),
  );
  const numbers = [...new Set(known.flatMap((book) => book.map(({ chapter }) => chapter)))].sort(
    (one, two) => one - two,
  );
  const points = numbers.map((chapter) => {
    const values = known.flatMap((book) => book.flatMap((point) => (point.chapter === chapter ? [point.value] : [])));
    return { chapter, value: mean(values), books: values.length };
  });
  const slopes = known.flatMap((book) => slopeOf(book) ?? []);
  return {
    points,
    mean: points.length === 0 ? null : mean(known.flat().map(({ value }) => value)),
    slope: slopes.length === 0 ? null : { perTenChapters: mean(slopes), interval: meanInterval(slopes) },
  };
}

/** Least squares, over ten chapters; null for fewer than three chapters. */
function slopeOf(points: readonly { readonly chapter: number; readonly value: number }[]): number | null {
  if (points.length < 3) return null;
  const [x, y] = [mean(points.map(({ chapter }) => chapter)), mean(points.map(({ value }) => value))];
  const across = sum(points.map(({ chapter, value }) => (chapter - x) * (value - y)));
  return (10 * across) / sum(points.map(({ chapter }) => (chapter - x) ** 2));
}
