import { z } from "zod";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { isStrength } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import { numberedRows, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { findingOf } from "../../letter/close-letter.ts";
import { letterFindings } from "../../letter/findings.ts";
import { type CheckedBook, checkBook } from "../../prose/checks/check-book.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { isIntended } from "../../story/author-says.ts";
import { type CloseReading, readClosely } from "../../story/close-reading.ts";
import type { CloseReadingOptions } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import { findBooks } from "../../text/files/find-books.ts";
import { detectLanguage } from "../../text/language.ts";
import { type PlaceInText, placesInText } from "../../text/places-in-text.ts";
import { type ReadOptions, readBookFromBytes } from "../../text/read-book.ts";
import { countWords } from "../../text/words.ts";
import type { BookInput, CloseInput } from "../define/shared-fields.ts";
import type { TaskServices } from "../define/task.ts";
import { fileOf, openBook } from "./open-book.ts";

export interface CheckedFile extends CheckedText {
  readonly file: string;
  readonly title: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly words: number;
  readonly chapters: number;
}

export interface CheckResult {
  readonly books: readonly CheckedFile[];
  /** Books that could not be read, each with the reason in a sentence; the others are still checked. */
  readonly failed: readonly { readonly file: string; readonly reason: string }[];
  /** For a dry run with a model: what it would ask and cost. */
  readonly plan?: Plan;
}

export interface CheckBooksOptions extends ReadOptions {
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** Reads every book and checks it. */
export async function checkBooks(
  given: readonly BookInput[],
  options: CheckBooksOptions,
  check: Check,
): Promise<CheckResult> {
  const { onProgress, signal, ...readOptions } = options;
  const found = await findBooks(given.filter((source) => typeof source === "string"));
  const sources = [...found.files, ...given.filter((source) => typeof source !== "string")];
  const books: CheckedFile[] = [];
  const failed = [...found.failed];
  for (const [done, source] of sources.entries()) {
    signal.throwIfAborted();
    onProgress({ stage: "Checking", done, total: sources.length, note: fileOf(source) });
    try {
      const book = await openBook(source, readOptions);
      const { title, author, language, words, chapters } = book;
      const checked = await check(book);
      books.push({ file: fileOf(source), title, author, language, words, chapters: chapters.length, ...checked });
    } catch (error) {
      if (!(error instanceof FabulaError) || sources.length === 1) throw error;
      failed.push({ file: fileOf(source), reason: error.message });
    }
  }
  return { books, failed };
}

export interface CheckTextsRequest {
  /** A JSONL file of `{"id","text"}`; `-` is standard input. */
  readonly input: string;
  /** Null for a dry run, which writes nothing. */
  readonly output: string | null;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

const rowSchema = z.object({ id: z.union([z.string(), z.number()]), text: z.string() });

/** Checks texts one line at a time, each read as a book of its own; offsets count from the start of the text. */
export async function checkTexts({ input, output, signal, onProgress }: CheckTextsRequest, check: Check) {
  let texts = 0;
  let findings = 0;
  let missing = 0;
  async function* rows() {
    const lines = new Map<string | number, number>();
    for await (const { number, row } of numberedRows(input, rowSchema)) {
      signal.throwIfAborted();
      const { id, text } = row;
      const before = lines.get(id);
      if (before !== undefined)
        throw new FabulaError(
          "E_JSONL_LINE",
          `Lines ${before} and ${number} of "${input}" have the same id, "${id}": give each text an id of its own.`,
        );
      lines.set(id, number);
      const { book, placeOf } = await bookOfText(String(id), text, signal);
      const { findings: inChapters, notTried, unanswered = [] } = await check(book);
      const found = inChapters.map((finding) => ({
        ...finding,
        passages: finding.passages.flatMap((passage) => {
          const place = placeOf(passage.chapter, passage);
          return place ? [{ chapter: passage.chapter, ...place, quote: text.slice(place.start, place.end) }] : [];
        }),
      }));
      yield {
        id,
        findings: found,
        ...(notTried.length > 0 && { notTried }),
        ...(unanswered.length > 0 && { unanswered }),
      };
      findings += found.length;
      missing += unanswered.length;
      onProgress({ stage: "Checking", done: ++texts, total: null });
    }
    if (texts === 0)
      throw new FabulaError("E_EMPTY", `"${input}" holds no texts: give one {"id","text"} on each line.`);
  }
  if (output !== null) await writeJsonLines(output, rows());
  else for await (const _row of rows());
  return { texts, findings, ...(missing > 0 && { unanswered: missing }) };
}

/** The text read as a book, or as one chapter if the book's chapters cannot be located in the text. */
async function bookOfText(
  title: string,
  text: string,
  signal: AbortSignal,
): Promise<{ book: Book; placeOf: PlaceInText }> {
  try {
    const book = await readBookFromBytes(new TextEncoder().encode(text), `${title}.txt`, { format: "text", signal });
    const placeOf = placesInText(text, book);
    if (placeOf) return { book, placeOf };
  } catch (error) {
    // The text is not a book, for example because it has no words.
    if (!(error instanceof FabulaError)) throw error;
  }
  const words = countWords(text);
  const book = {
    title,
    author: null,
    language: detectLanguage(text),
    genres: [],
    premise: null,
    chapters: [{ index: 1, title: null, text, words }],
    words,
    removed: [],
    warnings: [],
    source: { file: title, format: "text", encoding: "utf-8", bytes: text.length, sha256: sha256(text) },
  };
  return { book, placeOf: (_chapter, { start, end }) => ({ start, end }) };
}

/** What was found in a text, by rules alone or also by a model. */
export interface CheckedText extends CheckedBook {
  /** Questions to which the model gave no usable answer, so these problems were not looked for. */
  readonly unanswered?: CloseReading["unanswered"];
}

export type Check = (book: Book) => Promise<CheckedText>;

export interface Checking<Result> {
  readonly result: Result;
  /** Who read the text and what it cost, if a model did. */
  readonly model: {
    readonly judge: string;
    readonly depth: CloseReadingOptions["depth"];
    readonly calls: number;
    readonly cost: number | null;
  } | null;
  readonly plan: Plan | null;
  readonly run: FinishedRun | null;
}

/** Checks with rules alone, or inside a run with a model that reads closely. */
export async function checking<Result>(
  { judge, ...input }: Omit<CloseInput, "judge"> & { readonly judge?: CloseInput["judge"] },
  services: TaskServices,
  work: (check: Check) => Promise<Result>,
): Promise<Checking<Result>> {
  if (judge === undefined) {
    const result = await work(async (book) => checkedByCode(book));
    return { result, model: null, plan: null, run: null };
  }
  const { withReader } = await import("./read-story.ts");
  const read = await withReader({ ...input, judge }, services, (optionsFor) =>
    work((book) => checkClosely(book, optionsFor(book), services.signal)),
  );
  const { result, plan, run } = read;
  const model = { judge: read.judge, depth: input.depth, calls: run.summary.calls, ...costFields(run.summary) };
  return { result, model, plan, run };
}

/** What the rules find, ignoring what the author marked as intended. */
function checkedByCode(book: Book): CheckedBook {
  const checked = checkBook(book);
  return { ...checked, findings: checked.findings.filter((finding) => !isIntended(finding, book)) };
}

/**
 * Combines what a model found with what the rules found; where both report the same thing, the model's words are
 * kept.
 */
export async function checkClosely(
  book: Book,
  options: CloseReadingOptions,
  signal: AbortSignal,
): Promise<CheckedText> {
  const { claims, unanswered } = await readClosely(book, options, signal);
  const counted = checkedByCode(book);
  const read = claims.map(findingOf).filter((finding) => !isStrength(finding));
  return { ...counted, findings: letterFindings(read, counted.findings), ...(unanswered.length > 0 && { unanswered }) };
}
