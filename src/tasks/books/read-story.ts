import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { type FinishedRun, inRun, type RunOutcome } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { askBook, type BookAnswer } from "../../story/ask-book.ts";
import { readStoryAlone, type StoryReading } from "../../story/close-reading.ts";
import { type CloseReadingOptions, countedAbout, withContext } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import { type BookInput, bookReadOptions, type CloseInput, runSettingsOf } from "../define/shared-fields.ts";
import type { TaskServices } from "../define/task.ts";
import { keptCharactersIn, openBook } from "./open-book.ts";

type StoryInput = CloseInput & Parameters<typeof bookReadOptions>[0] & { readonly book: BookInput };

/** What every run about one book records. */
interface AboutBook {
  readonly book: {
    readonly title: string;
    readonly author: string | null;
    readonly words: number;
    readonly chapters: number;
  };
  readonly judge: string;
  readonly depth: CloseReadingOptions["depth"];
  readonly calls: number;
  /** US dollars, null when no price is known. */
  readonly cost: number | null;
  /** For a dry run, the plan: nothing was sent, and the rest is empty. */
  readonly plan: Plan | null;
  readonly run: FinishedRun;
}

export interface BookStory extends AboutBook, Omit<StoryReading, "story"> {
  readonly story: StoryReading["story"] | null;
}

export interface AnsweredQuestion extends AboutBook {
  readonly question: string;
  /** Null if the model gave none. */
  readonly answer: BookAnswer | null;
  readonly reason: string | null;
}

/** The story of a book as a language model reads it, with every quotation checked against the text. */
export async function storyOfBook(input: StoryInput, services: TaskServices): Promise<BookStory> {
  const { value, ...about } = await aboutBook(input, services, readStoryAlone);
  return { ...about, ...value, story: about.plan ? null : value.story };
}

/** Answers a question about a book from its text. */
export async function answerFromBook(
  { question, ...input }: StoryInput & { readonly question: string },
  services: TaskServices,
): Promise<AnsweredQuestion> {
  const { value, ...about } = await aboutBook(input, services, (book, options, signal) =>
    askBook(book, question, options, signal),
  );
  const isAnswered = value.kind === "answered" && !about.plan;
  return {
    ...about,
    question,
    answer: isAnswered ? value.value : null,
    reason: value.kind === "unanswered" ? value.reason : null,
  };
}

async function aboutBook<Value>(
  { book: source, ...input }: StoryInput,
  services: TaskServices,
  work: (book: Book, options: CloseReadingOptions, signal: AbortSignal) => Promise<Value>,
): Promise<AboutBook & { value: Value }> {
  const { host, signal } = services;
  requireModel(input.judge);
  const book = await openBook(source, {
    ...bookReadOptions(input),
    ...(host.library !== undefined && { keptCharacters: keptCharactersIn(host.library) }),
    ...(host.stdin && { stdin: host.stdin }),
  });
  const { result, judge, plan, run } = await withReader(input, services, (optionsFor) =>
    work(book, optionsFor(book), signal),
  );
  return {
    book: { title: book.title, author: book.author, words: book.words, chapters: book.chapters.length },
    judge,
    depth: input.depth,
    calls: run.summary.calls,
    ...costFields(run.summary),
    plan,
    run,
    value: result,
  };
}

function requireModel(judge: CloseInput["judge"]): void {
  if (typeof judge === "string" && isOfTheJury(judge)) {
    throw new FabulaError(
      "E_USAGE",
      `Reading a story takes a language model, and ${judge} is an embedded judge: name a model, such as openai:gpt-4.1.`,
    );
  }
}

/** Opens a run for a task and calls its work with a model that reads closely. */
export async function withReader<Value>(
  { judge, depth, context, temperature, ...input }: CloseInput,
  { signal, onProgress, onEvent, host, byHand }: TaskServices,
  work: (optionsFor: (book: Book) => CloseReadingOptions) => Promise<Value>,
): Promise<RunOutcome<Value> & { readonly judge: string }> {
  requireModel(judge);
  let id = "";
  const outcome = await inRun(
    runSettingsOf(input, host),
    { signal, onEvent, ...(byHand && { byHand }) },
    async (opened) => {
      const model = withContext(await opened.model(judge), context);
      id = model.id;
      return work((book) => readingOptions(book, { model, temperature, depth, onProgress }));
    },
  );
  return { ...outcome, judge: id };
}

export function readingOptions(
  book: Book,
  {
    onProgress,
    ...reader
  }: Pick<CloseReadingOptions, "model" | "temperature" | "depth"> & Pick<TaskServices, "onProgress">,
): CloseReadingOptions {
  return {
    ...reader,
    language: promptLanguage(book.language),
    sample: 0,
    ...countedAbout(book),
    onStep: (stage, done, total) => onProgress({ stage, done, total }),
  };
}
