import { readFile } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import { jsonLines } from "../../core/json-lines.ts";
import { loadRubric, rubricOf } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { type JudgeInstructions, OWN_PRESENTATION, PAPER_PRESENTATION, selectCriteria } from "../../judge/material.ts";
import type { MethodName } from "../../judge/methods/method.ts";
import {
  type Outline,
  outlineSubject,
  parseOutline,
  type Subject,
  type SummarisedBook,
  summarisedBook,
  summarisedBookSchema,
  type WholeBookOptions,
  wholeBook,
} from "../../judge/subjects.ts";
import { maskBook, maskTexts } from "../../judge/suspicion/mask-suspicions.ts";
import { closeSubject } from "../../letter/close-letter.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type PromptLanguage, promptLanguage } from "../../prompts/load-prompt.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import { type CloseReadingOptions, countedAbout } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import { detectLanguage } from "../../text/language.ts";
import { type BookReadOptions, readBook } from "../../text/read-book.ts";
import type { EvaluateInput } from "../define/judge-fields.ts";
import { distinctivePassages } from "./compare-with-jury.ts";

/**
 * What to judge: a file that holds a book, a book that was already read, rows of books with existing summaries, or
 * outlines.
 */
export type JudgedInput =
  | { readonly kind: "books"; readonly files: readonly string[]; readonly reading?: BookReadOptions }
  | { readonly kind: "read"; readonly books: readonly Book[] }
  | { readonly kind: "opened"; readonly sources: readonly UnopenedBook[] }
  | { readonly kind: "summaries"; readonly file: string }
  | {
      readonly kind: "outlines";
      readonly files: readonly string[];
      /** The contents of the files, in order, when another machine judges them and cannot read the files. */
      readonly texts?: readonly (string | undefined)[];
    };

/** A book that is read when its turn comes. */
export interface UnopenedBook {
  readonly name: string;
  open(): Promise<Book>;
}

/** How a text is presented to a judge. */
export interface PresentationOptions
  extends Partial<
    Pick<EvaluateInput, "depth" | "definitions" | "protocol" | "segmentWords" | "temperature" | "rubric">
  > {
  readonly method: MethodName;
  /** What the reading of an earlier draft says about the claims on this one. */
  readonly known?: CloseReadingOptions["known"];
  readonly aspects?: readonly string[];
  readonly bySegment?: boolean;
  /**
   * `paper`: cuts and shows the text as LongStoryEval does. A trained model is always shown a book as in its
   * training.
   */
  readonly presentation?: "paper";
  /** The user's own prompts; by default those that ship. */
  readonly prompts?: PromptSource;
  readonly services: { readonly signal: AbortSignal };
}

/** LongStoryEval repeats five times at temperature zero. Here some spread is wanted, because the intervals show it. */
export const TEMPERATURE = 0.7;
/** Aspects are shown in the language of the prompt; the user's own rubric is shown unchanged. */
type Rubrics = Readonly<Record<PromptLanguage, Rubric>>;

async function loadRubrics(name: string | Rubric = "long-story"): Promise<Rubrics> {
  const en = await rubricOf(name);
  return { en, zh: name === "long-story" ? await loadRubric("long-story-zh") : en };
}

/** Callbacks while a book is judged. */
type SubjectListeners = Pick<WholeBookOptions, "onSummarised" | "onSegment"> &
  Pick<CloseReadingOptions, "onStep" | "onFound">;

/** A subject for each judge of the panel; they share the book's summary. */
export interface Job {
  readonly book: Book;
  subjectFor(summariser: ChatModel, listeners: SubjectListeners): Subject;
  readonly instructions: JudgeInstructions;
  /** The same job with passages masked that address the judge. */
  masked(): Promise<Job>;
}

/** One thing to judge that has not been read yet. */
export interface UnopenedJob {
  readonly file: string;
  open(): Promise<Job>;
}

export interface Jobs {
  /** Null when the number is known only at the end. */
  readonly total: number | null;
  readonly jobs: Iterable<UnopenedJob> | AsyncIterable<UnopenedJob>;
}

/** Opens the subjects to judge one by one, so that a collection of novels is never in memory at once. */
export async function openJobs(input: JudgedInput, options: PresentationOptions): Promise<Jobs> {
  const rubrics = await loadRubrics(options.rubric);
  // An unknown aspect is wrong for every book, so it is refused before the first one is read.
  for (const rubric of Object.values(rubrics)) selectCriteria(rubric, options.aspects ?? null);
  const instructionsFor = (language: string | null) => instructionsIn(language, rubrics, options);
  const bookJob = async (book: Book): Promise<Job> => {
    const instructions = instructionsFor(book.language);
    // Only a judge that works from a summary is shown excerpts.
    const distinctiveness =
      options.method === "summary" ? await distinctivePassages(book, options.services.signal) : null;
    return {
      book,
      instructions,
      masked: () => bookJob(maskBook(book)),
      subjectFor: (summariser, { onStep, onFound, ...listeners }) => {
        if (options.method === "close")
          return closeSubject(book, {
            instructions,
            depth: options.depth ?? "quick",
            ...countedAbout(book),
            ...(options.known && { known: options.known }),
            ...(onStep && { onStep }),
            ...(onFound && { onFound }),
          });
        return wholeBook(book, {
          method: options.method,
          instructions,
          summariser,
          bySegment: options.bySegment ?? false,
          ...(options.segmentWords === undefined ? {} : { segmentWords: options.segmentWords }),
          distinctiveness,
          signal: options.services.signal,
          ...listeners,
        });
      },
    };
  };
  const rowJob = (row: SummarisedBook): Job => {
    const instructions = instructionsFor(row.language ?? detectLanguage(row.plot_summary));
    const subject = summarisedBook(row, instructions);
    return { book: subject.book, instructions, subjectFor: () => subject, masked: async () => rowJob(maskTexts(row)) };
  };
  const outlineJob = (outline: Outline, file: string): Job => {
    const language = detectLanguage(outline.plot);
    const instructions = instructionsFor(language);
    const subject = outlineSubject(outline, file, language, instructions);
    const masked = async () => outlineJob(maskTexts(outline), file);
    return { book: subject.book, instructions, subjectFor: () => subject, masked };
  };
  switch (input.kind) {
    case "books":
      return jobsOf(
        input.files,
        (file) => file,
        async (file) => bookJob(await readBook(file, input.reading)),
      );
    case "read":
      return jobsOf(input.books, ({ source }) => source.file, bookJob);
    case "opened":
      return jobsOf(
        input.sources,
        ({ name }) => name,
        async (source) => bookJob(await source.open()),
      );
    case "summaries":
      return {
        total: input.file === "-" ? null : await countRows(input.file),
        jobs: eachRow(jsonLines(input.file, summarisedBookSchema), rowJob),
      };
    case "outlines":
      return jobsOf(
        [...input.files.entries()],
        ([, file]) => file,
        async ([index, file]) => outlineJob(parseOutline(input.texts?.[index] ?? (await readText(file)), file), file),
      );
    default:
      return input satisfies never;
  }
}

/**
 * Reads every row before the first is paid for, so that a broken one is found in time. Standard input can be read
 * only once.
 */
async function countRows(file: string): Promise<number> {
  let count = 0;
  for await (const _row of jsonLines(file, summarisedBookSchema)) count += 1;
  return count;
}

function jobsOf<Item>(
  items: readonly Item[],
  fileOf: (item: Item) => string,
  open: (item: Item) => Promise<Job>,
): Jobs {
  return { total: items.length, jobs: items.map((item) => ({ file: fileOf(item), open: () => open(item) })) };
}

async function* eachRow(rows: AsyncIterable<SummarisedBook>, open: (row: SummarisedBook) => Job) {
  for await (const row of rows) yield { file: row.id, open: async () => open(row) };
}

function instructionsIn(
  bookLanguage: string | null,
  rubrics: Rubrics,
  options: PresentationOptions,
): JudgeInstructions {
  const language = promptLanguage(bookLanguage);
  const rubric = rubrics[language];
  return {
    rubric,
    criteria: selectCriteria(rubric, options.aspects ?? null),
    definitions: options.definitions ?? true,
    language,
    temperature: options.temperature ?? TEMPERATURE,
    ...(options.protocol !== undefined && { protocol: options.protocol }),
    ...presentationOf(options),
    ...(options.prompts && { prompts: options.prompts }),
  };
}

/** The presentation is recorded only if it is not Fabula's own. */
function presentationOf({ presentation, protocol }: PresentationOptions): Pick<JudgeInstructions, "presentation"> {
  if (presentation === "paper") return { presentation: PAPER_PRESENTATION };
  if (protocol !== "novelcritique") return {};
  return { presentation: { ...OWN_PRESENTATION, excerpts: "one chapter", genres: PAPER_PRESENTATION.genres } };
}

export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_NOT_FOUND", `There is no file ${file}: check the path.`, { cause });
  }
}
