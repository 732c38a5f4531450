import type { Cost } from "../core/cost.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Criterion } from "../criteria/rubric.ts";
import type { Book } from "../text/book.ts";
import { coverageOf, mergeLedgers } from "./coverage.ts";
import { type AspectResult, type BookEvaluation, bookPart, type Suspicion } from "./evaluation.ts";
import { type CheckedRemark, flattenRemarks, RemarkCheck } from "./evidence/check-remarks.ts";
import { clusterRemarks } from "./evidence/cluster-remarks.ts";
import type { Judging } from "./material/judging.ts";
import type { AspectOutcome, MethodName, RunOutcome, SegmentOutcome, SegmentSupport } from "./methods/method.ts";
import { acrossSegments } from "./repeats/across-segments.ts";
import { type Spread, spreadOf } from "./repeats/spread.ts";
import type { EvaluationSettings } from "./settings.ts";
import { sumUp } from "./sum-up.ts";
import { suspicionNotes } from "./suspicion/suspicion-notes.ts";

export interface JudgedBook extends Cost {
  readonly book: Book;
  readonly judge: string;
  readonly method: MethodName | "outline";
  readonly judging: Judging;
  readonly settings?: EvaluationSettings;
  readonly outcomes: readonly RunOutcome[];
  readonly suspicions: readonly Suspicion[];
  /** About what the judge was shown. */
  readonly notes?: readonly string[];
  readonly calls: number;
}

/** As many remarks of a kind as a reader will read. */
const SHOWN = 5;

/** What several runs of a method said, as an evaluation: means with intervals, remarks with checked evidence, coverage. */
export async function buildEvaluation(judged: JudgedBook): Promise<BookEvaluation> {
  const { book, judging, outcomes, suspicions } = judged;
  const { scale } = judging.rubric;
  const check = new RemarkCheck(book, judging.rubric.criteria);
  await check.prepare(
    outcomes.flatMap(({ aspects }) =>
      Object.values(aspects).flatMap(({ strengths, weaknesses }) => [...strengths, ...weaknesses]),
    ),
  );
  const overall = spreadOf(
    outcomes.map((outcome) => outcome.overall),
    scale,
  );
  const grounding = { quotations: 0, found: 0 };
  const aspects = judging.criteria.map((criterion) => aspectResult(criterion, judged, check, grounding));
  const ledger = mergeLedgers(outcomes.map((outcome) => outcome.ledger));
  const nearest = nearestRun(outcomes, overall);
  const assessment = nearest?.assessment || sumUp(aspects, judging.language);
  return {
    book: bookPart(book),
    judge: judged.judge,
    method: judged.method,
    rubric: { id: judging.rubric.id, version: judging.rubric.version },
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
    notes: notesOn(judged, overall, grounding, assessment),
    assessment,
    repeats: repeatsOf(overall),
    grounding,
    ledger,
    suspicions: [...suspicions],
  };
}

function aspectResult(
  { id, name, abbreviation, parent }: Criterion,
  { outcomes, judging }: JudgedBook,
  check: RemarkCheck,
  grounding: { quotations: number; found: number },
): AspectResult {
  const judged = outcomes.flatMap((outcome) => outcome.aspects[id] ?? []);
  const spread = spreadOf(
    judged.map(({ verdict }) => verdict),
    judging.rubric.scale,
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
    ...(parent === undefined ? {} : { parent, ...parentName(parent, judging) }),
    verdict: bookVerdict(spread, outcomes, (segment) => segment.aspects[id], judging.rubric.scale),
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

function parentName(parent: string, { rubric }: Judging): { parentName?: string } {
  const name = rubric.criteria.find(({ id }) => id === parent)?.name;
  return name === undefined ? {} : { parentName: name };
}

/** Of many remarks (a method may judge every segment), those said most often, each once. */
function chooseRemarks(remarks: readonly CheckedRemark[]): readonly CheckedRemark[] {
  return remarks.length <= SHOWN ? remarks : clusterRemarks(remarks).slice(0, SHOWN);
}

/** The run whose score is nearest to the mean represents all of them. */
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

/** The runs' verdict; where segments were judged by themselves, its interval holds what their number says too. */
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
  { judging, outcomes, suspicions, notes: shown = [] }: JudgedBook,
  overall: Spread,
  grounding: { quotations: number; found: number },
  assessment: string | null,
): string[] {
  const notes: string[] = assessment ? [`In sum: ${assessment}`] : [];
  if (overall.verdict.kind === "scored") {
    const { minimum, maximum } = judging.rubric.scale;
    const stars = 1 + (4 * (overall.verdict.score - minimum)) / (maximum - minimum);
    notes.push(`On a scale of 1 to 5 the overall score is ${stars.toFixed(1)}.`);
  }
  if (overall.unscored > 0) notes.push(`${overall.unscored} of ${outcomes.length} runs gave no overall score.`);
  if (grounding.quotations > 0) {
    notes.push(`${grounding.found} of ${grounding.quotations} quotations in all runs were found in the book.`);
  }
  notes.push(...shown);
  notes.push(...suspicionNotes(suspicions));
  return notes;
}
