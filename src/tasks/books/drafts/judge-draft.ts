import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { addCosts } from "../../../core/cost.ts";
import { FabulaError } from "../../../core/errors.ts";
import { type Finding, isStrength } from "../../../core/finding.ts";
import { rubricOf } from "../../../criteria/load-rubric.ts";
import { type Rubric, rubricHash } from "../../../criteria/rubric.ts";
import { buildEvaluation } from "../../../judge/build-evaluation.ts";
import { alignDrafts, judgeDraft } from "../../../judge/drafts/align-drafts.ts";
import type { FoundChanges } from "../../../judge/drafts/change-schema.ts";
import { draftChanges, wholeChanges } from "../../../judge/drafts/draft-changes.ts";
import { type DraftRecord, draftRecord } from "../../../judge/drafts/draft-record.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import {
  type JudgeInstructions,
  PAPER_PRESENTATION,
  PROTOCOLS,
  type Protocol,
  selectCriteria,
} from "../../../judge/material.ts";
import type { MethodName } from "../../../judge/methods/method.ts";
import { differencesInWords, type EvaluationSettings, settingsOf } from "../../../judge/settings.ts";
import { findSuspicions } from "../../../judge/suspicion/find-suspicions.ts";
import { letterFindings } from "../../../letter/findings.ts";
import { meteredModel } from "../../../models/ask.ts";
import type { ChatModel } from "../../../models/chat-model.ts";
import { loadPrices, priceOf } from "../../../models/prices.ts";
import { promptLanguage } from "../../../prompts/load-prompt.ts";
import { shippedPrompts } from "../../../prompts/own-prompts.ts";
import { inRun, type RunOutcome } from "../../../runner/open-run.ts";
import { knownVerdicts, refutedClaimSchema } from "../../../story/claim.ts";
import type { Book } from "../../../text/book.ts";
import { type BookReadOptions, readBook } from "../../../text/read-book.ts";
import type { BookInput } from "../../define/shared-fields.ts";
import { type JudgeOptions, judgeBooks } from "../judge-books.ts";
import { TEMPERATURE } from "../judged-input.ts";
import { findingChanges, letterSource } from "../letter.ts";
import { openBook } from "../open-book.ts";
import { DraftArchive, findDraft, findDraftOf } from "./draft-archive.ts";
import { changesInWords, draftDetails, shortened } from "./draft-details.ts";
export type DraftOptions = Pick<
  JudgeOptions,
  | "temperature"
  | "segmentWords"
  | "definitions"
  | "prompts"
  | "contextTokens"
  | "depth"
  | "settings"
  | "services"
  | "onProgress"
> & {
  readonly judge: string | ChatModel;
  readonly summariser?: string | ChatModel;
  readonly rubric?: string | Rubric;
  /** The run that judged the earlier draft, or the earlier draft itself. */
  readonly against: BookInput;
  /** The earlier run's method by default; a draft judged by another method cannot be compared. */
  readonly method?: MethodName;
  readonly readOptions?: BookReadOptions;
};

/**
 * Judges a new draft against an earlier one and says which changes are more than noise. The aggregate method judges
 * only changed segments; the other methods judge the whole book again, using the answers in the store.
 */
export async function judgeNextDraft(source: BookInput, given: DraftOptions): Promise<RunOutcome<BookEvaluation>> {
  const book = await openBook(source, given.readOptions);
  const earlier = await readEarlier(given.against);
  if (typeof earlier === "string") return judgeAgainst(book, { ...given, against: earlier });
  const known = await findDraftOf(given.settings.store, earlier, { ...given, judge: idOf(given.judge) });
  if (known !== null) return judgeAgainst(book, { ...given, against: known });
  // Nobody has judged the earlier draft in this way yet, so that is done first.
  const { judge, against: _file, readOptions: _options, method = "close", ...shared } = given;
  const instructions = { ...shared, judges: [judge], method, runs: FIRST_RUNS };
  const books = given.settings.dryRun ? [earlier, book] : [earlier];
  const first = await judgeBooks({ kind: "read", books }, instructions);
  if (first.run.id === null) return { ...first, result: first.result.at(-1)! };
  return judgeAgainst(book, { ...given, against: first.run.id });
}

/** The default number of runs of `evaluate`. */
const FIRST_RUNS = 5;

/** The earlier draft, or, if no such file exists, the id of the run that judged it. */
async function readEarlier(against: BookInput): Promise<Book | string> {
  return typeof against === "string" && !existsSync(against) ? against : openBook(against);
}

function idOf(model: string | ChatModel): string {
  return typeof model === "string" ? model : model.id;
}

/** Options for comparing with a run instead of a file. */
type AgainstRun = DraftOptions & { readonly against: string };

async function judgeAgainst(book: Book, options: AgainstRun): Promise<RunOutcome<BookEvaluation>> {
  const record = await findDraft(options.settings.store, options.against, book.title);
  if (options.method !== undefined && options.method !== record.method) {
    throw new FabulaError(
      "E_DRAFT_OTHER_METHOD",
      `Run "${options.against}" judged by the method ${record.method}: leave --method out, or its scores cannot be compared.`,
    );
  }
  if (options.depth !== undefined && record.close && options.depth !== record.close.depth) {
    throw new FabulaError(
      "E_DRAFT_OTHER_SETTINGS",
      `Run "${options.against}" read at depth ${record.close.depth}: leave --depth out, or the findings cannot be compared.`,
    );
  }
  return record.method === "aggregate"
    ? judgeChangedSegments(book, record, options)
    : judgeWholeAgain(book, record, options);
}

async function judgeWholeAgain(
  book: Book,
  record: DraftRecord,
  options: AgainstRun,
): Promise<RunOutcome<BookEvaluation>> {
  const { judge, against, readOptions: _read, ...shared } = options;
  const rubric = await rubricFor(book, options.rubric);
  checkSame(record, rubric, options);
  await settingsLike(record, instructionsOf(book, rubric, record, options), options);
  const outcome = await judgeBooks(
    { kind: "read", books: [book] },
    {
      ...shared,
      judges: [judge],
      method: record.method,
      runs: Math.max(1, record.runs.length),
      aspects: record.criteria,
      ...asEarlier(record),
      ...(record.close && {
        depth: record.close.depth,
        known: knownVerdicts(z.array(refutedClaimSchema).parse(record.close.tried), book),
      }),
    },
  );
  const evaluation = outcome.result[0]!;
  const aligned = alignDrafts(book, record, options.segmentWords);
  const earlier = await earlierText(record);
  const changes = {
    ...wholeChanges(against, record, { runs: runsOf(evaluation) }, aligned),
    ...(earlier && (await draftDetails(earlier, book))),
    ...(record.close && { findings: readChanges(record.close.findings, evaluation, { earlier, book }) }),
  };
  const from = aligned.segments.findIndex(({ same }) => same === null);
  return {
    ...outcome,
    result: {
      ...evaluation,
      changes: { ...shortened(changes), words: changesInWords(changes, judgedAgain(record.method, from)) },
      notes: [...evaluation.notes, ...textNote(record, earlier)],
    },
  };
}

/**
 * What became of everything the close reading and the rules found in the earlier draft, where its text is still
 * available.
 */
function readChanges(
  before: readonly Finding[],
  { letter }: BookEvaluation,
  { earlier, book }: { readonly earlier: Book | null; readonly book: Book },
): FoundChanges {
  const all = (read: readonly Finding[], text: Book) =>
    letterFindings(read, earlier ? letterSource(text).counted : []).filter((finding) => !isStrength(finding));
  const after = (letter?.findings ?? []).filter(({ origin }) => origin === "read");
  return findingChanges(all(before, earlier ?? book), all(after, book));
}

function judgedAgain(method: MethodName, firstChanged: number): string {
  const place = `segment ${firstChanged + 1}`;
  if (firstChanged < 0) return "nothing had to be judged again";
  switch (method) {
    case "summary":
      return `the summary was rewritten from ${place} on, and the book was judged again from it`;
    case "close":
      return "the whole book was read again, without noting unchanged chapters or checking findings with unchanged passages a second time";
    case "incremental":
      return `the evaluation was repeated from ${place} on`;
    default:
      return "the whole book was judged again";
  }
}

/** The runs of an evaluation in the form a record stores. */
function runsOf({ repeats, aspects }: BookEvaluation): DraftRecord["runs"] {
  const count = Math.max(
    0,
    ...[repeats, ...aspects.map((aspect) => aspect.repeats)].map((kept) => kept?.scores.length ?? 0),
  );
  return Array.from({ length: count }, (_, run) => ({
    overall: repeats?.scores[run] ?? null,
    aspects: Object.fromEntries(
      aspects.flatMap(({ id, repeats: own }) => (own?.scores[run] === undefined ? [] : [[id, own.scores[run]]])),
    ),
  }));
}

function rubricFor(book: Book, named: string | Rubric | undefined): Promise<Rubric> {
  return rubricOf(named ?? (promptLanguage(book.language) === "zh" ? "long-story-zh" : "long-story"));
}

function checkSame(record: DraftRecord, rubric: Rubric, options: AgainstRun): void {
  if (record.rubric.hash === rubricHash(rubric) && record.judge === idOf(options.judge)) return;
  throw new FabulaError(
    "E_DRAFT_OTHER_JUDGE",
    `Run "${options.against}" was judged by ${record.judge} with rubric "${record.rubric.id}": use the same judge and rubric to compare drafts.`,
  );
}

/**
 * Settings of the earlier draft that no flag changes. Scores made with other settings would not show a change of the
 * book.
 */
function asEarlier({ settings }: DraftRecord): {
  readonly bySegment: boolean;
  readonly protocol: Protocol;
  readonly presentation?: "paper";
} {
  return {
    ...(isDeepStrictEqual(settings?.presentation, PAPER_PRESENTATION) && { presentation: "paper" as const }),
    bySegment: settings?.chapterSummaries ?? false,
    protocol: PROTOCOLS.find((name) => name === settings?.protocol) ?? "rubric",
  };
}

function instructionsOf(book: Book, rubric: Rubric, record: DraftRecord, options: AgainstRun): JudgeInstructions {
  return {
    rubric,
    criteria: selectCriteria(rubric, record.criteria),
    definitions: options.definitions ?? true,
    language: promptLanguage(book.language),
    temperature: options.temperature ?? TEMPERATURE,
    protocol: asEarlier(record).protocol,
    ...(record.settings?.presentation && { presentation: record.settings.presentation }),
    ...(options.prompts && { prompts: options.prompts }),
  };
}

/**
 * The settings of the new draft's evaluation, which must match the earlier one's; the number of runs comes from the
 * record.
 */
async function settingsLike(
  record: DraftRecord,
  instructions: JudgeInstructions,
  options: AgainstRun,
): Promise<EvaluationSettings> {
  const settings = await settingsOf(
    {
      judges: [idOf(options.judge)],
      basis: record.method,
      instructions,
      summariser: idOf(options.summariser ?? options.judge),
      bySegment: asEarlier(record).bySegment,
      segmentWords: options.segmentWords,
      runs: record.settings?.runs ?? Math.max(1, record.runs.length),
      untilHalfWidth: record.settings?.untilHalfWidth ?? null,
    },
    options.prompts ?? shippedPrompts,
  );
  // The record of a panel is that of its first judge.
  const earlier = record.settings && { ...record.settings, judges: [record.judge] };
  const differences = earlier ? differencesInWords([earlier, settings]) : "";
  if (differences === "") return settings;
  throw new FabulaError(
    "E_DRAFT_OTHER_SETTINGS",
    `Run "${options.against}" was made with other settings, so its scores cannot be compared: ${differences}. Give the same flags.`,
  );
}

function judgeChangedSegments(
  book: Book,
  record: DraftRecord,
  options: AgainstRun,
): Promise<RunOutcome<BookEvaluation>> {
  return inRun(options.settings, options.services, async (run) => {
    const { signal } = options.services;
    const [rubric, prices] = await Promise.all([
      rubricFor(book, options.rubric),
      loadPrices(options.settings.prices, options.settings.connections.judges),
    ]);
    checkSame(record, rubric, options);
    const instructions = instructionsOf(book, rubric, record, options);
    const settings = await settingsLike(record, instructions, options);
    const model = await run.model(options.judge);
    const metered = (one: ChatModel) => meteredModel(one, priceOf(prices, one.id), options.settings.batch ?? false);
    const [judge, summariser] = [metered(model), metered(await run.model(options.summariser ?? options.judge))];
    const aligned = alignDrafts(book, record, options.segmentWords);
    const runs = Math.max(1, ...record.segments.map(({ replies }) => replies.length));
    const judged = await judgeDraft(
      { judge: judge.model, summariser: summariser.model },
      book,
      instructions,
      aligned,
      runs,
      signal,
    );
    const segments = aligned.segments.map(({ segment }) => segment);
    const earlier = await earlierText(record);
    const changes = {
      ...draftChanges(options.against, record, aligned, judged.outcomes, instructions),
      ...(earlier && (await draftDetails(earlier, book))),
    };
    const next = { book, judge: model.id, instructions, segments, method: "aggregate" } as const;
    await new DraftArchive(run).keep({ ...draftRecord(next, judged.progress, judged.outcomes), settings });
    const evaluation = await buildEvaluation({
      book,
      judge: model.id,
      method: "aggregate",
      instructions,
      settings,
      outcomes: judged.outcomes,
      suspicions: findSuspicions(book),
      calls: judge.read().calls + summariser.read().calls,
      ...addCosts([judge.read(), summariser.read()]),
    });
    return {
      ...evaluation,
      notes: [...evaluation.notes, ...textNote(record, earlier)],
      changes: { ...shortened(changes), words: changesInWords(changes, "only changed ones were judged") },
      ...(run.id === null ? {} : { run: run.id }),
    };
  });
}

/**
 * Reads the earlier draft again from its file, since a run stores only hashes of the text. Null when the file is gone
 * or was overwritten, as it is when both drafts have the same name.
 */
async function earlierText({ file, sha256 }: Pick<DraftRecord, "file" | "sha256">): Promise<Book | null> {
  if (sha256 === undefined) return null;
  const book = await readBook(file).catch(() => null);
  return book?.source.sha256 === sha256 ? book : null;
}

/** Says why passages and notes are not compared, if the earlier text is not available. */
function textNote({ file }: Pick<DraftRecord, "file">, earlier: Book | null): string[] {
  if (earlier) return [];
  return [
    `Passages and line notes are not compared: the earlier draft is no longer at ${file}. Keep each draft under its own name.`,
  ];
}
