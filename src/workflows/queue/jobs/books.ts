import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { jsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../../judge/evaluation.ts";
import { METHOD_NAMES } from "../../../judge/methods/method.ts";
import { summarisedBookSchema } from "../../../judge/subjects.ts";
import { readerProfileSchema } from "../../../reader/profile/reader-profile.ts";
import type { BookInput } from "../../../tasks/define/book-input.ts";
import { evaluating } from "../../../tasks/define/judge-fields.ts";
import type { Book } from "../../../text/book.ts";
import { characterCorrectionsSchema } from "../../../text/corrections/character-corrections.ts";
import { storyCorrectionsSchema } from "../../../text/corrections/story-corrections.ts";
import { readBook } from "../../../text/read-book.ts";
import { type FailedBookListener, openOrReport } from "../../books/gaps.ts";
import { type JudgeOptions, judgeBooks } from "../../books/judge-books.ts";
import { type JudgedInput, readText } from "../../books/judged-input.ts";
import { evaluateWithJury } from "../../books/jury/evaluate-with-jury.ts";
import { type PieceDraft, PieceSetAside } from "../shared-runs.ts";
import { defineJob } from "./job.ts";
import { batches } from "./structure-reviews.ts";

/** A book that was read elsewhere and came through the store. */
const bookSchema: z.ZodType<Book> = z.object({
  title: z.string(),
  author: z.string().nullable(),
  language: z.string().nullable(),
  genres: z.array(z.string()),
  premise: z.string().nullable(),
  chapters: z.array(
    z.object({
      index: z.number().int(),
      title: z.string().nullable(),
      text: z.string(),
      words: z.number().int(),
      part: z.string().exactOptional(),
    }),
  ),
  words: z.number().int(),
  characterCorrections: characterCorrectionsSchema.exactOptional(),
  storyCorrections: storyCorrectionsSchema.exactOptional(),
  removed: z.array(z.object({ rule: z.string(), where: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
  source: z.object({
    file: z.string(),
    format: z.string(),
    encoding: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    pages: z.record(z.string(), z.number()).exactOptional(),
  }),
});

const SUMMARIES_TOGETHER = 5;

/** What the pieces of a run keep of the options of `evaluate`, under the names that other versions know them by. */
const judgeOptionsSchema = z
  .object(evaluating)
  .pick({ depth: true, untilHalfWidth: true, aspects: true, definitions: true, protocol: true, segmentWords: true })
  .extend(z.object(evaluating).pick({ temperature: true, letter: true, maskInjection: true }).shape)
  .extend({
    judges: z.array(z.string()),
    summariser: z.string().optional(),
    method: z.enum(METHOD_NAMES),
    contextTokens: z.number().int().optional(),
    runs: z.number().int(),
    rubric: z.string().optional(),
    bySegment: z.boolean().optional(),
    presentation: z.literal("paper").optional(),
    reader: readerProfileSchema.optional(),
  });

/** Has language models judge books. */
export const judgeBooksJob = defineJob({
  options: z.object({
    judging: judgeOptionsSchema,
    /** The text of the user's own rubric. */
    rubricText: z.string().nullable(),
  }),
  data: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("book"), book: bookSchema }),
    z.object({ kind: z.literal("summaries"), rows: z.array(summarisedBookSchema) }),
    z.object({ kind: z.literal("outline"), file: z.string(), text: z.string() }),
  ]),
  async perform({ judging, rubricText }, data, { folder, settings, services }) {
    const rubric = rubricText === null ? null : join(folder, "rubric.yaml");
    if (rubric !== null && rubricText !== null) await writeFile(rubric, rubricText);
    const summaries = join(folder, "summaries.jsonl");
    if (data.kind === "summaries") await writeJsonLines(summaries, data.rows);
    const options = { ...judging, ...(rubric !== null && { rubric }), settings, services } as JudgeOptions;
    await judgeBooks(inputOf(data, summaries), options);
  },
});

type JudgedData = z.infer<typeof judgeBooksJob.data>;

function inputOf(data: JudgedData, summaries: string): JudgedInput {
  switch (data.kind) {
    case "book":
      return { kind: "read", books: [data.book] };
    case "summaries":
      return { kind: "summaries", file: summaries };
    case "outline":
      return { kind: "outlines", files: [data.file], texts: [data.text] };
    default:
      return data satisfies never;
  }
}

/** A book each; of books that are summaries already, a few together. Books that fail are left out when there is a listener. */
export async function* piecesOfJudging(
  input: JudgedInput,
  signal: AbortSignal,
  onFailed?: FailedBookListener,
): AsyncGenerator<PieceDraft> {
  switch (input.kind) {
    case "books":
      for (const file of input.files) {
        const read = () => readBook(file, input.reading);
        const book = await openOrReport(file, read, onFailed, signal);
        if (book) yield { label: book.title, data: { kind: "book", book } satisfies JudgedData };
      }
      return;
    case "opened":
      for (const [source, { name, open }] of input.sources.entries()) {
        const book = await openOrReport(name, open, onFailed, signal);
        if (book) yield { label: book.title, data: { kind: "book", book } satisfies JudgedData, source };
      }
      return;
    case "read":
      for (const book of input.books) yield { label: book.title, data: { kind: "book", book } satisfies JudgedData };
      return;
    case "summaries":
      yield* batches(
        jsonLines(input.file, summarisedBookSchema),
        SUMMARIES_TOGETHER,
        (rows) => ({ kind: "summaries", rows: [...rows] }) satisfies JudgedData,
        "books",
      );
      return;
    case "outlines":
      for (const file of input.files) {
        const text = await openOrReport(file, () => readText(file), onFailed, signal);
        if (text !== null) yield { label: file, data: { kind: "outline", file, text } satisfies JudgedData };
      }
      return;
    default:
      input satisfies never;
  }
}

/** The embedded jury calls no model: the evaluation itself is returned. */
export const evaluateBookJob = defineJob({
  options: z.object({
    judge: z.string(),
    aspects: z.array(z.string()).nullable(),
    maskInjection: evaluating.maskInjection,
  }),
  data: z.object({ book: bookSchema }),
  perform: ({ judge, aspects, maskInjection }, { book }, { services }): Promise<BookEvaluation> =>
    evaluateWithJury(book, { judge, maskInjection, signal: services.signal, ...(aspects && { aspects }) }),
});

export async function* piecesOfEvaluation(
  sources: readonly BookInput[],
  open: (source: BookInput) => Promise<Book | null>,
): AsyncGenerator<PieceDraft> {
  for (const [source, given] of sources.entries()) {
    const book = await open(given);
    if (book) yield { label: book.title, data: { book }, source };
  }
}

/** As the workers wrote them, to the order of their fields. */
const evaluationSchema = z.custom<BookEvaluation>((value) => bookEvaluationSchema.safeParse(value).success);

export async function* evaluationsFrom(results: AsyncIterable<unknown>): AsyncGenerator<BookEvaluation> {
  for await (const result of results) if (!(result instanceof PieceSetAside)) yield evaluationSchema.parse(result);
}
