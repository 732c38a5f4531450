import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { ERROR_CODES, FabulaError } from "../../core/errors.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../judge/evaluation.ts";
import { METHOD_NAMES } from "../../judge/methods/method.ts";
import { summarisedBookSchema } from "../../judge/subjects.ts";
import { defineJob } from "../../queue/job.ts";
import { type PieceDraft, PieceSetAside } from "../../queue/shared-runs.ts";
import { readerProfileSchema } from "../../reader/profile/reader-profile.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import type { Book } from "../../text/book.ts";
import { type BookReadOptions, readBookFromBytes, type UnreadBook, unreadBook } from "../../text/read-book.ts";
import { DraftArchive } from "../books/drafts/draft-archive.ts";
import { evaluateWithJury } from "../books/evaluate-book.ts";
import { type JudgeOptions, judgeEach } from "../books/judge-books.ts";
import { type JudgedInput, readText } from "../books/judged-input.ts";
import { bytesOf, fileOf, openBook } from "../books/open-book.ts";
import { evaluating } from "../define/judge-fields.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { batches } from "./structure-reviews.ts";

const isObject = (value: unknown) => typeof value === "object" && value !== null;

/** A book as the worker gets it: a file, which it reads itself, or the parsed book. Both sides run the same version. */
const givenBook = {
  file: z.object({
    kind: z.literal("file"),
    name: z.string(),
    /** Compressed here, since the server cannot compress base64. */
    packed: z.string(),
    options: z.custom<UnreadBook["options"]>(isObject),
  }),
  book: z.object({ kind: z.literal("book"), book: z.custom<Book>((value) => isObject(value) && "chapters" in value!) }),
};
const givenBookSchema = z.discriminatedUnion("kind", [givenBook.file, givenBook.book]);
type GivenBook = z.infer<typeof givenBookSchema>;

/**
 * In a file this large the text is only a small part, as in a PDF of scans; so it is read here, and its text is sent.
 */
const LARGEST_FILE = 8_000_000;

async function readGiven(given: GivenBook): Promise<Book> {
  if (given.kind === "book") return given.book;
  const bytes = gunzipSync(Buffer.from(given.packed, "base64"), { maxOutputLength: LARGEST_FILE });
  return readBookFromBytes(bytes, given.name, given.options);
}

async function givenFrom(source: BookInput, reading: BookReadOptions): Promise<GivenBook> {
  const isRead = typeof source === "object" && "chapters" in source;
  const unread = isRead
    ? null
    : await unreadBook(
        typeof source === "string" ? source : { name: fileOf(source), bytes: await bytesOf(source) },
        reading,
      );
  if (!unread || unread.bytes.length > LARGEST_FILE) return { kind: "book", book: await openBook(source, reading) };
  const { name, bytes, options } = unread;
  return { kind: "file", name, packed: gzipSync(bytes, { level: 1 }).toString("base64"), options };
}

/** The result for one book: its evaluation and the name of the stored draft, or why the book could not be read. */
const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("judged"),
    // As the worker wrote it, including the order of its fields.
    evaluation: z.custom<BookEvaluation>((value) => bookEvaluationSchema.safeParse(value).success),
    draft: z.string().nullable(),
  }),
  z.object({ kind: z.literal("unreadable"), code: z.enum(ERROR_CODES), reason: z.string() }),
]);
type BookOutcome = z.infer<typeof outcomeSchema>;
const outcomesSchema = z.array(outcomeSchema);

/** A book that cannot be read is a result too: only the caller knows whether the others should continue without it. */
async function orUnreadable(open: () => Promise<Book>, judge: (book: Book) => Promise<BookOutcome[]>) {
  let book: Book;
  try {
    book = await open();
  } catch (error) {
    if (!(error instanceof FabulaError)) throw error;
    return [{ kind: "unreadable", code: error.code, reason: error.message }] satisfies BookOutcome[];
  }
  return judge(book);
}

const SUMMARIES_TOGETHER = 5;

/** The options of `evaluate` that the pieces of a run store, under names that other versions know. */
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

/**
 * Has language models judge books. The calls are in the store; the evaluations and the names of the drafts are the
 * result.
 */
export const judgeBooksJob = defineJob({
  options: z.object({
    judging: judgeOptionsSchema,
    /** The text of the user's own rubric. */
    rubricText: z.string().nullable(),
  }),
  data: z.discriminatedUnion("kind", [
    givenBook.file,
    givenBook.book,
    z.object({ kind: z.literal("summaries"), rows: z.array(summarisedBookSchema) }),
    z.object({ kind: z.literal("outline"), file: z.string(), text: z.string() }),
  ]),
  async perform({ judging, rubricText }, data, { folder, settings, services }): Promise<BookOutcome[]> {
    const rubric = rubricText === null ? null : join(folder, "rubric.yaml");
    if (rubric !== null && rubricText !== null) await writeFile(rubric, rubricText);
    const options = { ...judging, ...(rubric !== null && { rubric }), settings, services } as JudgeOptions;
    const judge = async (input: JudgedInput) => {
      const outcomes: BookOutcome[] = [];
      await judgeEach(input, options, (evaluation, draft) => {
        outcomes.push({ kind: "judged", evaluation, draft });
      });
      return outcomes;
    };
    switch (data.kind) {
      case "file":
      case "book":
        return orUnreadable(
          () => readGiven(data),
          (book) => judge({ kind: "read", books: [book] }),
        );
      case "summaries": {
        const file = join(folder, "summaries.jsonl");
        await writeJsonLines(file, data.rows);
        return judge({ kind: "summaries", file });
      }
      case "outline":
        return judge({ kind: "outlines", files: [data.file], texts: [data.text] });
      default:
        return data satisfies never;
    }
  },
});

/** Has the embedded jury judge a book, without calling a model. */
export const evaluateBookJob = defineJob({
  options: z.object({
    judge: z.string(),
    aspects: z.array(z.string()).nullable(),
    maskInjection: evaluating.maskInjection,
  }),
  data: givenBookSchema,
  perform: ({ judge, aspects, maskInjection }, given, { services: { signal } }) =>
    orUnreadable(
      () => readGiven(given),
      async (book) => {
        const options = { judge, maskInjection, signal, ...(aspects && { aspects }) };
        return [{ kind: "judged", evaluation: await evaluateWithJury(book, options), draft: null }];
      },
    ),
});

/** Called with each given book that could not be sent, and the error; without it, the work ends there. */
type UnsentListener = (source: number, error: unknown) => void;

interface Sending {
  readonly signal: AbortSignal;
  readonly onUnsent?: UnsentListener | undefined;
}

/** One book per piece; the workers read the files, too. */
export function piecesOfBooks(sources: readonly BookInput[], reading: BookReadOptions, sending: Sending) {
  return sent(sources, sending, async (given) => ({ label: fileOf(given), data: await givenFrom(given, reading) }));
}

/** A few outlines or summaries per piece, since they are short. */
export function piecesOfTexts(input: Extract<JudgedInput, { kind: "summaries" | "outlines" }>, sending: Sending) {
  if (input.kind === "summaries")
    return batches(
      jsonLines(input.file, summarisedBookSchema),
      SUMMARIES_TOGETHER,
      (rows) => ({ kind: "summaries", rows: [...rows] }),
      "books",
    );
  return sent([...input.files.entries()], sending, async ([at, file]) => {
    const text = input.texts?.[at] ?? (await readText(file));
    return { label: file, data: { kind: "outline", file, text } };
  });
}

async function* sent<Source>(
  sources: readonly Source[],
  { signal, onUnsent }: Sending,
  draft: (source: Source) => Promise<PieceDraft>,
): AsyncGenerator<PieceDraft> {
  for (const [source, given] of sources.entries()) {
    let piece: PieceDraft;
    try {
      piece = await draft(given);
    } catch (error) {
      if (!onUnsent || signal.aborted) throw error;
      onUnsent(source, error);
      continue;
    }
    yield { ...piece, source };
  }
}

/** The workers' result for each book, in order; for a book that could not be sent, the error in its place. */
export async function* outcomesFrom(
  results: AsyncIterable<unknown>,
  unsent: ReadonlyMap<number, unknown>,
): AsyncGenerator<{ readonly error: unknown } | Extract<BookOutcome, { kind: "judged" }>> {
  let source = 0;
  const notSent = function* () {
    for (; unsent.has(source); source++) yield { error: unsent.get(source) };
  };
  for await (const result of results) {
    yield* notSent();
    source += 1;
    if (result instanceof PieceSetAside) yield { error: result.error };
    else
      for (const outcome of outcomesSchema.parse(result))
        yield outcome.kind === "judged" ? outcome : { error: new FabulaError(outcome.code, outcome.reason) };
  }
  yield* notSent();
}

/** Hands out what workers judged, and ends their run. Nothing is asked, and no book is read again. */
export function assembleJudged(
  outcomes: ReturnType<typeof outcomesFrom>,
  { settings, services }: { readonly settings: RunSettings; readonly services: RunServices },
  hand: (outcome: BookEvaluation | { readonly error: unknown }) => Promise<void>,
): Promise<RunOutcome<null>> {
  return inRun(settings, services, async (run) => {
    const archive = new DraftArchive(run);
    for await (const outcome of outcomes) {
      if (!("error" in outcome) && outcome.draft !== null) await archive.list(outcome.draft);
      await hand("error" in outcome ? outcome : outcome.evaluation);
    }
    return null;
  });
}
