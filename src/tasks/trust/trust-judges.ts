import { basename, extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";
import { groupBy } from "../../core/group-by.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { hasColumn, nameColumn, numberColumn, type Table, valueAt } from "../../core/table/table.ts";
import { isScored } from "../../core/verdict.ts";
import { bookEvaluationSchema } from "../../judge/evaluation.ts";
import type { EvaluationSettings } from "../../judge/settings.ts";
import { JUROR_IDS, type JurorId } from "../../jury/juror.ts";
import { loadJury } from "../../jury/jury.ts";
import type { RaterPanel, TrustReport } from "../../report/agreement/trust-report.ts";
import { asDocument } from "../../report/documents.ts";
import { mean, rankableMean } from "../../stats/distribution.ts";
import { judgeHealth } from "../../stats/judge-health/judge-health.ts";
import type { Judgement } from "../../stats/judge-health/judgement.ts";
import { meanOrMedianOfRaters } from "../../stats/meta-evaluation/doubtful-values.ts";
import {
  type JudgeTrust,
  settledRatings,
  studyTrust,
  type TrustTable,
} from "../../stats/meta-evaluation/trust-study.ts";
import { countWords } from "../../text/words.ts";
import { type Calibration, calibrateJudge, checkPinned, namesOfBook, pinnedFrom } from "./calibration.ts";
import { cardChecks } from "./panel/card-figures.ts";
import { readComparisons, readReactions, wordsOfRemarks } from "./read-judgements.ts";
import { readVerdictTable } from "./read-verdicts.ts";
import { writeVerdicts } from "./write-verdicts.ts";

export interface TrustRequest {
  readonly table: string;
  readonly human?: readonly string[];
  readonly judge?: readonly string[];
  readonly scores?: readonly string[];
  readonly id?: string;
  readonly rater?: string;
  readonly adjudicated?: string;
  readonly system?: string;
  readonly item?: string;
  readonly kind?: string;
  readonly words?: string;
  readonly stress?: readonly string[];
  readonly comparisons?: string;
  readonly calibration?: string;
  readonly pinned?: string;
  readonly export?: string;
  readonly margin: number;
  readonly resamples: number;
  readonly seed: number;
}

const ID_COLUMNS = ["id", "item_id", "story_id", "Story_ID", "Story ID", "text_id", "title"];
const TEXT_COLUMNS = ["text", "story", "Story"];

/** Says which judges to trust, and what is still open, from a table of texts with people's and judges' scores. */
export async function trustJudges(
  request: TrustRequest,
  { onProgress }: { readonly onProgress: ProgressListener },
): Promise<TrustReport> {
  onProgress({ stage: "reading", done: 0, total: null });
  const table = withPositions(await readVerdictTable(request.table), request);
  const every = rowsByText(table, request.id);
  const { raters: together, apart } = onOneScale(ratersOf(table, request, every));
  const { raters, groups } = ratedTexts(together, every);
  const texts = [...groups.keys()];
  const rows = [...groups.values()].map(([row]) => table.rows[row!]!);
  const perText = (column: string | undefined) => (column === undefined ? null : namesOf(table, column, groups));
  const { judges, columns } = withoutPeople(await judgesOf(table, request, groups, onProgress), raters, request);
  const data: TrustTable = {
    texts,
    raters,
    judges: judges.map(({ name, runs }) => ({
      name,
      runs,
      scores: Float64Array.from(runs, (scores) => (scores.length === 0 ? Number.NaN : rankableMean(scores))),
    })),
    adjudicated: adjudicatedOf(table, request, groups),
    system: perText(request.system),
    item: perText(request.item),
    kind: perText(request.kind),
  };
  if (request.export !== undefined) {
    await writeVerdicts(request.export, data, (at) => textIn(rows[at]!));
  }
  const study = studyTrust(data, {
    seed: request.seed,
    resamples: request.resamples,
    margin: request.margin,
    onProgress: (stage, done, total) => onProgress({ stage, done, total }),
  });
  return {
    table: request.table,
    human: raters.map(({ name }) => name),
    study,
    calibration:
      request.calibration === undefined ? null : await writeCalibration(request.calibration, data, judges, request),
    learned: await learnedFrom(study.judges, judges),
    health: await healthOf(data, judges, table, request, groups),
    costs: Object.fromEntries(judges.flatMap(({ name, cost }) => (cost === null ? [] : [[name, cost]]))),
    settled: data.adjudicated?.filter((score) => !Number.isNaN(score)).length ?? 0,
    unrated: every.size - groups.size - apart.reduce((texts, panel) => texts + panel.texts, 0),
    apart,
    missingRatings: missingRatings(table, raters),
    sameTexts: sameTexts(texts, rows),
    whoRated: whoRated(table, request, groups, raters),
    columns,
    unmatched: judges.flatMap(({ name, unmatched }) => (unmatched > 0 ? [{ judge: name, lines: unmatched }] : [])),
    settings: { seed: request.seed, resamples: request.resamples, margin: request.margin },
  };
}

/** Writes a map for every judge given as evaluations; a plain column of scores does not say which prompts were used. */
async function writeCalibration(
  path: string,
  data: TrustTable,
  judges: readonly ReadJudge[],
  { table, seed, pinned }: TrustRequest,
): Promise<NonNullable<TrustReport["calibration"]>> {
  const people = settledRatings(data);
  const maps = judges.flatMap(({ name, runs, settings, words }) => {
    if (!settings) return [];
    const texts = data.texts.flatMap((text, at) =>
      runs[at]!.length === 0
        ? []
        : [{ name: text, words: words?.[at] ?? 0, scores: [...runs[at]!], people: people[at]! }],
    );
    return [calibrateJudge(name, settings, texts, seed)];
  });
  if (maps.length === 0) {
    throw new FabulaError(
      "E_CALIBRATION",
      "A calibration is bound to a judge, its prompts and its rubric, which only evaluations name: give what `fabula evaluate --out FILE.jsonl` wrote with --scores.",
    );
  }
  const calibration: Calibration = {
    ...(pinned !== undefined && { pinned: pinnedFrom(path, pinned) }),
    people: { table: basename(table), raters: data.raters.map(({ name }) => name), ...endsOfScale(data) },
    judges: maps,
  };
  if (pinned !== undefined) await checkPinned(pinned, calibration);
  await writeWholeFile(path, `${JSON.stringify(asDocument("calibration", calibration), null, 1)}\n`);
  return {
    file: path,
    judges: maps.map(({ judge, halfWidth, level, texts }) => ({ judge, halfWidth, level, texts: texts.length })),
  };
}

/**
 * On scales with more steps than 0 to 10, not all steps are used, so the highest rating does not show where the scale
 * ends.
 */
const MOST_STEPS = 11;

function endsOfScale({ raters, adjudicated }: TrustTable): Pick<Calibration["people"], "ends"> {
  const given = [...raters.map(({ scores }) => scores), ...(adjudicated ? [adjudicated] : [])];
  const steps = [...new Set(given.flatMap((scores) => [...scores].filter((score) => !Number.isNaN(score))))];
  if (steps.length > MOST_STEPS || !steps.every(Number.isInteger)) return {};
  return { ends: [Math.min(...steps), Math.max(...steps)] };
}

/** The adjudicated score of each text, which a text's rows may repeat beside every rating. */
function adjudicatedOf(table: Table, { adjudicated }: TrustRequest, groups: Groups): Float64Array | null {
  const column = adjudicated ?? "adjudicated";
  if (adjudicated === undefined && !hasColumn(table, column)) return null;
  const scores = numberColumn(table, column);
  return Float64Array.from(
    groups.values(),
    (rows) => rows.map((row) => scores[row]!).find((score) => !Number.isNaN(score)) ?? Number.NaN,
  );
}

/** The added column with a text's position in the lists. */
const POSITION = "position";

/**
 * Unfolds tables such as HANNA's, with one row per system and lists of scores by text: if every column of raters and
 * judges holds lists of equal length, each position becomes a text.
 */
function withPositions(table: Table, { human = [], judge = [], ...others }: TrustRequest): Table {
  const isList = (name: string | undefined) =>
    name !== undefined && hasColumn(table, name) && table.rows.every((row) => listIn(valueAt(row, name)) !== null);
  const about = [others.words, others.kind, others.item, others.adjudicated].filter(isList) as string[];
  const named = [...human, ...judge, ...about];
  if (human.length === 0 || judge.length === 0 || !named.every((name) => hasColumn(table, name))) return table;
  const lists = table.rows.map((row) => named.map((name) => listIn(valueAt(row, name))));
  const isAligned = lists.every((own) => own.every((list) => list !== null && list.length === own[0]!.length));
  if (!isAligned) return table;
  const rows = table.rows.flatMap((row, at) =>
    lists[at]![0]!.map((_, place) => ({
      ...row,
      id: `${at + 1}, ${place + 1}`,
      [POSITION]: place + 1,
      ...Object.fromEntries(named.map((name, column) => [name, lists[at]![column]![place]])),
    })),
  );
  return { ...table, columns: [...new Set(["id", POSITION, ...table.columns])], rows };
}

function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || !value.trim().startsWith("[")) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** The rows of each text, by its name. */
export function rowsByText(table: Table, named: string | undefined): Groups {
  const ids = idsOf(table, named);
  return groupBy(table.rows.keys(), (row) => ids[row]!);
}

export function idsOf(table: Table, named: string | undefined): string[] {
  const column = named ?? ID_COLUMNS.find((name) => hasColumn(table, name));
  return column === undefined ? table.rows.map((_, row) => `row ${row + 1}`) : nameColumn(table, column);
}

/**
 * Compares embedded judges with the agreement on their cards, measured on held-back texts. A judge that agrees
 * clearly better here was probably trained on these very texts.
 */
async function learnedFrom(
  study: readonly JudgeTrust[],
  judges: readonly ReadJudge[],
): Promise<TrustReport["learned"]> {
  const cards = judges.map(async ({ name: judge, juror }) => {
    if (juror === undefined) return [];
    const figure = (await cardChecks(juror)).find(({ check }) => check === "agreement")?.figure;
    if (!figure) return [];
    const here = study.find((one) => one.judge === judge)?.spearman.interval;
    const isSuspected = here !== undefined && here !== null && here[0] > (figure.interval?.[1] ?? figure.value);
    return [{ judge, heldBack: { value: figure.value, interval: figure.interval }, isSuspected }];
  });
  return (await Promise.all(cards)).flat();
}

export type Groups = ReadonlyMap<string, readonly number[]>;

/** Keeps the texts that at least one person rated. */
function ratedTexts(raters: TrustTable["raters"], groups: Groups) {
  const isRated = [...groups.keys()].map((_, at) => raters.some(({ scores }) => !Number.isNaN(scores[at]!)));
  const kept = [...groups].filter((_, at) => isRated[at]);
  if (kept.length === 0)
    throw new FabulaError("E_TABLE_EMPTY", "No text of the table has a human rating: check --human.");
  return {
    groups: new Map(kept),
    raters: raters.map(({ name, scores }) => ({ name, scores: scores.filter((_, at) => isRated[at]) })),
  };
}

/** One name per text, from its first row. */
function namesOf(table: Table, column: string, groups: Groups): string[] {
  const firsts = [...groups.values()].map(([row]) => table.rows[row!]!);
  return nameColumn({ ...table, rows: firsts }, column);
}

/**
 * The raters: one column each. If each row is one person's rating: a column for each person who rated enough texts,
 * otherwise the first, second … rating of each text. Or a list of ratings in one column, which may hold one rating
 * per aspect.
 */
export function ratersOf(
  table: Table,
  { human, rater }: Pick<TrustRequest, "human" | "rater">,
  groups: Groups,
): TrustTable["raters"] {
  const named = human ?? usualRatings(table);
  if (!named) {
    throw new FabulaError(
      "E_USAGE",
      `Say which columns hold the human ratings (--human): "${table.source}" has ${listed(table)}.`,
    );
  }
  const lists = named.length === 1 ? listsIn(table, named[0]!) : null;
  const perRow: number[][] = lists ?? table.rows.map(() => []);
  if (!lists) {
    const columns = named.map((name) => numberColumn(table, name));
    // Rows of judges repeat the ratings of their text; in rows of raters, each row is one rating.
    const isOfJudges = hasColumn(table, "judge") && hasColumn(table, "score") && rater === undefined;
    if (isOfJudges) {
      return named.map((name, at) => ({
        name,
        scores: Float64Array.from(
          groups.values(),
          (rows) => rows.map((row) => columns[at]![row]!).find((rating) => !Number.isNaN(rating)) ?? Number.NaN,
        ),
      }));
    }
    const repeated = [...groups].find(([, rows]) => rows.length > 1);
    if (rater === undefined && !repeated) {
      return named.map((name, at) => ({ name, scores: columns[at]! }));
    }
    if (rater === undefined && repeated && named.length > 1) {
      throw new FabulaError(
        "E_TABLE_NAME",
        `"${repeated[0]}" stands in rows ${repeated[1].map((row) => row + 1).join(", ")} of "${table.source}", but where each rater has a column a text has one row: correct the table, or name another column with --id.`,
      );
    }
    for (const [row, own] of perRow.entries()) own.push(...columns.map((column) => column[row]!));
  }
  const names = rater === undefined ? null : nameColumn(table, rater);
  const people = new Set(names ?? []);
  const ratings = [...groups.values()].map((rows) =>
    rows.flatMap((row) =>
      perRow[row]!.flatMap((score) => (Number.isNaN(score) ? [] : [{ who: names?.[row] ?? null, score }])),
    ),
  );
  const byName = (own: readonly string[]) =>
    own.map((name) => ({
      name,
      scores: Float64Array.from(ratings, (all) => all.find(({ who }) => who === name)?.score ?? Number.NaN),
    }));
  const countOf = (who: string) => ratings.filter((own) => own.some((one) => one.who === who)).length;
  const known = new Set([...people].filter((who) => countOf(who) >= ENOUGH_TEXTS));
  const rest = ratings.map((own) => own.filter(({ who }) => !known.has(who!)));
  const count = (all: readonly (readonly unknown[])[]) => all.reduce((sum, own) => sum + own.length, 0);
  if (known.size > 1 && count(rest) <= SHARE_OF_OTHERS * count(ratings)) {
    return [...byName([...known]), ...inOrder(rest, otherRater)];
  }
  // Ratings on different scales keep their raters' names, so that they are not pooled as first and second ratings.
  if (
    names &&
    apartFrom(panelsOf(ratings.map((own) => own.map(({ who, score }) => ({ who: who!, score }))))).length > 0
  )
    return byName([...people]);
  return inOrder(ratings, nthRating);
}

/** The first, second … rating of each text, whoever gave it. */
function inOrder(
  ratings: readonly (readonly { readonly score: number }[])[],
  nameOf: (at: number) => string,
): TrustTable["raters"] {
  const most = Math.max(...ratings.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => ({
    name: nameOf(at),
    scores: Float64Array.from(ratings, (own) => own[at]?.score ?? Number.NaN),
  }));
}

/** Column name for the first, second … rating of each text. */
const nthRating = (at: number) => `rating ${at + 1}`;
/** Column name for ratings by people who rated few texts, beside raters shown by name. */
const otherRater = (at: number) => `others ${at + 1}`;
const isNobody = (name: string) => /^(rating|others) \d+$/.test(name);

function missingRatings(table: Table, raters: TrustTable["raters"]): TrustReport["missingRatings"] {
  const known = raters.filter(({ name }) => hasColumn(table, name) || !isNobody(name));
  return known.flatMap(({ name, scores }) => {
    const texts = scores.filter((score) => Number.isNaN(score)).length;
    return texts === 0 ? [] : [{ rater: name, texts }];
  });
}

/**
 * Groups raters who rated texts in common, directly or through other raters; the group with the most texts comes
 * first.
 */
function panelsOf(ratings: readonly (readonly { readonly who: string; readonly score: number }[])[]): RaterPanel[] {
  const nextOf = new Map<string, string>();
  const rootOf = (who: string) => {
    let root = who;
    for (let next = nextOf.get(root); next !== undefined && next !== root; next = nextOf.get(root)) root = next;
    return root;
  };
  const rated = ratings.filter(({ length }) => length > 0);
  for (const own of rated) for (const { who } of own) nextOf.set(rootOf(who), rootOf(own[0]!.who));
  return [...groupBy(rated, (own) => rootOf(own[0]!.who)).values()]
    .map((texts): RaterPanel => {
      const scores = texts.flat().map(({ score }) => score);
      const lowest = scores.reduce((low, score) => Math.min(low, score));
      const highest = scores.reduce((high, score) => Math.max(high, score));
      return {
        raters: [...new Set(texts.flat().map(({ who }) => who))],
        texts: texts.length,
        range: [lowest, highest],
      };
    })
    .sort((one, other) => other.texts - one.texts);
}

/** Raters of fewer texts may have used only part of the scale. */
const ENOUGH_FOR_A_RANGE = 10;

/**
 * Groups whose range overlaps the largest group's by less than half of the wider range, so they probably used another
 * scale.
 */
function apartFrom([largest, ...others]: readonly RaterPanel[]): RaterPanel[] {
  return others.filter(({ texts, range: [low, high] }) => {
    const [lowest, highest] = largest!.range;
    const shared = Math.min(high, highest) - Math.max(low, lowest);
    return texts >= ENOUGH_FOR_A_RANGE && shared < Math.max(high - low, highest - lowest) / 2;
  });
}

/** Ratings on different scales cannot be pooled, so only those that fit the largest panel are kept. */
function onOneScale(raters: TrustTable["raters"]): { raters: TrustTable["raters"]; apart: TrustReport["apart"] } {
  const ratings = Array.from(raters[0]?.scores ?? [], (_, at) =>
    raters.flatMap(({ name, scores }) => (Number.isNaN(scores[at]!) ? [] : [{ who: name, score: scores[at]! }])),
  );
  const panels = panelsOf(ratings);
  const left = apartFrom(panels);
  return {
    raters: raters.filter(({ name }) => !left.some((panel) => panel.raters.includes(name))),
    apart: left.map((panel) => ({ ...panel, from: panels[0]! })),
  };
}

/** The usual columns for people's ratings, used if none is named. */
export function usualRatings(table: Table): string[] | undefined {
  return [["human"], ["rating"], ["expected"]].find(([name]) => hasColumn(table, name!));
}

/** People who rated fewer texts are not compared by name. */
const ENOUGH_TEXTS = 20;
/** If such people gave more than this share of the ratings, no raters are compared by name. */
const SHARE_OF_OTHERS = 0.1;

/** Finds a column that seems to name the raters, if texts have several rows of ratings and --rater was not given. */
function whoRated(
  table: Table,
  request: TrustRequest,
  groups: Groups,
  raters: TrustTable["raters"],
): TrustReport["whoRated"] {
  const repeated = [...groups.values()].filter(({ length }) => length > 1);
  if (request.rater !== undefined || repeated.length === 0 || !raters.every(({ name }) => isNobody(name))) return null;
  const used = new Set([...(request.human ?? []), ...(request.judge ?? []), ...ID_COLUMNS, ...TEXT_COLUMNS]);
  const candidates = table.columns.flatMap((column) => {
    const names = table.rows.map((row) => String(valueAt(row, column) ?? "").trim());
    const people = new Set(names);
    const isPerson =
      !used.has(column) &&
      !people.has("") &&
      people.size > 1 &&
      people.size <= table.rows.length / 2 &&
      repeated.every((rows) => new Set(rows.map((row) => names[row])).size === rows.length);
    return isPerson ? [{ column, people: people.size }] : [];
  });
  candidates.sort((one, other) => one.people - other.people);
  return { column: candidates[0]?.column ?? null };
}

/** Groups of names that belong to one text, which would therefore count several times. */
function sameTexts(texts: readonly string[], rows: readonly Table["rows"][number][]): TrustReport["sameTexts"] {
  const known = texts.flatMap((name, at) => {
    const text = textIn(rows[at]!)?.replace(/\s+/g, " ").trim();
    return text ? [{ name, text }] : [];
  });
  return [...groupBy(known, ({ text }) => text).values()]
    .filter(({ length }) => length > 1)
    .map((same) => same.map(({ name }) => name));
}

/**
 * Makes sure that nobody is compared with themselves: a column cannot be both a person and a judge, and the raters'
 * mean is no judge. Named columns like that are refused; columns that were only guessed to be judges are left out.
 */
function withoutPeople(
  judges: readonly ReadJudge[],
  raters: TrustTable["raters"],
  { table, human }: TrustRequest,
): { judges: readonly ReadJudge[]; columns: TrustReport["columns"] } {
  const whyNot = ({ name, runs }: ReadJudge): string | null => {
    if (human?.includes(name)) return "it is one of --human";
    const scores = Float64Array.from(runs, (own) => (own.length === 0 ? Number.NaN : rankableMean(own)));
    const own = meanOrMedianOfRaters(scores, raters);
    return own === null ? null : `it is the ${own} of the raters`;
  };
  const isCounter = ({ runs }: ReadJudge) =>
    runs.length > 2 && runs.every(([score], at) => score === runs[0]![0]! + at);
  const found = judges.map((judge) => ({
    judge,
    why: judge.juror ? null : (whyNot(judge) ?? (judge.isTaken && isCounter(judge) ? "it numbers the texts" : null)),
  }));
  const refused = found.find(({ judge, why }) => why !== null && !judge.isTaken);
  if (refused) {
    throw new FabulaError(
      "E_USAGE",
      `"${refused.judge.name}" is no judge of "${table}": ${refused.why}, and nobody is compared with themselves. Leave it out.`,
    );
  }
  const kept = found.flatMap(({ judge, why }) => (why === null ? [judge] : []));
  if (kept.length === 0) {
    throw new FabulaError(
      "E_USAGE",
      `Say which columns hold the scores (--judge), or which files (--scores): of "${table}" only ${judges.map(({ name }) => name).join(", ")} might, and ${found[0]!.why}.`,
    );
  }
  return {
    judges: kept,
    columns: {
      taken: kept.flatMap(({ name, isTaken }) => (isTaken ? [name] : [])),
      notJudges: found.flatMap(({ judge: { name }, why }) => (why === null ? [] : [{ column: name, why }])),
    },
  };
}

/**
 * Reads a column of lists: numbers are ratings, and a list of numbers is one rater's ratings of several aspects,
 * which are averaged.
 */
function listsIn(table: Table, column: string): number[][] | null {
  if (!table.rows.some((row) => Array.isArray(valueAt(row, column)))) return null;
  return table.rows.map((row) => {
    const value = valueAt(row, column);
    if (!Array.isArray(value)) return [];
    return value.map((one: unknown) => {
      const numbers = (Array.isArray(one) ? one : [one]).filter((part): part is number => typeof part === "number");
      return numbers.length === 0 ? Number.NaN : rankableMean(numbers);
    });
  });
}

export interface ReadJudge {
  readonly name: string;
  /** For each text, its scores. */
  readonly runs: number[][];
  readonly cost: number | null;
  /** The id, if it is an embedded judge. */
  readonly juror?: JurorId;
  /** A column of numbers that was only guessed to be a judge's. */
  readonly isTaken?: true;
  /** Lines of a file of scores that match no text of the table. */
  readonly unmatched: number;
  /** For evaluations: how each was made. */
  readonly settings?: readonly (EvaluationSettings | undefined)[];
  readonly words?: readonly (number | undefined)[];
  /** For each text, how many words the judge wrote, if known. */
  readonly replyWords?: readonly (number | undefined)[];
}

async function judgesOf(
  table: Table,
  request: TrustRequest,
  groups: Groups,
  onProgress: ProgressListener,
): Promise<ReadJudge[]> {
  const joined = (await Promise.all((request.scores ?? []).map((file) => joinedScores(file, groups)))).flat();
  const own = verdictJudges(table, groups);
  const named = request.judge ?? (joined.length > 0 || own.length > 0 ? [] : otherNumbers(table, request, groups));
  const wanted =
    request.judge === undefined && named.length === 0 && joined.length + own.length === 0 ? [...JUROR_IDS] : named;
  const found: ReadJudge[] = [];
  for (const name of wanted) {
    const judge = await namedJudge(name, table, groups, onProgress);
    found.push(request.judge === undefined && !judge.juror ? { ...judge, isTaken: true } : judge);
  }
  const all = [...own.filter(({ name }) => !wanted.includes(name)), ...found, ...joined];
  if (all.length > 0) return all;
  throw new FabulaError(
    "E_USAGE",
    `Say which columns hold the scores (--judge), or which files (--scores): "${table.source}" has ${listed(table)}.`,
  );
}

async function namedJudge(
  name: string,
  table: Table,
  groups: Groups,
  onProgress: ProgressListener,
): Promise<ReadJudge> {
  const inColumns = columnsOfJudge(name, table, groups);
  if (inColumns) return inColumns;
  if (isJuror(name) && table.rows.some((row) => textIn(row) !== null))
    return embeddedJudge(name, table, groups, onProgress);
  throw noColumn(table, name);
}

export function noColumn(table: Table, name: string): FabulaError {
  return new FabulaError("E_TABLE_COLUMN", `"${table.source}" has no column "${name}". It has ${listed(table)}.`);
}

/** A judge whose scores are in a column of its name, or in NAME#1, NAME#2 …; null if there is none. */
export function columnsOfJudge(name: string, table: Table, groups: Groups): ReadJudge | null {
  const runColumns = table.columns.filter((column) => column.startsWith(`${name}#`));
  const columns = hasColumn(table, name) ? [name, ...runColumns] : runColumns;
  if (columns.length === 0) return null;
  const numbers = columns.map((column) => numberColumn(table, column));
  // Rows of one text are its ratings, and each repeats the judge's score.
  const runs = [...groups.values()].map((rows) =>
    numbers.flatMap((scores) => rows.map((row) => scores[row]!).find((score) => !Number.isNaN(score)) ?? []),
  );
  return { name, runs, cost: null, unmatched: 0 };
}

function isJuror(name: string): name is JurorId {
  return (JUROR_IDS as readonly string[]).includes(name);
}

/** Has an embedded judge read the texts themselves. */
async function embeddedJudge(
  name: JurorId,
  table: Table,
  groups: Groups,
  onProgress: ProgressListener,
): Promise<ReadJudge> {
  const jury = await loadJury();
  let done = 0;
  const runs = [...groups.values()].map(([row]) => {
    onProgress({ stage: `the ${name} reads`, done: done++, total: groups.size });
    const text = textIn(table.rows[row!]!);
    if (text === null) return [];
    const { overall } = jury.jurors[name].judge([jury.prepare(text.replace(/\r\n?/g, "\n").normalize())]);
    return isScored(overall) ? [overall.score] : [];
  });
  return { name, runs, cost: 0, unmatched: 0, juror: name };
}

/** Judges from rows of one text, judge and run each. */
function judgesInRows(
  table: Table,
  names: readonly string[],
  scores: ArrayLike<number>,
  { byText, others }: { readonly byText: readonly (readonly number[])[]; readonly others: readonly number[] },
): ReadJudge[] {
  const optional = (column: string) => (hasColumn(table, column) ? numberColumn(table, column) : null);
  const [costs, replies] = [optional("cost"), optional("reply_words")];
  const known = (values: ArrayLike<number>, rows: readonly number[]) =>
    rows.map((row) => values[row]!).filter((value) => !Number.isNaN(value));
  return [...new Set(names)].map((name) => {
    const isOwn = (row: number) => names[row] === name;
    const own = byText.map((rows) => rows.filter(isOwn));
    const unmatched = others.filter(isOwn);
    const paid = costs ? known(costs, [...own.flat(), ...unmatched]) : [];
    return {
      name,
      runs: own.map((rows) => known(scores, rows)),
      ...(replies && { replyWords: own.map(([row]) => (row === undefined ? undefined : replies[row])) }),
      cost: paid.length === 0 ? null : mean(paid),
      unmatched: unmatched.length,
    };
  });
}

/** Whether a row holds the score of this aspect; without a column of criteria every row does. */
function isAbout(table: Table, aspect: string): (row: number) => boolean {
  const criterion = hasColumn(table, "criterion") ? nameColumn(table, "criterion") : null;
  return (row) => criterion === null || criterion[row] === aspect;
}

/**
 * Judges whose scores have rows of their own in the table. If there are scores by aspect: the overall scores, or
 * those of one aspect.
 */
export function verdictJudges(table: Table, every: Groups, aspect = "overall"): ReadJudge[] {
  if (!hasColumn(table, "judge") || !hasColumn(table, "score")) return [];
  const isMeant = isAbout(table, aspect);
  const byText = [...every.values()].map((rows) => rows.filter(isMeant));
  return judgesInRows(table, nameColumn(table, "judge"), numberColumn(table, "score"), { byText, others: [] });
}

/** Reads a file of scores with a row per text and run; the judge's name is in the row, or else is the file's name. */
async function joinedScores(file: string, groups: Groups): Promise<ReadJudge[]> {
  const table = await readVerdictTable(file);
  if (table.rows.every(({ book, overall }) => book !== undefined && overall !== undefined)) {
    return evaluatedBooks(file, table, groups);
  }
  const stem = basename(file).replace(/\.gz$/, "");
  const fallback = stem.slice(0, stem.length - extname(stem).length);
  const column = ["score", "overall"].find((name) => hasColumn(table, name));
  if (column === undefined) {
    throw new FabulaError("E_TABLE_COLUMN", `"${file}" has no column score or overall. It has ${listed(table)}.`);
  }
  const names = hasColumn(table, "judge") ? nameColumn(table, "judge") : table.rows.map(() => fallback);
  const ids = idsOf(table, undefined);
  const byId = groupBy([...table.rows.keys()].filter(isAbout(table, "overall")), (row) => ids[row]!);
  const byText = [...groups.keys()].map((id) => byId.get(id) ?? []);
  const others = [...byId].flatMap(([id, rows]) => (groups.has(id) ? [] : rows));
  const matched = new Set(byText.flat().map((row) => names[row]));
  if (names.some((name) => !matched.has(name))) throw noTextNamed(file);
  const juror = await jurorOf(table);
  const judges = judgesInRows(table, names, numberColumn(table, column), { byText, others });
  return judges.map((judge) => ({ ...judge, ...(juror && { juror }) }));
}

function noTextNamed(file: string): FabulaError {
  return new FabulaError("E_NO_MATCH", `No text of the table is named in "${file}": both need the same names (--id).`);
}

/** The embedded judge that wrote a file of `fabula score`, recognised by the speaker in its lines. */
async function jurorOf(table: Table): Promise<JurorId | undefined> {
  const speakers = new Set(table.rows.map(({ speaker }) => speaker));
  if (speakers.size !== 1 || speakers.has(undefined)) return undefined;
  const { jurors } = await loadJury();
  return JUROR_IDS.find((id) => speakers.has(jurors[id].speaker));
}

const evaluationSchema = bookEvaluationSchema.pick({
  book: true,
  judge: true,
  aspects: true,
  overall: true,
  repeats: true,
  runs: true,
  cost: true,
  settings: true,
});

/**
 * Reads evaluations that `fabula evaluate --out FILE.jsonl` wrote. A text is identified by its title, its file, or
 * its file's name.
 */
function evaluatedBooks(file: string, table: Table, groups: Groups): ReadJudge[] {
  const evaluations = table.rows.map((row) => evaluationSchema.parse(row));
  const places = new Map([...groups.keys()].map((id, at) => [id.toLowerCase(), at]));
  const placeOf = ({ book }: (typeof evaluations)[number]) =>
    namesOfBook(book)
      .map((one) => places.get(one.toLowerCase()))
      .find((place) => place !== undefined);
  return [...groupBy(evaluations, ({ judge }) => judge)].map(([name, own]) => {
    const runs: number[][] = [...groups.keys()].map(() => []);
    const words: (number | undefined)[] = runs.map(() => undefined);
    const replyWords: (number | undefined)[] = runs.map(() => undefined);
    const unmatched = own.filter((evaluation) => placeOf(evaluation) === undefined).length;
    for (const evaluation of own) {
      const place = placeOf(evaluation);
      const { overall, repeats } = evaluation;
      if (place === undefined) continue;
      runs[place]!.push(...(repeats?.scores ?? (isScored(overall) ? [overall.score] : [])));
      words[place] = evaluation.book.words;
      replyWords[place] = wordsOfRemarks(evaluation.aspects);
    }
    if (unmatched === own.length) throw noTextNamed(file);
    const paid = own.flatMap(({ cost, runs: times }) => (cost === null ? [] : [cost / times]));
    const settings = own.map((evaluation) => evaluation.settings);
    const cost = paid.length === 0 ? null : mean(paid);
    return { name, runs, cost, unmatched, settings, words, replyWords, ...(isJuror(name) && { juror: name }) };
  });
}

export function textIn(row: Table["rows"][number]): string | null {
  const text = TEXT_COLUMNS.map((column) => valueAt(row, column)).find((value) => typeof value === "string");
  return typeof text === "string" ? text : null;
}

/** Columns of numbers with no other known meaning, which are assumed to be judges. */
export function otherNumbers(
  table: Table,
  request: Pick<TrustRequest, "human" | "id" | "rater" | "adjudicated" | "system" | "item" | "kind" | "words">,
  groups: Groups,
): string[] {
  const taken = new Set([
    ...(request.human ?? ["human", "rating", "expected"]),
    ...[
      request.id,
      request.rater,
      request.adjudicated,
      request.system,
      request.item,
      request.kind,
      request.words,
    ].filter((name) => name !== undefined),
    ...ID_COLUMNS,
    ...["words", "cost", "adjudicated", ...TEXT_COLUMNS],
  ]);
  const rated = { ...table, rows: [...groups.values()].flat().map((row) => table.rows[row]!) };
  const columns = table.columns.filter((name) => !taken.has(name) && isNumeric(rated, name));
  return [...new Set(columns.map((name) => name.replace(/#\d+$/, "")))];
}

function isNumeric(table: Table, name: string): boolean {
  try {
    return numberColumn(table, name).some((value) => !Number.isNaN(value));
  } catch (error) {
    if (error instanceof FabulaError) return false;
    throw error;
  }
}

function listed(table: Table): string {
  return `the columns ${table.columns.slice(0, 30).join(", ")}`;
}

/** Bias by length, own family and verbosity, scale use, repeatability and stress, as `fabula health` measures them. */
async function healthOf(
  data: TrustTable,
  judges: readonly ReadJudge[],
  table: Table,
  request: TrustRequest,
  groups: Groups,
): Promise<TrustReport["health"]> {
  const words = wordsOf(table, request, groups);
  const human = settledRatings(data);
  const judgements = judges.flatMap(({ name, runs, replyWords }) =>
    data.texts.flatMap((item, at) =>
      runs[at]!.map(
        (score, run): Judgement => ({
          judge: name,
          item,
          score,
          aspects: {},
          words: words[at]!,
          // The length of the remarks belongs to all runs together, so it counts once.
          replyWords: (run === 0 ? replyWords?.[at] : undefined) ?? Number.NaN,
          writer: data.system?.[at] ?? null,
          human: human[at]!,
        }),
      ),
    ),
  );
  const reactions = (await Promise.all((request.stress ?? []).map((file) => readReactions(file)))).flat();
  return judgeHealth(
    {
      judgements,
      anchors: [],
      comparisons: request.comparisons === undefined ? [] : await readComparisons(request.comparisons),
      scale: null,
      reactions,
    },
    { seed: request.seed, resamples: Math.max(100, Math.min(400, request.resamples)) },
  );
}

function wordsOf(table: Table, { words }: TrustRequest, groups: Groups): number[] {
  const column = words ?? (hasColumn(table, "words") ? "words" : undefined);
  const numbers = column === undefined ? null : numberColumn(table, column);
  return [...groups.values()].map(([row]) => {
    if (numbers) return numbers[row!]!;
    const text = textIn(table.rows[row!]!);
    return text === null ? Number.NaN : countWords(text);
  });
}
