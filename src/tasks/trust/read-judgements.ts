import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { groupBy } from "../../core/group-by.ts";
import { readTable } from "../../core/table/read-table.ts";
import { hasColumn, nameColumn, numberColumn, type Table } from "../../core/table/table.ts";
import type { Verdict } from "../../core/verdict.ts";
import { aspectRows, type BookEvaluation, bookEvaluationSchema, type HowJudged } from "../../judge/evaluation.ts";
import { differingSettings } from "../../judge/settings.ts";
import { sum } from "../../stats/distribution.ts";
import type { DamageReaction, Scale } from "../../stats/judge-health/judge-health.ts";
import type { Judgement, OrderedComparison } from "../../stats/judge-health/judgement.ts";
import { readEvaluations } from "../books/read-evaluations.ts";

/** Evaluations with the same key were made in the same way and may be pooled. */
export function keyOf({ judge, method, rubric, settings }: HowJudged): string {
  return settings?.hash ?? `${judge} · ${method} · ${rubric.id} ${rubric.version}`;
}

/**
 * For each way of judging, the settings that distinguish it from others by the same judge and method, such as
 * "definitions off, temperature 0"; null if there is only one. Evaluations made in different ways are shown side by
 * side, never pooled.
 */
export function waysOfJudging(evaluations: readonly HowJudged[]): ReadonlyMap<string, string | null> {
  const ways = new Map([...groupBy(evaluations, keyOf)].map(([key, [first]]) => [key, first!]));
  const byJudge = groupBy([...ways], ([, { judge, method }]) => `${judge} · ${method}`);
  return new Map(
    [...byJudge.values()].flatMap((alike) => {
      const differences = differingSettings(alike.map(([, { settings }]) => settings));
      return alike.map(([key], at): [string, string | null] => [
        key,
        alike.length === 1 ? null : differences.map(({ name, values }) => `${name} ${values[at]}`).join(", "),
      ]);
    }),
  );
}

/** The judge, the method and the settings that distinguish this way of judging, as one name. */
export function wayOf(evaluation: HowJudged, ways: ReturnType<typeof waysOfJudging>): string {
  const apart = ways.get(keyOf(evaluation)) ?? null;
  return `${evaluation.judge} · ${evaluation.method}${apart === null ? "" : ` · ${apart}`}`;
}

/** Which columns hold what; the defaults are the columns that `fabula score` writes. */
export interface JudgementColumns {
  readonly score: string;
  /** Columns of aspects; by default those inside `criteria` or `aspects`. */
  readonly aspects?: readonly string[];
}

export interface JudgementRecords {
  readonly judgements: readonly Judgement[];
  /** Known if the input was evaluations. */
  readonly scale: Scale | null;
}

/** Reads scores from a table with one row per judgement, or from evaluations written by `fabula evaluate`. */
export async function readJudgements(path: string, columns: JudgementColumns): Promise<JudgementRecords> {
  const isFolder = await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (isFolder) return judgementsOf(await readEvaluations(path));
  if (/\.json$/i.test(path)) {
    const evaluations = await readEvaluations(path).catch(() => null);
    if (evaluations) return judgementsOf(evaluations);
  }
  const table = await readTable(path);
  const evaluations = z.array(bookEvaluationSchema).safeParse(table.rows);
  return evaluations.success ? judgementsOf(evaluations.data) : { judgements: fromTable(table, columns), scale: null };
}

export async function readComparisons(path: string): Promise<OrderedComparison[]> {
  const table = await readTable(path);
  const judges = judgesOf(table);
  const [first, second, winner] = (["first", "second", "winner"] as const).map((name) => nameColumn(table, name));
  return table.rows.map((_, row) => ({
    judge: judges[row]!,
    first: first![row]!,
    second: second![row]!,
    winner: winnerOf(winner![row]!, first![row]!, second![row]!),
  }));
}

/** A winner may be given as its position or as its name; anything else is a tie. */
function winnerOf(winner: string, first: string, second: string): OrderedComparison["winner"] {
  if (winner === "first" || winner === first) return "first";
  if (winner === "second" || winner === second) return "second";
  return "tie";
}

function fromTable(table: Table, columns: JudgementColumns): Judgement[] {
  const optional = (name: string) => (hasColumn(table, name) ? numberColumn(table, name) : null);
  const names = (name: string) => (hasColumn(table, name) ? nameColumn(table, name) : null);
  const items = names("item") ?? nameColumn(table, "id");
  const judges = judgesOf(table);
  const scores = numberColumn(table, columns.score);
  const words = optional("words");
  const replyWords = optional("reply_words");
  const writers = names("writer");
  const human = optional("human");
  const aspects = aspectColumns(table, columns).map((name) => ({ name, scores: numberColumn(table, name) }));
  return table.rows.map((_, row) => ({
    judge: judges[row]!,
    item: items[row]!,
    score: scores[row]!,
    aspects: Object.fromEntries(aspects.map((aspect) => [aspect.name, aspect.scores[row]!])),
    words: words?.[row] ?? Number.NaN,
    replyWords: replyWords?.[row] ?? Number.NaN,
    writer: writers?.[row] ?? null,
    human: human?.[row] ?? Number.NaN,
  }));
}

function judgesOf(table: Table): string[] {
  return hasColumn(table, "judge") ? nameColumn(table, "judge") : table.rows.map(() => table.source);
}

function aspectColumns(table: Table, columns: JudgementColumns): readonly string[] {
  if (columns.aspects) return columns.aspects;
  return ["criteria", "aspects"].flatMap((holder) => {
    const keys = new Set(
      table.rows.flatMap((row) => {
        const inner = row[holder];
        return typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.keys(inner) : [];
      }),
    );
    return [...keys].map((key) => `${holder}.${key}`);
  });
}

/** Judgements contained in evaluations: one for each repeat, or a single one if there are none. */
export function judgementsOf(evaluations: readonly BookEvaluation[]): JudgementRecords {
  const ways = waysOfJudging(evaluations);
  return {
    judgements: evaluations.flatMap((evaluation) => [
      ...judgementsOfOne(evaluation, wayOf(evaluation, ways)),
      ...judgementsOfPanel(evaluation),
    ]),
    scale: evaluations[0]?.scale ?? null,
  };
}

function judgementsOfOne({ book, overall, aspects, repeats }: BookEvaluation, judge: string): Judgement[] {
  const whole: Judgement = {
    judge,
    item: book.title,
    score: scoreOf(overall),
    // Sub-aspects are left out, because next to their own aspect they would look like a halo effect.
    aspects: Object.fromEntries(
      aspectRows(aspects).flatMap(({ result: { id, verdict }, isPart }) => (isPart ? [] : [[id, scoreOf(verdict)]])),
    ),
    words: book.words,
    replyWords: wordsOfRemarks(aspects),
    writer: book.author,
    human: Number.NaN,
  };
  if (!repeats || repeats.scores.length + repeats.unscored < 2) return [whole];
  const scores = [...repeats.scores, ...Array.from({ length: repeats.unscored }, () => Number.NaN)];
  // Aspects and remarks belong to all repeats together, so they count once.
  return scores.map((score, repeat) =>
    repeat === 0 ? { ...whole, score } : { ...whole, score, aspects: {}, replyWords: Number.NaN },
  );
}

/** The judges of a panel separately, because only a judge's own repeats show whether it is consistent. */
function judgementsOfPanel({ panel, ...evaluation }: BookEvaluation): Judgement[] {
  return (panel?.judges ?? []).flatMap(({ judge, overall, aspects, repeats }) => {
    const own = evaluation.aspects.map((aspect) => ({
      ...aspect,
      verdict: aspects[aspect.id] ?? aspect.verdict,
      strengths: [],
      weaknesses: [],
    }));
    const { repeats: _together, ...shared } = evaluation;
    const member = { ...shared, judge, overall, aspects: own, ...(repeats && { repeats }) };
    return judgementsOfOne(member, `${judge} · ${evaluation.method} · in a panel`);
  });
}

export function wordsOfRemarks(aspects: BookEvaluation["aspects"]): number {
  const remarks = aspects.flatMap(({ strengths, weaknesses }) => [...strengths, ...weaknesses]);
  const words = sum(remarks.map(({ text }) => text.split(/\s+/).filter(Boolean).length));
  // A judge that writes nothing has no reply length; zero would be wrong.
  return words === 0 ? Number.NaN : words;
}

function scoreOf(verdict: Verdict): number {
  return verdict.kind === "scored" ? verdict.score : Number.NaN;
}

const reportSchema = z.object({
  judge: z.string(),
  books: z.array(
    z.object({
      rows: z.array(
        z.object({
          name: z.string(),
          harmless: z.boolean(),
          aspect: z.string(),
          reaction: z.enum(["right", "blind", "wrong", "not tried", "cannot be told"]),
        }),
      ),
    }),
  ),
});

/**
 * How a judge reacted to each damaged book of a stress test, by its overall score; undecided and untried cases are
 * left out.
 */
export async function readReactions(path: string): Promise<DamageReaction[]> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new FabulaError("E_STRESS_READ", `"${path}" could not be read as JSON: check the path.`, { cause });
  }
  const report = reportSchema.safeParse(document);
  if (!report.success) {
    throw new FabulaError(
      "E_STRESS_READ",
      `"${path}" is not a stress test: make one with \`fabula stress novel.epub --json > stress.json\`.`,
      { cause: report.error },
    );
  }
  const { judge, books } = report.data;
  return books.flatMap(({ rows }) =>
    rows.flatMap(({ name, harmless, aspect, reaction }): DamageReaction[] =>
      aspect !== "overall" || reaction === "not tried" || reaction === "cannot be told"
        ? []
        : [{ judge, damage: name, harmless, reaction }],
    ),
  );
}
