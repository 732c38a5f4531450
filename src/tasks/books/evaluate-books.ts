import { isDeepStrictEqual } from "node:util";
import { FabulaError } from "../../core/errors.ts";
import { numberedLines } from "../../core/json-lines.ts";
import { readTable } from "../../core/table/read-table.ts";
import { countOf } from "../../core/wording.ts";
import { rubricText } from "../../criteria/load-rubric.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { PAPER_PRESENTATION } from "../../judge/material.ts";
import { METHOD_NAMES, type MethodName } from "../../judge/methods/method.ts";
import { type Population, placeInPopulation } from "../../judge/population.ts";
import type { EvaluationSettings } from "../../judge/settings.ts";
import { JURY } from "../../jury/juror.ts";
import { isCloudProvider } from "../../models/adapters/clouds.ts";
import { ownPrompts } from "../../prompts/own-prompts.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { plainLine } from "../../report/markup.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import { bothPlans, type Plan } from "../../runner/planning.ts";
import type { Book } from "../../text/book.ts";
import { findBooks } from "../../text/files/find-books.ts";
import type { BookReadOptions } from "../../text/read-book.ts";
import { planWithoutModels } from "../define/asked.ts";
import { type EvaluateInput, judgesOf, type OneJudge } from "../define/judge-fields.ts";
import { type BookInput, bookReadOptions, defined, runServicesOf, runSettingsOf } from "../define/shared-fields.ts";
import { runShared, type Sharing, settingsWithoutModels, sharesWork } from "../define/shared-work.ts";
import { profileFrom, type TaskServices } from "../define/task.ts";
import { type Calibration, isFileOfLines, isTable, onPeoplesScale, readCalibration } from "../trust/calibration.ts";
import { idsOf, textIn } from "../trust/trust-judges.ts";
import type { DraftOptions } from "./drafts/judge-draft.ts";
import { checkAspects, evaluateBook } from "./evaluate-book.ts";
import type { JudgedInput, JudgeOptions } from "./judge-books.ts";
import { type FailedBook, fileOf, keptCharactersIn, openBook, openOrReport } from "./open-book.ts";
import { readPopulation, readReference } from "./population.ts";
import { savedSettings } from "./read-evaluations.ts";

/** One book of several: its evaluation, or the reason why there is none. */
export type EvaluatedBook =
  | { readonly kind: "evaluated"; readonly source: BookInput; readonly evaluation: BookEvaluation }
  | {
      readonly kind: "failed";
      readonly source: BookInput;
      readonly error: unknown;
      readonly failed: FailedBook;
    };

export interface Evaluations {
  /** In the order of the input; empty if each book was handed out as soon as it was ready. */
  readonly books: readonly EvaluatedBook[];
  /** Evaluations of the calibration's pinned texts, judged again in this run to detect drift. */
  readonly pinned: readonly BookEvaluation[];
  /** For a dry run, the plan: nothing was sent. */
  readonly plan: Plan | null;
  /** For a dry run of an embedded judge, what it would do. */
  readonly plannedWork: string | null;
  readonly run: FinishedRun | null;
  /** Whether the work was queued for workers of a shared store. */
  readonly isQueued: boolean;
}

interface Work {
  readonly input: EvaluateInput;
  readonly readOptions: BookReadOptions;
  readonly reader: ReaderProfile | undefined;
  readonly services: TaskServices;
  readonly calibration: Calibration | undefined;
  hand(book: EvaluatedBook): void | Promise<void>;
}

const NOTHING = { plan: null, plannedWork: null, run: null, isQueued: false };

/**
 * The paper's runs and segments are the defaults. Its temperature is not, because the intervals come from the spread
 * of the runs.
 */
const PAPER_TEMPERATURE = 0;
const DEFAULT_RUNS = 5;
const MOST_RUNS_UNTIL = 20;

/** Evaluates books in order; one that cannot be read does not stop the others. */
export async function evaluateBooks(given: EvaluateInput, services: TaskServices): Promise<Evaluations> {
  const input = await withTexts(given.like === undefined ? given : inputLike(await savedSettings(given.like), given));
  if (input.books.length === 0 && input.in === undefined)
    throw new FabulaError("E_USAGE", "There is no book to evaluate: give at least one.");
  const judges = judgesOf(input);
  const { host, onItem } = services;
  const books: EvaluatedBook[] = [];
  const calibration = input.calibration === undefined ? undefined : await readCalibration(input.calibration);
  const hand = onItem ?? ((book: EvaluatedBook) => void books.push(book));
  const work: Work = {
    input,
    services,
    readOptions: {
      ...bookReadOptions(input),
      ...(host.library !== undefined && { keptCharacters: keptCharactersIn(host.library) }),
    },
    reader: input.reader === undefined ? undefined : await profileFrom({ ...input, reader: input.reader }, host),
    calibration,
    hand: (book) =>
      hand(
        calibration && book.kind === "evaluated"
          ? { ...book, evaluation: onPeoplesScale(book.evaluation, calibration) }
          : book,
      ),
  };
  if (judges.kind === "embedded") return { books, pinned: [], ...NOTHING, ...(await withJury(judges.name, work)) };
  if (isByHand(judges.models) && !input.dryRun && services.onQuestions) {
    const quiet = { ...services, signal: services.signal, onProgress: () => {}, onEvent: () => {} };
    const { resume: _resume, ...asked } = input;
    const planned = { ...work, input: { ...asked, dryRun: true }, services: quiet, hand: () => {} };
    const { plan } = await withModels(judges.models, planned);
    if (plan) services.onQuestions(plan);
  }
  const ended = await withModels(judges.models, work);
  const again = ended.isQueued ? null : await judgePinned(judges.models, work, ended.run?.summary.cost ?? 0);
  const plan = ended.plan && again?.plan ? bothPlans(ended.plan, again.plan) : (ended.plan ?? null);
  return { books, pinned: again?.evaluations ?? [], ...NOTHING, ...ended, plan };
}

/** Reads a table that contains the texts themselves: each is judged whole, in one request, under its id. */
async function withTexts(input: EvaluateInput): Promise<EvaluateInput> {
  const { in: file, ...others } = input;
  if (file === undefined || file === "-" || !(await holdsTexts(file))) return input;
  const table = await readTable(file);
  const [ids, texts] = [idsOf(table, undefined), table.rows.map(textIn)];
  // If each row is one person's rating, a text appears in several rows.
  const books = new Map(ids.flatMap((id, at) => (texts[at] === null ? [] : [[id, texts[at]!] as const])));
  if (books.size === 0) {
    throw new FabulaError(
      "E_TABLE_COLUMN",
      `"${file}" has no texts to judge: a column \`text\` is needed. It has ${table.columns.slice(0, 30).join(", ")}.`,
    );
  }
  return {
    ...others,
    books: [...books].map(([name, text]) => ({ name, text })),
    method: input.method ?? "one-pass",
    letter: input.letter ?? false,
  };
}

/** Whether a file of lines holds texts; its lines may hold summaries of books instead. */
async function holdsTexts(file: string): Promise<boolean> {
  if (!isFileOfLines(file)) return true;
  for await (const { line } of numberedLines(file)) {
    const row: unknown = parsedLine(line);
    return typeof row === "object" && row !== null && !("plot_summary" in row) && textIn({ ...row }) !== null;
  }
  return false;
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Judges the calibration's pinned texts again, ignoring stored answers, within what is left of the budget. */
async function judgePinned(models: readonly OneJudge[], work: Work, spent: number) {
  const { calibration, input } = work;
  const path = calibration?.pinned;
  if (path === undefined || !input.pinned || input.against !== undefined) return null;
  const left = input.maxCost === undefined ? undefined : input.maxCost - spent;
  if (left !== undefined && left <= 0) return null;
  const evaluations: BookEvaluation[] = [];
  const { in: _in, reader: _reader, resume: _resume, ...asked } = input;
  const { plan = null } = await withModels(models, {
    ...work,
    input: await withTexts({
      ...asked,
      ...(isTable(path) ? { in: path, books: [] } : { books: [...(await findBooks([path])).files] }),
      ...defined({ maxCost: left }),
      refresh: true,
      letter: false,
      maskInjection: false,
    }),
    reader: undefined,
    hand: (book) => {
      if (book.kind === "evaluated") evaluations.push(onPeoplesScale(book.evaluation, calibration!));
    },
  });
  return { evaluations, plan };
}

/** Applies the settings of a saved evaluation; all other options stay as given. */
function inputLike(saved: EvaluationSettings, given: EvaluateInput): EvaluateInput {
  const { judges, temperature, summariser, rubric, untilHalfWidth, segmentWords } = saved;
  const isByModel = temperature !== null;
  // Embedded judges have no choice of method, and neither have outlines.
  const method = METHOD_NAMES.find((name) => name === saved.method);
  const isOwnRubric = rubric.id !== "long-story" && rubric.id !== "long-story-zh";
  return {
    ...given,
    judge: judges.length === 1 ? judges[0]! : isByModel ? judges : JURY,
    aspects: saved.aspects,
    chapterSummaries: saved.chapterSummaries,
    definitions: !isByModel || saved.definitions,
    ...(method && { method }),
    ...(saved.protocol === "novelcritique" && { protocol: saved.protocol }),
    ...(given.rubric === undefined && isOwnRubric && { rubric: rubric.id }),
    ...(isByModel && { temperature, runs: saved.runs }),
    ...(summariser !== null && summariser !== judges[0] && { summariser }),
    ...(segmentWords !== null && { segmentWords }),
    ...(untilHalfWidth !== null && { untilHalfWidth }),
    ...(isDeepStrictEqual(saved.presentation, PAPER_PRESENTATION) && { preset: "paper" as const }),
  };
}

/**
 * Uses the embedded judges. Each book is handed out as soon as it is ready; from workers of a shared store all come
 * together.
 */
async function withJury(judge: string, work: Work): Promise<Partial<Evaluations>> {
  const { input, readOptions, reader, services, hand } = work;
  const { signal, onProgress } = services;
  const { aspects, allNotes, maskInjection, against } = input;
  if (aspects) await checkAspects(aspects);
  if (input.dryRun) return planOfJury(work);
  const options = {
    judge,
    ...readOptions,
    allNotes,
    maskInjection,
    ...defined({ aspects, reader, against, story: await storyOf(input) }),
    ...(input.reference !== undefined && { reference: await readReference(input.reference) }),
    onProgress,
    signal,
  };
  // Personal verdicts and comparisons are computed here, because profiles, earlier files and references are on this
  // machine.
  const isHere = [reader, against, input.reference].some(Boolean) || allNotes;
  const settings = settingsWithoutModels(isHere ? { ...input, store: undefined } : input, services);
  if (!sharesWork(settings, services)) {
    for (const source of input.books) {
      const evaluation = await opened(source, () => evaluateBook(source, options), work);
      if (evaluation) await hand({ kind: "evaluated", source, evaluation });
    }
    return {};
  }
  const { outcomesFrom, piecesOfBooks } = await import("../jobs/books.ts");
  const unsent = new Map<number, unknown>();
  const job = {
    kind: "evaluate-book" as const,
    options: { judge, aspects: aspects ?? null, maskInjection },
    models: [],
    pieces: piecesOfBooks(input.books, readOptions, sendOptions(work, unsent)),
  };
  const isDone = await runShared(settings, services, job, async (shared) => {
    const handOut = handOutBooks(work);
    for await (const outcome of outcomesFrom(shared.results(), unsent))
      await handOut("error" in outcome ? outcome : outcome.evaluation);
    return true;
  });
  return { isQueued: isDone === null };
}

/** Reads the books without judging them, so that one that cannot be read is reported now. */
async function planOfJury(work: Work): Promise<Partial<Evaluations>> {
  const found: Book[] = [];
  for (const source of work.input.books) {
    const book = await opened(source, () => openBook(source, work.readOptions), work);
    if (book) found.push(book);
  }
  const { plan, plannedWork: sentence } = await planWithoutModels(booksInWords(found));
  return { plan, plannedWork: sentence };
}

/** Says what an embedded judge would do with these books. */
export function booksInWords(books: readonly Book[]): string {
  const named = books.map(({ title, chapters }) => `“${plainLine(title)}” (${countOf(chapters.length, "chapter")})`);
  return `read ${countOf(books.length, "book")}, ${named.join(", ")}`;
}

/** A book, or null if it cannot be read and was handed out as a failure. */
function opened<Opened>(source: BookInput, open: () => Promise<Opened>, { services, hand }: Work) {
  return openOrReport(
    fileOf(source),
    open,
    (failed, error) => hand({ kind: "failed", source, error, failed }),
    services.signal,
  );
}

async function storyOf({ story }: EvaluateInput) {
  if (typeof story !== "string") return story;
  const { readStoryFile } = await import("./described-story.ts");
  return readStoryFile(story);
}

/** Has language models judge books, summaries of books or outlines. */
async function withModels(models: readonly OneJudge[], work: Work): Promise<Partial<Evaluations>> {
  const { input, readOptions, reader, services } = work;
  const { summariser, rubric, segmentWords, depth, untilHalfWidth, preset, protocol, aspects, definitions } = input;
  const settings = runSettingsOf(input, services.host);
  const common = {
    ...defined({ summariser, rubric, segmentWords, depth, contextTokens: input.context }),
    ...defined({
      temperature:
        input.temperature ?? (preset === "paper" || protocol === "novelcritique" ? PAPER_TEMPERATURE : undefined),
    }),
    ...(input.prompts !== undefined && { prompts: ownPrompts(input.prompts) }),
    definitions,
  };
  // A single book that is mostly judged already leaves nothing to share.
  if (input.against !== undefined)
    return judgeAgainst(models[0]!, input.against, { ...common, settings, readOptions }, work);
  const judging = {
    ...common,
    judges: models,
    method: input.method ?? defaultMethod(input),
    runs:
      input.runs ?? (untilHalfWidth !== undefined ? MOST_RUNS_UNTIL : isAskedOnce(models, input) ? 1 : DEFAULT_RUNS),
    bySegment: input.chapterSummaries,
    maskInjection: input.maskInjection,
    ...defined({ untilHalfWidth, aspects, protocol, reader }),
    ...(preset === "paper" && { presentation: "paper" as const }),
    ...defined({ letter: input.letter ?? (preset === "paper" ? false : undefined) }),
  } satisfies Partial<JudgeOptions>;
  const population = input.population === undefined ? {} : { population: await readPopulation(input.population) };
  const judged = judgedInput(work);
  const handOut = handOutBooks(work);
  // The user's own prompts are on this machine; workers have only those that ship.
  const sharing: Sharing =
    input.prompts === undefined ? services : { signal: services.signal, onProgress: services.onProgress };
  if (!sharesWork(settings, sharing)) {
    const { judgeEach } = await import("./judge-books.ts");
    const { plan, run } = await judgeEach(
      judged,
      {
        ...judging,
        ...population,
        ...defined({ calibration: work.calibration }),
        settings,
        services: runServicesOf(services),
        onProgress: services.onProgress,
        onFailed: (_failed, error) => handOut({ error }),
      },
      // A dry run executes everything with placeholder replies.
      (evaluation) => handOut(settings.dryRun ? null : evaluation),
    );
    return { plan, run };
  }
  const { assembleJudged, outcomesFrom, piecesOfBooks, piecesOfTexts } = await import("../jobs/books.ts");
  const unsent = new Map<number, unknown>();
  const job = {
    kind: "judge-books" as const,
    options: { judging, rubricText: typeof rubric === "string" ? await rubricText(rubric) : null },
    models: [...models, ...(summariser === undefined ? [] : [summariser])].map(String),
    pieces:
      judged.kind === "opened"
        ? piecesOfBooks(input.books, readOptions, sendOptions(work, unsent))
        : piecesOfTexts(judged, sendOptions(work, unsent)),
  };
  const outcome = await runShared(settings, sharing, job, (shared) => {
    const run = { settings: shared.settings, services: runServicesOf(services) };
    return assembleJudged(outcomesFrom(shared.results(), unsent), run, async (judgement) =>
      handOut("error" in judgement ? judgement : await placedHere(judgement, { ...population, reader })),
    );
  });
  return outcome ? { plan: outcome.plan, run: outcome.run } : { isQueued: true };
}

/** If a book cannot be sent to the workers: one of several fails in its turn, and the others are judged. */
function sendOptions({ input, services: { signal } }: Work, unsent: Map<number, unknown>) {
  const onUnsent =
    input.books.length > 1 ? (source: number, error: unknown) => void unsent.set(source, error) : undefined;
  return { signal, onUnsent };
}

/** Returns a function that hands out each evaluation with the book it belongs to. */
function handOutBooks({ input, hand }: Work) {
  let next = 0;
  return async (outcome: BookEvaluation | { readonly error: unknown } | null): Promise<void> => {
    const given = input.books[next++];
    if (outcome === null) return;
    if (!("error" in outcome))
      return hand({ kind: "evaluated", source: given ?? outcome.book.file, evaluation: outcome });
    const { error } = outcome;
    const source = given ?? input.in ?? "";
    const reason = error instanceof Error ? error.message : String(error);
    await hand({ kind: "failed", source, error, failed: { file: fileOf(source), reason } });
  };
}

/**
 * Adds to a worker's evaluation what only this machine has: the place in a population, and what the report says about
 * it.
 */
async function placedHere(
  evaluation: BookEvaluation,
  { population, reader }: { readonly population?: Population; readonly reader: ReaderProfile | undefined },
): Promise<BookEvaluation> {
  if (!population) return evaluation;
  const placed = placeInPopulation(evaluation, population);
  if (!placed.personal || !reader) return placed;
  const { readerPlaces } = await import("../readers/personal-part.ts");
  return { ...placed, personal: { ...placed.personal, where: await readerPlaces(reader, placed) } };
}

/**
 * The paper decodes open models greedily, once. Models behind a provider's own interface vary, so it averages five
 * runs of them.
 */
function isAskedOnce(models: readonly OneJudge[], { preset, protocol }: EvaluateInput): boolean {
  const isOpen = models.every(
    (model) =>
      typeof model !== "string" || !(isCloudProvider(model.split(":")[0]!) || /^(?:azure|bedrock|xai):/.test(model)),
  );
  return isByHand(models) || ((preset === "paper" || protocol === "novelcritique") && isOpen);
}

/** A person who answers by hand is asked as little as possible. */
function isByHand(models: readonly OneJudge[]): boolean {
  return models.some((model) => typeof model === "string" && /^paste(?::|#|$)/.test(model));
}

/** By default a model reads the story, unless an option needs a method that works from a summary. */
function defaultMethod(input: EvaluateInput): MethodName {
  const isFromSummary =
    input.in !== undefined ||
    input.outline ||
    input.preset === "paper" ||
    input.protocol === "novelcritique" ||
    input.chapterSummaries ||
    input.summariser !== undefined ||
    input.segmentWords !== undefined;
  return isFromSummary ? "summary" : "close";
}

async function judgeAgainst(
  judge: OneJudge,
  against: BookInput,
  options: Omit<DraftOptions, "judge" | "against" | "method" | "services" | "onProgress">,
  { input, services, hand }: Work,
): Promise<Partial<Evaluations>> {
  const [source] = input.books;
  if (options.settings.store === ":memory:")
    throw new FabulaError("E_USAGE", "Drafts that a language model judged are compared in a store: give `store`.");
  const { judgeNextDraft } = await import("./drafts/judge-draft.ts");
  const { result, plan, run } = await judgeNextDraft(source!, {
    ...options,
    judge,
    against,
    ...defined({ method: input.method }),
    services: runServicesOf(services),
    onProgress: services.onProgress,
  });
  if (!options.settings.dryRun) await hand({ kind: "evaluated", source: source!, evaluation: result });
  return { plan, run };
}

function judgedInput({ input, readOptions }: Work): Exclude<JudgedInput, { kind: "books" | "read" }> {
  const { books, in: summaries, outline } = input;
  if (summaries !== undefined) return { kind: "summaries", file: summaries };
  if (outline) return { kind: "outlines", files: books.map(fileOf), texts: books.map(outlineText) };
  return {
    kind: "opened",
    sources: books.map((source) => ({ name: fileOf(source), open: () => openBook(source, readOptions) })),
  };
}

/** The text of an outline that was not given as a file. */
function outlineText(source: BookInput): string | undefined {
  if (typeof source === "string") return undefined;
  if ("chapters" in source) return source.chapters.map(({ text }) => text).join("\n\n");
  if ("text" in source) return source.text;
  return new TextDecoder().decode("bytes" in source ? source.bytes : source);
}
