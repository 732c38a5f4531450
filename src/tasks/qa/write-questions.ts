import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { estimateTokens } from "../../core/estimate-tokens.ts";
import { writeWholeFile } from "../../core/files.ts";
import { groupBy } from "../../core/group-by.ts";
import { sha256 } from "../../core/hash.ts";
import { checkJsonLinesName, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { fabulaVersion } from "../../core/version.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { bookText, segmentText } from "../../judge/material.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { QaDocument, Question } from "../../qa/dataset/document.ts";
import { stepsAfter, writeSteps } from "../../qa/dataset/steps.ts";
import { removeDuplicates } from "../../qa/refinement.ts";
import {
  checkedProposal,
  checkWritten,
  type ProposedQuestion,
  questionCard,
  questionsAboutBook,
  questionsAboutPart,
  type WrittenQuestion,
} from "../../qa/writing.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { type FinishedRun, inRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { QuotationCheck } from "../../story/locate.ts";
import { withContext } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import { segmentBook } from "../../text/segments.ts";
import { openBook } from "../books/open-book.ts";
import { type BookInput, bookReadOptions, runSettingsOf } from "../define/shared-fields.ts";
import type { TaskServices } from "../define/task.ts";

type ReadingInput = Parameters<typeof bookReadOptions>[0];
export type ModelInput = Parameters<typeof runSettingsOf>[0] &
  ReadingInput & { readonly book: BookInput; readonly judge: string | ChatModel; readonly context?: number };
type WriteInput = ModelInput & {
  readonly count: number;
  readonly out?: string;
  readonly dropped?: string;
  readonly withoutKnown: boolean;
};

export interface LeftOutQuestion {
  readonly question: string;
  readonly reason: string;
}

export interface WrittenQuestions {
  /** The book with its questions, in the shape of LiteraryQA. */
  readonly document: QaDocument;
  /** How many questions were requested. */
  readonly asked: number;
  /** What was left out, with reasons. */
  readonly dropped: readonly LeftOutQuestion[];
  /** Parts of the book about which the model gave no usable reply. */
  readonly unanswered: readonly { readonly part: string; readonly reason: string }[];
  /** Kept questions that the model also answers from the title alone, and how many could not be checked for this. */
  readonly known: number;
  readonly knownUnchecked: number;
}

export interface WrittenQuestionsReport extends WrittenQuestions {
  readonly judge: string;
  readonly calls: number;
  readonly cost: number | null;
  readonly plan: Plan | null;
  readonly run: FinishedRun;
}

/** Writes questions about a book in a run of its own, and the files with them. */
export async function writeQuestionsAbout(input: WriteInput, services: TaskServices): Promise<WrittenQuestionsReport> {
  for (const path of [input.out, input.dropped]) if (path !== undefined) checkJsonLinesName(path);
  const book = await openQuestionedBook(input, services);
  const { host, signal, onEvent, onProgress, byHand } = services;
  let judge = "";
  const { result, plan, run } = await inRun(
    runSettingsOf(input, host),
    { signal, onEvent, ...(byHand && { byHand }) },
    async (opened) => {
      const model = withContext(await opened.model(input.judge), input.context);
      judge = model.id;
      const { dryRun, concurrency } = opened;
      return writeQuestions(book, { dryRun, concurrency, model, count: input.count, onProgress, signal });
    },
  );
  const kept = input.withoutKnown ? withoutKnown(result) : result;
  if (!plan) await writeFiles(kept, judge, input);
  return { ...kept, judge, calls: run.summary.calls, ...costFields(run.summary), plan, run };
}

/** Opens the book if questions can be written about it: prompts and checks are in English. */
export async function openQuestionedBook(
  { book: source, ...input }: ModelInput,
  { host }: TaskServices,
): Promise<Book> {
  if (typeof input.judge === "string" && isOfTheJury(input.judge)) {
    throw new FabulaError(
      "E_USAGE",
      `Questions about a book take a language model, and ${input.judge} is an embedded judge: name a model, such as openai:gpt-4.1.`,
    );
  }
  const book = await openBook(source, { ...bookReadOptions(input), ...(host.stdin && { stdin: host.stdin }) });
  if (book.language !== null && book.language !== "en") {
    throw new FabulaError(
      "E_USAGE",
      `Questions are written about books in English, and this one seems to be in another language (${book.language}): give --language en if that is wrong.`,
    );
  }
  return book;
}

export interface WritingOptions {
  readonly model: ChatModel;
  readonly count: number;
  readonly dryRun: boolean;
  readonly concurrency: number;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** The share of questions about a single part; the others are about several chapters, some about the whole book. */
const LOCAL_SHARE = 0.6;
const WHOLE_SHARE = 0.15;
/** The similarity threshold, as in `qa dedupe`. */
const ALIKE = 0.9;
const REPLY_ROOM = 12_000;

/** Writes the questions, looks up their evidence, and keeps those that pass every check. */
export async function writeQuestions(book: Book, options: WritingOptions): Promise<WrittenQuestions> {
  const { model, dryRun, concurrency, onProgress, signal } = options;
  const title = book.title;
  const drafted = await draft(book, options);
  signal.throwIfAborted();
  const document = (qas: readonly Question[], summary: string): QaDocument => ({
    document_id: sha256(book.chapters.map(({ text }) => text).join("\n")).slice(0, 16),
    title,
    summary,
    qas: [...qas],
    metadata: { ...(book.author && { author: book.author }), words: book.words, chapters: book.chapters.length },
  });
  const { distinct, alike } = dryRun
    ? { distinct: drafted.questions, alike: [] }
    : withoutDuplicates(drafted.questions);
  const rubric = await loadRubric("qa-grading");
  let done = 0;
  const checked = await mapBounded(distinct, concurrency, async (written) => {
    const result = await checkWritten(written, { book, title, model, rubric, isPlan: dryRun }, signal);
    onProgress({ stage: "Checking questions", done: ++done, total: distinct.length });
    return result;
  });
  signal.throwIfAborted();
  const passed = checked.flatMap((one) => (one.kind === "kept" ? [one.question] : []));
  // Corrections may make two questions alike, so duplicates are removed a second time, as in LiteraryQA.
  const { documents, duplicates } = removeDuplicates([document(passed, "")], { threshold: dryRun ? 2 : ALIKE });
  const qas = documents[0]!.qas;
  return {
    document: document(qas, drafted.summary),
    asked: options.count,
    dropped: [
      ...drafted.dropped,
      ...alike,
      ...checked.flatMap((one) => (one.kind === "dropped" ? [{ question: one.written, reason: one.reason }] : [])),
      ...duplicates.filter(({ decision }) => decision === "remove").map(({ duplicate }) => asDuplicate(duplicate)),
    ],
    unanswered: drafted.unanswered,
    known: qas.filter(({ known }) => known === true).length,
    knownUnchecked: qas.filter(({ known }) => known === null).length,
  };
}

interface Drafted extends Pick<WrittenQuestions, "dropped" | "unanswered"> {
  readonly questions: readonly WrittenQuestion[];
  readonly summary: string;
}

/**
 * Drafts questions part by part and then about the whole: from its text if that fits, else from summaries of the
 * parts with their passages.
 */
async function draft(book: Book, options: WritingOptions): Promise<Drafted> {
  const { model, count, dryRun, concurrency, onProgress, signal } = options;
  const { title } = book;
  const segments = segmentBook(book);
  const local = Math.round(LOCAL_SHARE * count);
  const whole = Math.max(1, Math.round(WHOLE_SHARE * count));
  const across = Math.max(1, count - local - whole);
  const unanswered: { part: string; reason: string }[] = [];
  let done = 0;
  const step = () => onProgress({ stage: "Writing questions", done: ++done, total: segments.length + 1 });
  const parts = await mapBounded(segments, concurrency, async (segment, at) => {
    const share = (place: number) => Math.round((place * local) / segments.length);
    const part = segmentText(book, segment, "en");
    const answer = await questionsAboutPart(model, { title, part, count: share(at + 1) - share(at) }, signal);
    step();
    if (answer.kind === "answered") return answer.value;
    unanswered.push({ part: segment.title, reason: answer.reason });
    return null;
  });
  signal.throwIfAborted();
  const text = bookText(book, "en");
  const fits = model.contextTokens === null || estimateTokens(text) + REPLY_ROOM <= model.contextTokens;
  const material = fits
    ? { book: text }
    : {
        notes: notesOf(
          parts,
          segments.map((segment) => segment.title),
        ),
      };
  const about = await questionsAboutBook(model, { title, ...material, across, whole }, signal);
  step();
  if (about.kind === "unanswered") unanswered.push({ part: "the whole book", reason: about.reason });
  if (dryRun) return { questions: expectedQuestions(book, count), dropped: [], unanswered: [], summary: "" };

  const check = new QuotationCheck(book);
  const chapters = book.chapters.map(({ index }) => index);
  const proposed = [...parts, about.kind === "answered" ? about.value : null].flatMap((one) => one?.questions ?? []);
  const looked = proposed.map((one) => ({
    one,
    found: checkedProposal(one, (quoted) => check.locateAll(quoted), chapters),
  }));
  const summaries = parts.flatMap((part) => part?.summary.trim() || []);
  return {
    questions: looked.flatMap(({ found }) => ("reason" in found ? [] : [found])),
    dropped: looked.flatMap(({ one, found }) =>
      "reason" in found ? [{ question: one.question, reason: found.reason }] : [],
    ),
    unanswered,
    summary: (about.kind === "answered" && about.value.summary.trim()) || summaries.join("\n\n"),
  };
}

function notesOf(
  parts: readonly ({ readonly summary: string; readonly questions: readonly ProposedQuestion[] } | null)[],
  titles: readonly string[],
): string {
  return parts
    .map((part, at) => {
      const passages = part?.questions.flatMap(({ evidence }) => evidence) ?? [];
      const quoted = passages.map(({ chapter, quote }) => `[Chapter ${chapter}] “${quote}”`);
      return [titles[at], part?.summary ?? "(not read)", ...quoted].join("\n");
    })
    .join("\n\n");
}

function withoutDuplicates(questions: readonly WrittenQuestion[]) {
  const qas = questions.map(({ question, answers }) => ({
    question,
    answers: [...answers],
    is_question_modified: false,
    is_answer_modified: [],
  }));
  const { duplicates } = removeDuplicates([{ document_id: "", title: "", summary: "", qas }], { threshold: ALIKE });
  const removed = duplicates.filter(({ decision }) => decision === "remove").map(({ duplicate }) => duplicate);
  const times = groupBy(removed, (question) => question);
  // The later of two similar questions is removed; where the very same question appears twice, the first stays.
  const distinct = [...questions].reverse().filter(({ question }) => times.get(question)?.pop() === undefined);
  return { distinct: distinct.reverse(), alike: removed.map(asDuplicate) };
}

function asDuplicate(question: string): LeftOutQuestion {
  return { question, reason: "a duplicate of another question" };
}

/**
 * A plan has no questions to check yet; it assumes as many as requested, each with one passage, spread over the book.
 */
function expectedQuestions({ chapters }: Book, count: number): WrittenQuestion[] {
  return Array.from({ length: count }, (_, at): WrittenQuestion => {
    const { index, text } = chapters[Math.floor((at * chapters.length) / count)]!;
    const start = Math.floor(text.length * ((at * 0.37) % 0.8));
    const end = Math.min(text.length, start + 150);
    const evidence = [{ chapter: index, start, end, quote: text.slice(start, end) }];
    const question = `Question ${at + 1}: why does somebody do what is done there?`;
    const answers = ["because of what came before it", "what came before it is the reason"];
    return { question, answers, kind: "why", difficulty: "medium", scope: "local", evidence };
  });
}

function withoutKnown(result: WrittenQuestions): WrittenQuestions {
  const { qas } = result.document;
  const known = qas.filter((qa) => qa.known === true);
  return {
    ...result,
    document: { ...result.document, qas: qas.filter((qa) => qa.known !== true) },
    dropped: [
      ...result.dropped,
      ...known.map(({ question }) => ({ question, reason: "the model answers it from the title alone" })),
    ],
    known: 0,
  };
}

async function writeFiles(result: WrittenQuestions, judge: string, { out, dropped }: WriteInput): Promise<void> {
  if (dropped !== undefined) await writeJsonLines(dropped, result.dropped);
  if (out === undefined) return;
  const { document } = result;
  await writeJsonLines(out, [document]);
  if (out === "-") return;
  const losses = result.dropped.map(({ reason }) => ({ reason, documents: 0, questions: 1 }));
  const proposed = { ...document, qas: [...document.qas, ...losses.map(() => document.qas[0]!)] };
  await writeSteps(out, stepsAfter([], "written", [proposed], losses, [document]));
  await writeWholeFile(`${out}.card.md`, questionCard({ ...result, judge, version: fabulaVersion() }));
}
