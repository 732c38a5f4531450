import type { Cost } from "../core/cost.ts";
import { averageVerdicts, isScored, scored, type Verdict } from "../core/verdict.ts";
import type { Criterion } from "../criteria/rubric.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import { sum } from "../stats/distribution.ts";
import type { JudgeNoise } from "../stats/error-model.ts";
import type { Book } from "../text/book.ts";
import {
  type AspectResult,
  type BookEvaluation,
  bookPart,
  type Coverage,
  type Ledger,
  type Suspicion,
} from "./evaluation.ts";
import { type CheckedRemark, flattenRemarks, RemarkCheck } from "./evidence/check-remarks.ts";
import type { JudgeInstructions } from "./material.ts";
import type {
  AspectOutcome,
  LedgerEntry,
  MethodName,
  RunOutcome,
  SegmentOutcome,
  SegmentSupport,
} from "./methods/method.ts";
import { looksAllowed, noiseOfRuns, type Spread, spreadOf } from "./repeats.ts";
import type { EvaluationSettings } from "./settings.ts";
import { suspicionNotes } from "./suspicion/find-suspicions.ts";

/** A remark that represents several similar ones, with evidence from them. */
interface RecurringRemark extends CheckedRemark {
  /** How often it was made: at most once per segment and run. */
  readonly times: number;
}

/** The share of words that two remarks must have in common. */
const ALIKE = 0.3;
const MOST_EVIDENCE = 4;
const COMMON = new Set(
  `the a an and or but of to in on for with is are was were be it its this that these those as at by from has have had not
  too very more some can could would may might which who while where when their his her they he she them him also into than
  does do so such there here`.split(/\s+/),
);

/**
 * Groups remarks that say the same. Those made about many segments come first, and each is shown once. Words are
 * compared without endings; a remark joins the first group whose first member shares enough of them.
 */
export function clusterRemarks(remarks: readonly CheckedRemark[]): RecurringRemark[] {
  const groups: { words: ReadonlySet<string>; members: CheckedRemark[] }[] = [];
  for (const remark of remarks) {
    const words = wordsOf(remark.text);
    const group = groups.find((each) => overlap(each.words, words) >= ALIKE);
    if (group) group.members.push(remark);
    else groups.push({ words, members: [remark] });
  }
  return groups
    .map(({ members }) => representative(members))
    .sort((left, right) => Number(hasPassage(right)) - Number(hasPassage(left)) || right.times - left.times);
}

/** The member with the most quotations found in the book, together with quotations of the others. */
function representative(members: readonly CheckedRemark[]): RecurringRemark {
  const found = ({ evidence }: CheckedRemark) => evidence.filter((each) => each.found).length;
  const best = members.reduce((chosen, member) => (found(member) > found(chosen) ? member : chosen));
  const others = members
    .filter((member) => member !== best)
    .flatMap(({ evidence }) => evidence.filter((each) => each.found));
  const room = Math.max(0, MOST_EVIDENCE - best.evidence.length);
  const evidence = [
    ...new Set([...best.evidence, ...others.filter((each) => !best.evidence.includes(each)).slice(0, room)]),
  ];
  return { ...best, evidence, times: members.length };
}

/** Whether it quotes the book. What it says about the passage may still be wrong. */
function hasPassage({ evidence }: CheckedRemark): boolean {
  return evidence.some(({ found }) => found);
}

/** Word stems; for scripts without spaces, pairs of characters. */
function wordsOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(/[\p{Script=Latin}\p{Script=Cyrillic}]{3,}/gu) ?? [])
    .filter((word) => !COMMON.has(word))
    .map((word) => word.slice(0, 6));
  const characters = [...text].filter((character) => /\p{Script=Han}/u.test(character));
  const pairs = characters.slice(1).map((character, at) => characters[at]! + character);
  return new Set([...words, ...pairs]);
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let both = 0;
  for (const word of left) if (right.has(word)) both++;
  return both / Math.min(left.size, right.size);
}

const WORDS = {
  en: {
    ends: (best: string, worst: string) => `Of the aspects, ${best} is judged best and ${worst} worst.`,
    one: (only: string) => `Judged by ${only} alone.`,
    often: (remark: string, times: number) => `Said most often (${times} times): ${remark}`,
  },
  zh: {
    ends: (best: string, worst: string) => `各方面中，${best}评价最高，${worst}评价最低。`,
    one: (only: string) => `只评判了${only}。`,
    often: (remark: string, times: number) => `说得最多的（${times} 次）：${remark}`,
  },
} as const;

/**
 * An overall comment for when no judge wrote one, as when each segment was judged separately. It only states facts
 * about the verdicts.
 */
function overallComment(aspects: readonly AspectResult[], language: PromptLanguage): string | null {
  const words = WORDS[language];
  const ranked = aspects
    .flatMap(({ name, parent, verdict }) =>
      parent === undefined && isScored(verdict)
        ? [{ name: `${name} (${verdict.score.toFixed(1)})`, score: verdict.score }]
        : [],
    )
    .sort((left, right) => right.score - left.score);
  const [best] = ranked;
  if (!best) return null;
  const [said] = aspects
    .flatMap(({ weaknesses }) => weaknesses)
    .sort((left, right) => (right.times ?? 1) - (left.times ?? 1));
  const often = said && (said.times ?? 1) > 1 ? ` ${words.often(said.text, said.times!)}` : "";
  return (ranked.length === 1 ? words.one(best.name) : words.ends(best.name, ranked.at(-1)!.name)) + often;
}

export interface JudgedBook extends Cost {
  readonly book: Book;
  readonly judge: string;
  readonly method: MethodName | "outline";
  readonly instructions: JudgeInstructions;
  readonly settings?: EvaluationSettings;
  readonly outcomes: readonly RunOutcome[];
  readonly suspicions: readonly Suspicion[];
  /** Notes about what the judge was shown. */
  readonly notes?: readonly string[];
  readonly calls: number;
}

/** The number of remarks of a kind that a reader is likely to read. */
const SHOWN = 5;

/**
 * Combines several runs of a method into an evaluation: means with intervals, remarks with checked evidence,
 * coverage.
 */
export async function buildEvaluation(judged: JudgedBook): Promise<BookEvaluation> {
  const { book, instructions, outcomes, suspicions } = judged;
  const { scale } = instructions.rubric;
  const check = new RemarkCheck(book, instructions.rubric.criteria);
  await check.prepare(
    outcomes.flatMap(({ aspects }) =>
      Object.values(aspects).flatMap(({ strengths, weaknesses }) => [...strengths, ...weaknesses]),
    ),
  );
  const noise = noiseOfRuns(outcomes);
  const overall = spreadOf(
    outcomes.map((outcome) => outcome.overall),
    scale,
    noise,
    looksOf(judged),
  );
  const grounding = { quotations: 0, found: 0 };
  const aspects = instructions.criteria.map((criterion) => aspectResult(criterion, judged, noise, check, grounding));
  const ledger = mergeLedgers(outcomes.map((outcome) => outcome.ledger));
  const nearest = nearestRun(outcomes, overall);
  const assessment = nearest?.assessment || overallComment(aspects, instructions.language);
  return {
    book: bookPart(book),
    judge: judged.judge,
    method: judged.method,
    rubric: { id: instructions.rubric.id, version: instructions.rubric.version },
    scale: { ...scale },
    runs: outcomes.length,
    ...(judged.settings && { settings: judged.settings }),
    overall: bookVerdict(overall, outcomes, (segment) => segment.overall, scale),
    ...leastSupport(outcomes.map(({ support }) => support)),
    overallPercentile: null,
    overallCourse: (nearest?.course ?? []).map(({ chapter, overall: verdict }) => ({ chapter, verdict })),
    aspects,
    population: null,
    coverage: coverageOf(book, ledger, outcomes),
    calls: judged.calls,
    cost: judged.cost,
    unpricedCalls: judged.unpricedCalls ?? 0,
    ...(judged.coveredCalls ? { coveredCalls: judged.coveredCalls } : {}),
    notes: notesOn(judged, overall, grounding, assessment),
    assessment,
    repeats: repeatsOf(overall),
    grounding,
    ledger,
    suspicions: [...suspicions],
  };
}

/** How often the interval was checked, if `--until-ci` could have ended the runs. */
function looksOf({ settings }: JudgedBook): number {
  return settings ? looksAllowed(settings) : 1;
}

function aspectResult(
  { id, name, abbreviation, parent }: Criterion,
  book: JudgedBook,
  noise: JudgeNoise,
  check: RemarkCheck,
  grounding: { quotations: number; found: number },
): AspectResult {
  const { outcomes, instructions } = book;
  const judged = outcomes.flatMap((outcome) => outcome.aspects[id] ?? []);
  const spread = spreadOf(
    judged.map(({ verdict }) => verdict),
    instructions.rubric.scale,
    noise,
    looksOf(book),
  );
  const shown = nearestTo(judged, spread);
  const checked = (remarks: AspectOutcome["strengths"]) => remarks.map((remark) => check.check(remark));
  for (const outcome of judged) {
    const evidence = [...checked(outcome.strengths), ...checked(outcome.weaknesses)].flatMap(
      (remark) => remark.evidence,
    );
    grounding.quotations += evidence.length;
    grounding.found += evidence.filter(({ found }) => found).length;
  }
  const run = outcomes.find((outcome) => outcome.aspects[id] === shown);
  return {
    id,
    name,
    ...(abbreviation === undefined ? {} : { abbreviation }),
    ...(parent === undefined ? {} : { parent, ...parentName(parent, instructions) }),
    verdict: bookVerdict(spread, outcomes, (segment) => segment.aspects[id], instructions.rubric.scale),
    ...leastSupport(judged.map(({ support }) => support)),
    percentile: null,
    ...flattenRemarks({
      strengths: chooseRemarks(checked(shown?.strengths ?? [])),
      weaknesses: chooseRemarks(checked(shown?.weaknesses ?? [])),
    }),
    course: (run?.course ?? []).flatMap(({ chapter, aspects }) =>
      aspects[id] ? [{ chapter, verdict: aspects[id] }] : [],
    ),
    repeats: repeatsOf(spread),
  };
}

function parentName(parent: string, { rubric }: JudgeInstructions): { parentName?: string } {
  const name = rubric.criteria.find(({ id }) => id === parent)?.name;
  return name === undefined ? {} : { parentName: name };
}

/** The most frequent remarks, each once; a method that judges every segment produces many. */
function chooseRemarks(remarks: readonly CheckedRemark[]): readonly CheckedRemark[] {
  return remarks.length <= SHOWN ? remarks : clusterRemarks(remarks).slice(0, SHOWN);
}

/** The run whose score is closest to the mean represents all of them. */
function nearestTo(outcomes: readonly AspectOutcome[], { verdict }: Spread): AspectOutcome | undefined {
  if (verdict.kind === "unscored") return outcomes[0];
  const distance = (outcome: AspectOutcome) =>
    outcome.verdict.kind === "scored" ? Math.abs(outcome.verdict.score - verdict.score) : Number.POSITIVE_INFINITY;
  return outcomes.reduce<AspectOutcome | undefined>(
    (best, outcome) => (best === undefined || distance(outcome) < distance(best) ? outcome : best),
    undefined,
  );
}

function nearestRun(outcomes: readonly RunOutcome[], { verdict }: Spread): RunOutcome | undefined {
  if (verdict.kind === "unscored") return outcomes[0];
  const distance = ({ overall }: RunOutcome) =>
    overall.kind === "scored" ? Math.abs(overall.score - verdict.score) : Number.POSITIVE_INFINITY;
  return [...outcomes].sort((left, right) => distance(left) - distance(right))[0];
}

function repeatsOf({ scores, standardDeviation, unscored }: Spread) {
  return { scores: [...scores], standardDeviation, unscored };
}

/** The verdict over the runs; if segments were judged separately, its interval also takes their number into account. */
function bookVerdict(
  spread: Spread,
  outcomes: readonly RunOutcome[],
  pick: (segment: SegmentOutcome) => Verdict | undefined,
  scale: BookEvaluation["scale"],
): Verdict {
  const judged = outcomes.filter(({ support }) => support !== undefined);
  const segments = judged[0]?.course ?? [];
  const inEveryRun = segments.map((_, at) => judged.flatMap(({ course }) => pick(course[at]!) ?? []));
  return segments.length === 0 ? spread.verdict : acrossSegments(spread, inEveryRun, scale);
}

function leastSupport(runs: readonly (SegmentSupport | undefined)[]): { support?: SegmentSupport } {
  const known = runs.filter((support) => support !== undefined);
  const least = [...known].sort((left, right) => left.scored - right.scored)[0];
  return least ? { support: least } : {};
}

function notesOn(
  { instructions, outcomes, suspicions, notes: shown = [] }: JudgedBook,
  overall: Spread,
  grounding: { quotations: number; found: number },
  assessment: string | null,
): string[] {
  const notes: string[] = assessment ? [`In sum: ${assessment}`] : [];
  if (overall.verdict.kind === "scored") {
    // Converted proportionally, as for replies in stars: 3.8 of 5 is 76 of 100.
    const stars = (5 * overall.verdict.score) / instructions.rubric.scale.maximum;
    notes.push(`In stars, the overall score is ${stars.toFixed(1)} of 5.`);
  }
  if (overall.unscored > 0) notes.push(`${overall.unscored} of ${outcomes.length} runs gave no overall score.`);
  if (grounding.quotations > 0) {
    notes.push(
      `Passages found in the book: ${grounding.found} of ${grounding.quotations} quotations in all runs. That a passage stands there does not make the remark about it right.`,
    );
  }
  notes.push(...shown, ...new Set(outcomes.flatMap(({ note }) => note ?? [])));
  notes.push(...suspicionNotes(suspicions));
  return notes;
}

/**
 * The verdict of repeated runs over segments. Its interval is the wider of two: the one over runs, and the one over
 * segments (Student's interval over their scores). Runs that repeat each other word for word prove nothing about a
 * score that rests on few segments.
 */
function acrossSegments(
  { verdict, halfWidth }: Spread,
  /** For each segment, its verdict in every run. */
  bySegment: readonly (readonly Verdict[])[],
  scale: { readonly minimum: number; readonly maximum: number },
): Verdict {
  if (!isScored(verdict)) return verdict;
  const means = bySegment.map((verdicts) => averageVerdicts(verdicts).verdict);
  const known = [halfWidth, spreadOf(means, scale).halfWidth].filter((width) => width !== null);
  if (known.length === 0) return verdict;
  const widest = Math.max(...known);
  return scored(verdict.score, [
    Math.max(scale.minimum, verdict.score - widest),
    Math.min(scale.maximum, verdict.score + widest),
  ]);
}

/** A segment counts as seen if any run saw it; `runs` says how many did. */
function mergeLedgers(ledgers: readonly (readonly LedgerEntry[])[]): Ledger {
  const [first = []] = ledgers;
  return first.map((entry, position) => {
    const entries = ledgers.map((ledger) => ledger[position] ?? entry);
    const seen = entries.filter(({ seenAs }) => seenAs !== "nothing");
    const { segment, chapters, words, seenAs, reason } = seen[0] ?? entry;
    return { segment, chapters: [...chapters], words, seenAs, reason, runs: seen.length };
  });
}

/** How much of a book a judge saw, and in what form, since a chapter's summary is not the chapter. */
function coverageOf(book: Book, ledger: Ledger, outcomes: readonly RunOutcome[]): Coverage {
  const wordsSeen = (form: Ledger[number]["seenAs"]) =>
    Math.min(book.words, sum(ledger.filter(({ seenAs }) => seenAs === form).map(({ words }) => words)));
  const inFull = wordsSeen("text");
  const throughSummaries = Math.min(book.words - inFull, wordsSeen("summary"));
  const judgedWords = inFull + throughSummaries;
  return {
    words: book.words,
    judgedWords,
    share: book.words === 0 ? 0 : judgedWords / book.words,
    inFull,
    throughSummaries,
    quoted: Math.max(0, ...outcomes.map(({ quotedWords }) => quotedWords ?? 0)),
    skipped: ledger
      .filter(({ seenAs }) => seenAs === "nothing")
      .flatMap(({ chapters, reason }) => chapters.map((chapter) => ({ chapter, reason: reason ?? "not judged" }))),
  };
}
