import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { rubricOf } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { type JudgeInstructions, selectCriteria } from "../../judge/material.ts";
import {
  type Contestant,
  comparePair,
  digestBook,
  type Goal,
  isGoalReached,
  type Meeting,
  nextPairing,
  type Pairing,
  type PositionBias,
  positionBias,
  standings,
  type Tally,
  tally,
} from "../../judge/pairwise.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import type { Comparison, Strength } from "../../stats/rating.ts";
import type { Book } from "../../text/book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { fileOf, openBook } from "./open-book.ts";

export interface CompareOptions {
  readonly judge: string | ChatModel;
  readonly summariser?: string | ChatModel;
  /** For two books: how often each order is asked. For more: how often a pair may meet. */
  readonly runs: number;
  /** For more than two books: how many meetings there are in all; each asks both orders. */
  readonly meetings?: number;
  /** For more than two books: stop as soon as this is reached. */
  readonly until?: Goal;
  readonly rubric?: string | Rubric;
  readonly aspects?: readonly string[];
  readonly definitions?: boolean;
  readonly temperature?: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress?: ProgressListener;
}

/** The result of comparing books in pairs. */
export interface BookComparison {
  readonly books: readonly { readonly file: string; readonly title: string }[];
  readonly judge: string;
  readonly meetings: number;
  /** For two books: which one is better in each aspect. `left` is the first file named. */
  readonly aspects: readonly (Tally & {
    readonly id: string;
    readonly name: string;
    readonly reasons: readonly string[];
  })[];
  /** Bradley–Terry strengths, best first: overall, and by aspect. */
  readonly standings: Readonly<Record<string, readonly Strength[]>>;
  readonly positionBias: PositionBias;
  readonly failures: readonly string[];
  /** For a tournament with a goal: whether it was reached, and after how many meetings. */
  readonly settled: string | null;
}

const TEMPERATURE = 0.7;
const MEETINGS_PER_BOOK = 3;
const SIDE_BY_SIDE = 4;

/** Has a language model compare books in pairs, each pair in both orders; more than two are ranked by a tournament. */
export async function compareBooks(
  sources: readonly BookInput[],
  options: CompareOptions,
): Promise<RunOutcome<BookComparison>> {
  const files = sources.map(fileOf);
  if (files.length < 2)
    throw new FabulaError("E_USAGE", "Name at least two books: `fabula compare one.epub two.epub`.");
  return inRun(options.settings, options.services, async (run) => {
    const { signal } = options.services;
    const rubric = await rubricOf(options.rubric ?? "long-story");
    const judge = await run.model(options.judge);
    const summariser = options.summariser === undefined ? judge : await run.model(options.summariser);
    const books = await Promise.all(sources.map((source) => openBook(source)));
    const instructions: JudgeInstructions = {
      rubric,
      criteria: selectCriteria(rubric, options.aspects ?? null),
      definitions: options.definitions ?? true,
      language: promptLanguage(commonLanguage(books)),
      temperature: options.temperature ?? TEMPERATURE,
    };
    const { contestants, failures } = await prepare(summariser, books, files, instructions, options);
    const found =
      files.length === 2 && contestants.length === 2
        ? {
            ...(await comparePair(judge, instructions, contestants[0]!, contestants[1]!, options.runs, signal)),
            settled: null,
          }
        : await playTournament(judge, instructions, contestants, options, run.dryRun);
    return {
      books: books.map(({ title }, position) => ({ file: files[position]!, title })),
      judge: judge.id,
      meetings: found.meetings.length,
      aspects: files.length === 2 ? talliesOf(found.meetings, instructions, books) : [],
      standings: standingsOf(found.meetings, contestants, instructions),
      positionBias: positionBias(found.meetings),
      failures: [...failures, ...found.failures],
      settled: found.settled,
    };
  });
}

async function prepare(
  summariser: ChatModel,
  books: readonly Book[],
  files: readonly string[],
  instructions: JudgeInstructions,
  options: CompareOptions,
): Promise<{ contestants: Contestant[]; failures: string[] }> {
  let done = 0;
  const digests = await Promise.all(
    books.map(async (book) => {
      const digest = await digestBook(summariser, book, instructions.language, options.services.signal);
      options.onProgress?.({ stage: "Reading", done: ++done, total: books.length });
      return digest;
    }),
  );
  return {
    contestants: digests.flatMap((digest, position) =>
      digest.kind === "digest" ? [{ id: files[position]!, text: digest.text }] : [],
    ),
    failures: digests.flatMap((digest, position) =>
      digest.kind === "failed" ? [`${files[position]} could not be compared: ${digest.reason}`] : [],
    ),
  };
}

/** Chooses a few meetings at a time: those that tell most, given all meetings before. */
async function playTournament(
  judge: ChatModel,
  instructions: JudgeInstructions,
  contestants: readonly Contestant[],
  options: CompareOptions,
  dryRun: boolean,
): Promise<{ meetings: Meeting[]; failures: string[]; settled: string | null }> {
  const byId = new Map(contestants.map((contestant) => [contestant.id, contestant]));
  const ids = [...byId.keys()];
  const { until } = options;
  const pairs = (ids.length * (ids.length - 1)) / 2;
  const most = until ? pairs * options.runs : MEETINGS_PER_BOOK * ids.length;
  const wanted = Math.min(options.meetings ?? most, pairs * options.runs);
  // A plan has no results, so it cannot stop early or skip a meeting: it counts all that are allowed.
  const goal = dryRun ? undefined : until;
  const reached = () => goal !== undefined && isGoalReached(goal, standings(ids, played));
  const meetings: Meeting[] = [];
  const failures: string[] = [];
  const played: Comparison[] = [];
  let held = 0;
  while (held < wanted && ids.length > 1 && !reached()) {
    const pairings = choosePairings(ids, played, Math.min(SIDE_BY_SIDE, wanted - held), options.runs, goal);
    if (pairings.length === 0) break;
    const outcomes = await Promise.all(
      pairings.map(({ left, right }) =>
        comparePair(judge, instructions, byId.get(left)!, byId.get(right)!, 1, options.services.signal),
      ),
    );
    outcomes.forEach((outcome, position) => {
      meetings.push(...outcome.meetings);
      failures.push(...outcome.failures);
      const comparisons = comparisonsOf(outcome.meetings, "overall");
      // A meeting without an answer counts as held; otherwise the same pair would be asked forever.
      played.push(...(comparisons.length > 0 ? comparisons : [{ ...pairings[position]!, outcome: "tie" as const }]));
    });
    held += pairings.length;
    options.onProgress?.({ stage: "Comparing", done: held, total: wanted });
  }
  return { meetings, failures, settled: goal ? settledInWords(goal, reached(), held) : null };
}

function settledInWords(goal: Goal, reached: boolean, meetings: number): string {
  const wanted =
    goal.kind === "top"
      ? `the order of the first ${goal.count} is settled`
      : `every strength is known to ± ${goal.halfWidth}`;
  return reached
    ? `After ${meetings} meetings ${wanted}.`
    : `After ${meetings} meetings it is not yet so that ${wanted}: no more were allowed, or none was left that could tell.`;
}

function choosePairings(
  ids: readonly string[],
  played: readonly Comparison[],
  count: number,
  runs: number,
  until: Goal | undefined,
): Pairing[] {
  const provisional = [...played];
  const pairings: Pairing[] = [];
  while (pairings.length < count) {
    const pairing = nextPairing(ids, provisional, { meetingsPerPair: 2 * runs, ...(until && { until }) });
    if (!pairing) break;
    pairings.push(pairing);
    provisional.push({ ...pairing, outcome: "tie" }, { ...pairing, outcome: "tie" });
  }
  return pairings;
}

function comparisonsOf(meetings: readonly Meeting[], aspect: string): Comparison[] {
  return meetings.flatMap(({ left, right, choices }) => {
    const choice = choices[aspect];
    return choice ? [{ left, right, outcome: choice.outcome }] : [];
  });
}

function standingsOf(
  meetings: readonly Meeting[],
  contestants: readonly Contestant[],
  { criteria }: JudgeInstructions,
) {
  const ids = contestants.map(({ id }) => id);
  if (meetings.length === 0 || ids.length < 2) return {};
  const names = ["overall", ...criteria.map(({ id }) => id)];
  return Object.fromEntries(names.map((name) => [name, standings(ids, comparisonsOf(meetings, name))]));
}

function talliesOf(
  meetings: readonly Meeting[],
  { criteria }: JudgeInstructions,
  books: readonly Book[],
): BookComparison["aspects"] {
  return [...criteria.map(({ id, name }) => ({ id, name })), { id: "overall", name: "Overall" }].map(({ id, name }) => {
    const counted = tally(meetings, id);
    // "First" in a reason means the book that the judge was shown first, so reasons given in the report's order come first.
    const reasons = meetings
      .toSorted((one, other) => Number(other.leftFirst) - Number(one.leftFirst))
      .flatMap(({ choices, leftFirst }) => {
        const choice = choices[id];
        return choice && choice.outcome === counted.better ? [inOwnOrder(choice.reason, leftFirst, books)] : [];
      });
    return { id, name, ...counted, reasons: reasons.slice(0, 1) };
  });
}

const NAMES_AN_ORDER = /\b(first|second|former|latter)\b|第[一二]|前者|后者/i;

function inOwnOrder(reason: string, leftFirst: boolean, books: readonly Book[]): string {
  if (leftFirst || !NAMES_AN_ORDER.test(reason)) return reason;
  return `${reason} (Here “first” means “${books[1]!.title}”.)`;
}

function commonLanguage(books: readonly Book[]): string | null {
  const languages = new Set(books.map(({ language }) => language));
  return languages.size === 1 ? ([...languages][0] ?? null) : null;
}
