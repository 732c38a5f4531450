import { z } from "zod";
import { groupBy } from "../../core/group-by.ts";
import { jsonLines, readJsonLines } from "../../core/json-lines.ts";
import { type Random, seededRandom, shuffled } from "../../core/random.ts";
import { FACTORISATION, factorise, meanOfHistory, type Rating } from "../../reader/baselines.ts";
import { ANONYMISED } from "../../reader/dataset.ts";
import { SIDES } from "../../reader/profile/past-comparison.ts";
import { resampledKendall, resampledPearson, resampledSpearman } from "../../stats/correlation.ts";
import { mean, sumBy, wilsonInterval } from "../../stats/distribution.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling.ts";
import { type Findings, figureOf, type ReproducedFigure, type ReproduceRequest } from "./longstoryeval-tables.ts";
import type { Paper, PaperData } from "./paper.ts";

const name = z.union([z.string(), z.number()]).transform(String);
/** Says what a line must contain, and which field of the closest matching form is wrong. */
function lineOf(forms: string) {
  return (issue: {
    readonly code?: string | undefined;
    readonly errors?: readonly (readonly z.core.$ZodIssue[])[] | undefined;
  }) => {
    const [nearest] = [...(issue.errors ?? [])].sort((left, right) => left.length - right.length);
    const field = nearest?.[0]?.path.join(".");
    return `${field ? `"${field}" is missing or of another kind; ` : ""}a line holds ${forms}`;
  };
}

/** A review, or a line of Per-MPST as released: a critic's reviews, including the one that is asked about. */
const reviewSchema = z.union(
  [
    z.looseObject({ reviewer: name, book: name, rating: z.number() }).transform((review) => [review]),
    z
      .looseObject({ examples: z.array(z.looseObject({ reviewer_name: name, movie_id: name, score: z.number() })) })
      .transform(({ examples }) =>
        examples.map(({ reviewer_name: reviewer, movie_id: book, score: rating }) => ({ reviewer, book, rating })),
      ),
  ],
  { error: lineOf("reviewer, book and rating, or examples as Per-MPST was released") },
);
const FEWEST_REVIEWS = 6;
const CURVE = [1, 2, 3, 4, 5];
/** How many earlier reviews, and how many earlier choices, the judges in the paper's tables were shown. */
const TABLE_HISTORY = 3;
const TABLE_CHOICES = 1;
const RESAMPLES = 500;
const CORRELATIONS = { pearson: resampledPearson, spearman: resampledSpearman, kendall: resampledKendall } as const;

/** PerSE's baselines of Table 2 (the mean of one to five earlier ratings), and Tables 2 to 7 from runs of judges. */
export async function reproducePerse(paper: Paper, data: PaperData, request: ReproduceRequest): Promise<Findings> {
  const random = seededRandom(request.seed);
  const ratings = await readRatings(data.path("reviews.jsonl"), request);
  const queries = drawQueries(ratings, random);
  const asked = queries.map(({ query }) => query.rating);
  const measure = (id: string, place: string, name: string, predicted: readonly number[]) =>
    (Object.keys(CORRELATIONS) as (keyof typeof CORRELATIONS)[]).map((by) => {
      const statistic = CORRELATIONS[by](predicted, asked);
      const draw = drawPositions(asked.length);
      return figureOf(paper, `${id}-${by}`, {
        place,
        name: `${name}, ${by}`,
        value: statistic([...asked.keys()]).value,
        interval: percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval,
        n: asked.length,
      });
    });
  const historyOf = (count: number) => queries.map(({ others }) => others.slice(0, count));
  const means = (count: number) =>
    historyOf(count).map((history) => meanOfHistory(history.map(({ rating }) => rating)) ?? Number.NaN);
  request.onProgress({ stage: "Factorising", done: 0, total: null });
  const held = new Set(queries.map(({ query }) => query));
  const model = factorise(
    ratings.rows.filter((row) => !held.has(row)),
    ratings.size,
    { ...FACTORISATION, random },
  );
  const factorised = historyOf(TABLE_HISTORY).map((history, at) => model.predict(history, queries[at]!.query.book));
  const baselines = [
    ...measure("mean", "Table 2", "mean of three earlier ratings", means(TABLE_HISTORY)),
    ...measure("factorisation", "Table 2", "matrix factorisation, three earlier ratings", factorised),
    ...CURVE.flatMap((count) =>
      measure(`k-${count}`, "Figure 5", `mean of ${count} earlier ratings`, means(count)).filter(({ name }) =>
        name.endsWith("kendall"),
      ),
    ),
  ];
  const runs = await readRuns(data.paths("runs-"));
  const computed = [...ratedFigures(paper, runs, random), ...chosenFigures(paper, runs)];
  const figures = computed.map(({ id: _, ...figure }) => figure);
  return { figures: [...baselines, ...figures, ...missingRows(paper, computed)], differences: [] };
}

interface Ratings {
  readonly rows: readonly Rating[];
  readonly size: { readonly readers: number; readonly books: number };
}

async function readRatings(path: string, { onProgress, signal }: ReproduceRequest): Promise<Ratings> {
  const readers = new Map<string, number>();
  const books = new Map<string, number>();
  const number = (known: Map<string, number>, name: string) => {
    const own = known.get(name) ?? known.size;
    known.set(name, own);
    return own;
  };
  const rows: Rating[] = [];
  const seen = new Set<string>();
  for await (const reviews of jsonLines(path, reviewSchema)) {
    for (const { reviewer, book, rating } of reviews) {
      if (rows.length % 5000 === 0) {
        signal.throwIfAborted();
        onProgress({ stage: "Reading reviews", done: rows.length, total: null });
      }
      // The release repeats a review in every history it was sampled for.
      const key = JSON.stringify([reviewer, book]);
      if (reviews.length > 1 && seen.has(key)) continue;
      seen.add(key);
      rows.push({ reader: number(readers, reviewer), book: number(books, book), rating });
    }
  }
  return { rows, size: { readers: readers.size, books: books.size } };
}

/** One review of each reader who has enough of them, and the reader's other reviews in random order. */
function drawQueries({ rows }: Ratings, random: Random): { query: Rating; others: Rating[] }[] {
  return [...groupBy(rows, ({ reader }) => reader).values()]
    .filter((own) => own.length >= FEWEST_REVIEWS)
    .map((own) => {
      const [query, ...others] = shuffled(own, random);
      return { query: query!, others };
    });
}

const settingSchema = z.looseObject({
  judge: z.string(),
  k: z.number(),
  starsOnly: z.boolean(),
  anonymised: z.enum(ANONYMISED).nullable(),
  protocol: z.string().default("fabula"),
  scale: z.number().optional(),
});
const sidesSchema = z.record(z.string(), z.enum(SIDES).nullable()).default({});
/** An output line of `reader review --in` or `reader compare --in`. */
const runSchema = z.union(
  [
    z.looseObject({
      verdict: z.union([
        z.looseObject({ kind: z.literal("scored"), score: z.number() }),
        z.looseObject({ kind: z.literal("unscored") }),
      ]),
      rating: z.number().nullable(),
      known: z.boolean().nullish(),
      setting: settingSchema,
    }),
    z.looseObject({
      chosen: z.record(z.string(), z.enum(SIDES).nullable()),
      preferred: sidesSchema,
      before: sidesSchema,
      consistent: z.record(z.string(), z.looseObject({ same: z.number(), of: z.number() })).optional(),
      positionBias: z.looseObject({ first: z.number(), decisions: z.number() }).nullish(),
      known: z.looseObject({ left: z.boolean(), right: z.boolean() }).nullish(),
      setting: settingSchema,
    }),
  ],
  {
    error: lineOf(
      "verdict, rating and setting, as `fabula reader review --in` writes them, or chosen, preferred and setting, as `fabula reader compare --in` does",
    ),
  },
);
type RunLine = z.infer<typeof runSchema>;
type ReviewLine = Extract<RunLine, { verdict: unknown }>;
type ChoiceLine = Exclude<RunLine, { verdict: unknown }>;
type Setting = RunLine["setting"];

/**
 * The judges in the paper's tables, recognised by a part of a model's name. A longer name comes before its own
 * beginning.
 */
const JUDGES: readonly (readonly [id: string, pattern: RegExp])[] = [
  ["perse-13b", /perse.*13b/i],
  ["perse-7b", /perse.*7b/i],
  ["llama-2-70b", /llama-?2.*70b/i],
  ["llama-2-13b", /llama-?2.*13b/i],
  ["llama-2-7b", /llama-?2.*7b/i],
  ["gpt-4", /gpt-4(?![.\w])|gpt-4-0613/i],
];
/** The paper's three forms of a plot: as published, with new names, with new names and retold. */
const FORMS: Readonly<Record<string, string>> = { none: "raw", names: "anonymised", both: "summarised" };
const ASPECTS = ["interestingness", "adaptability", "surprise", "character-development", "ending"];
const LEVEL = 0.95;

async function readRuns(paths: readonly string[]): Promise<RunLine[]> {
  const lines: RunLine[] = [];
  for (const path of paths) for (const line of await readJsonLines(path, runSchema)) lines.push(line);
  return lines;
}

/** The id of the paper's row for a judge; the model's own name if the paper has no row for it. */
function rowOf({ judge }: Setting): string {
  return JUDGES.find(([, pattern]) => pattern.test(judge))?.[0] ?? judge;
}

function formOf({ anonymised }: Setting): string | null {
  return FORMS[anonymised ?? "none"] ?? null;
}

/** The properties that distinguish two settings. */
const DIFFERENCES: readonly ((setting: Setting) => string)[] = [
  ({ judge }) => judge,
  ({ k }) => `k ${k}`,
  ({ protocol }) => `${protocol} form`,
  ({ anonymised }) => (anonymised === null ? "as published" : `anonymised by ${anonymised}`),
  ({ starsOnly }) => (starsOnly ? "stars alone" : "with words"),
  ({ scale }) => (scale === undefined ? "scale unknown" : `of ${scale}`),
];

/**
 * Groups runs that belong to one figure: the same model asked in the same way. If there are several groups, each is
 * labelled with its settings.
 */
function groupBySettings<Line extends RunLine>(
  lines: readonly Line[],
): { readonly kind: string; readonly own: readonly Line[] }[] {
  const told = DIFFERENCES.filter((tell) => new Set(lines.map(({ setting }) => tell(setting))).size > 1);
  const kinds = groupBy(lines, ({ setting }) => told.map((tell) => tell(setting)).join(", "));
  return [...kinds].map(([kind, own]) => ({ kind: kind === "" ? "" : ` (${kind})`, own }));
}

/**
 * Tables 2 and 7 from three earlier reviews and Table 6 from none, beside the ratings that the reader, or all
 * readers, gave.
 */
function ratedFigures(paper: Paper, runs: readonly RunLine[], random: Random): Identified[] {
  const lines = runs.filter((line): line is ReviewLine => "verdict" in line);
  const rated = (own: readonly ReviewLine[]) =>
    own.flatMap(({ verdict, rating }) =>
      verdict.kind === "scored" && rating !== null ? [{ score: Number(verdict.score), rating }] : [],
    );
  const correlations = (id: string, place: string, title: string, own: readonly ReviewLine[]) => {
    const pairs = rated(own);
    return (Object.keys(CORRELATIONS) as (keyof typeof CORRELATIONS)[]).map((by) => {
      const statistic = CORRELATIONS[by](
        pairs.map(({ score }) => score),
        pairs.map(({ rating }) => rating),
      );
      const draw = drawPositions(pairs.length);
      const enough = pairs.length > 2;
      return identified(paper, `${id}-${by}`, {
        ...{ place, name: `${title}, ${by}`, n: pairs.length },
        value: enough ? statistic([...pairs.keys()]).value : null,
        interval: enough ? percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval : null,
      });
    });
  };
  const withReader = [
    ...groupBy(
      lines.filter(({ setting }) => setting.k === TABLE_HISTORY),
      tableRow,
    ),
  ];
  const ablated = new Set(
    withReader.filter(([row]) => row.endsWith("-stars")).map(([row]) => row.replace(/-stars$/, "")),
  );
  const withoutReader = lines.filter(({ setting, known }) => setting.k === 0 && typeof known === "boolean");
  const forms = [...groupBy(withoutReader, ({ setting }) => formOf(setting) ?? "")].filter(([form]) => form !== "");
  return [
    ...withReader.flatMap(([row, lines]) =>
      groupBySettings(lines).flatMap(({ kind, own }) => {
        const words = `${row.replace(/-stars$/, ", without the words of the reviews")}${kind}`;
        const table2 = row.endsWith("-stars") ? [] : correlations(`table-2-${row}`, "Table 2", words, own);
        // In Table 7 the paper repeats its rows, with other figures, beside those without words.
        return row.endsWith("-stars") || ablated.has(row)
          ? [...table2, ...correlations(`table-7-${row}`, "Table 7", words, own)]
          : table2;
      }),
    ),
    ...forms.flatMap(([form, lines]) =>
      groupBySettings(lines).flatMap(({ kind, own }) =>
        (["known", "unknown"] as const).flatMap((group) => {
          const members = own.filter(({ known }) => known === (group === "known"));
          const words = `${group} plots, ${form}${kind}`;
          return [
            ...correlations(`table-6-${group}-${form}`, "Table 6", words, members),
            shareFigure(paper, `table-6-${group}-${form}-percent`, "Table 6", `${words}: share`, [
              members.length,
              own.length,
            ]),
          ];
        }),
      ),
    ),
  ];
}

function tableRow({ setting }: ReviewLine): string {
  return `${rowOf(setting)}${setting.starsOnly ? "-stars" : ""}`;
}

/**
 * Table 3 from choices with one earlier choice, by aspect; Tables 4 and 5 from choices without a reader, by what the
 * judge knows.
 */
function chosenFigures(paper: Paper, runs: readonly RunLine[]): Identified[] {
  const lines = runs.filter((line): line is ChoiceLine => "chosen" in line);
  const rows = groupBy(
    lines.filter(({ setting }) => setting.k === TABLE_CHOICES),
    ({ setting }) => rowOf(setting),
  );
  const right = (own: readonly ChoiceLine[], aspect: string, of: "chosen" | "before") =>
    own.flatMap((line) => {
      const [answer, truth] = [line[of][aspect], line.preferred[aspect]];
      if (!answer || !truth || truth === "tie") return [];
      return [answer === "tie" ? 0.5 : answer === truth ? 1 : 0];
    });
  const table3 = (row: string, words: string, own: readonly ChoiceLine[], of: "chosen" | "before") => {
    const byAspect = ASPECTS.map((aspect) => ({ aspect, points: right(own, aspect, of) }));
    const known = byAspect.filter(({ points }) => points.length > 0);
    const figures = known.map(({ aspect, points }) =>
      shareFigure(paper, `table-3-${row}-${aspect}`, "Table 3", `${words}: accuracy, ${aspect}`, [
        sumBy(points, (point) => point),
        points.length,
      ]),
    );
    // The paper's last column is the mean of all five; a mean of fewer would be another figure.
    if (known.length < ASPECTS.length) return figures;
    const average = identified(paper, `table-3-${row}-average`, {
      place: "Table 3",
      name: `${words}: accuracy, mean of the five aspects`,
      value: mean(known.map(({ points }) => mean(points))),
      n: sumBy(known, ({ points }) => points.length),
    });
    return [...figures, average];
  };
  const [one] = [...rows.values()].flatMap((own) => groupBySettings(own));
  const alone = lines.filter(({ setting, known, preferred }) => setting.k === 0 && known && preferred.overall);
  const forms = [...groupBy(alone, ({ setting }) => formOf(setting) ?? "")].filter(([form]) => form !== "");
  return [
    ...[...rows].flatMap(([row, own]) =>
      groupBySettings(own).flatMap((some) => table3(row, `${row}${some.kind}`, some.own, "chosen")),
    ),
    // The baseline that repeats the last choice needs no judge.
    ...(one ? table3("simple", "the last choice again", one.own, "before") : []),
    ...forms.flatMap(([form, own]) =>
      groupBySettings(own).flatMap((some) => knownFigures(paper, form, some.kind, some.own)),
    ),
  ];
}

const KNOWN = ["neither", "one", "both"] as const;

function knownFigures(paper: Paper, form: string, kind: string, lines: readonly ChoiceLine[]): Identified[] {
  const knownOf = ({ known }: ChoiceLine) => KNOWN[Number(known!.left) + Number(known!.right)]!;
  const decided = (own: readonly ChoiceLine[]) =>
    own.filter(({ chosen, preferred }) => chosen.overall && preferred.overall !== "tie");
  const table4 = KNOWN.flatMap((group) => {
    const own = decided(lines.filter((line) => knownOf(line) === group));
    const words = `${group} known, ${form}${kind}`;
    const id = `table-4-${group}-${form}`;
    const hits = sumBy(own, ({ chosen, preferred }) =>
      chosen.overall === "tie" ? 0.5 : chosen.overall === preferred.overall ? 1 : 0,
    );
    const same = sumBy(own, ({ consistent }) => consistent?.overall?.same ?? 0);
    const both = sumBy(own, ({ consistent }) => consistent?.overall?.of ?? 0);
    const first = sumBy(own, ({ positionBias }) => positionBias?.first ?? 0);
    const decisions = sumBy(own, ({ positionBias }) => positionBias?.decisions ?? 0);
    return [
      shareFigure(paper, `${id}-accuracy`, "Table 4", `${words}: accuracy`, [hits, own.length]),
      shareFigure(paper, `${id}-consistency`, "Table 4", `${words}: same answer in both orders`, [same, both]),
      identified(paper, `${id}-first`, {
        place: "Table 4",
        name: `${words}: favours the first plot more than half the time`,
        // Both orders are asked, so the better plot comes first in half of the cases.
        value: decisions === 0 ? null : first / decisions - 0.5,
        n: decisions,
      }),
      shareFigure(paper, `${id}-percent`, "Table 4", `${words}: share`, [
        lines.filter((line) => knownOf(line) === group).length,
        lines.length,
      ]),
    ];
  });
  const one = decided(lines.filter((line) => knownOf(line) === "one"));
  const sideOf = ({ known }: ChoiceLine) => (known!.left ? "left" : "right");
  const favoured = sumBy(one, (line) =>
    line.chosen.overall === "tie" ? 0.5 : Number(line.chosen.overall === sideOf(line)),
  );
  const better = sumBy(one, (line) => Number(line.preferred.overall === sideOf(line)));
  return [
    ...table4,
    identified(paper, `table-5-${form}`, {
      place: "Table 5",
      name: `${form}${kind}: favours the known plot more than readers do`,
      value: one.length === 0 ? null : (favoured - better) / one.length,
      n: one.length,
    }),
  ];
}

function shareFigure(
  paper: Paper,
  id: string,
  place: string,
  title: string,
  [part, whole]: readonly [number, number],
): Identified {
  return identified(paper, id, {
    ...{ place, name: title, n: whole },
    value: whole === 0 ? null : part / whole,
    interval: whole === 0 ? null : wilsonInterval(part, whole, LEVEL),
  });
}

/** A figure with the id of its printed counterpart. */
type Identified = ReproducedFigure & { readonly id: string };

function identified(paper: Paper, id: string, figure: Parameters<typeof figureOf>[2]): Identified {
  return { ...figureOf(paper, id, figure), id };
}

/** Printed figures that no run in the folder provides, each with the command that would provide it. */
function missingRows(paper: Paper, computed: readonly Identified[]): ReproducedFigure[] {
  const made = new Set(computed.map(({ id }) => id));
  return Object.entries(paper.printed).flatMap(([id, printed]) => {
    const [, table, row] = /^table-(\d)-(.*)$/.exec(id) ?? [];
    if (table === undefined || made.has(id)) return [];
    const { name, reason } = cell(Number(table), row!);
    return [{ place: `Table ${table}`, name, value: null, interval: null, n: 0, printed, reason }];
  });
}

/** Describes a printed figure as if it had been computed, with what would compute it. */
function cell(table: number, row: string): { readonly name: string; readonly reason: string } {
  const needs = (runs: string, command: string) =>
    `no ${runs} in the folder: \`fabula reader ${command} --out runs-NAME.jsonl\` would write them`;
  if (table >= 4 && table <= 6) {
    const form = Object.values(FORMS).find((one) => row.split("-").includes(one)) ?? "raw";
    const how = Object.entries(FORMS).find(([, one]) => one === form)![0];
    const asked = `--k 0 --probe${how === "none" ? "" : ` --anonymise-by ${how}`} --judge MODEL`;
    const [choices, reviews] = [`compare --in choices.jsonl ${asked}`, `review --in pairs.jsonl ${asked}`];
    const [group, what = ""] = [row.split("-")[0]!, row.split(`${form}-`)[1]];
    if (table === 5)
      return {
        name: `${form}: favours the known plot more than readers do`,
        reason: needs(`choices without a reader, ${form}, with what the judge knows,`, choices),
      };
    const words = {
      consistency: ": same answer in both orders",
      first: ": favours the first plot more than half the time",
    };
    const tail =
      (words as Record<string, string>)[what] ??
      (what === "percent" ? ": share" : table === 4 ? `: ${what}` : `, ${what}`);
    return table === 4
      ? {
          name: `${group} known, ${form}${tail}`,
          reason: needs(`choices without a reader, ${form}, with what the judge knows,`, choices),
        }
      : {
          name: `${group} plots, ${form}${tail}`,
          reason: needs(`reviews without a reader, ${form}, with what the judge knows,`, reviews),
        };
  }
  const judge = JUDGES.find(([id]) => row.startsWith(id))?.[0] ?? "simple";
  const rest = row.slice(judge.length + 1);
  if (table === 3) {
    const who = judge === "simple" ? "the last choice again" : judge;
    return {
      name: `${who}: accuracy, ${rest === "average" ? "mean of the five aspects" : rest}`,
      reason: needs(
        `choices ${judge === "simple" ? "" : `of ${judge} `}with one earlier choice on every one of the five aspects`,
        judge === "simple"
          ? "compare --in choices.jsonl"
          : `compare --in choices.jsonl --k ${TABLE_CHOICES} --judge MODEL`,
      ),
    };
  }
  const isBare = rest.startsWith("stars-");
  const without = isBare ? ", without the words of the reviews" : "";
  const both = table === 7 ? ", both with and without --stars-only," : "";
  return {
    name: `${judge}${without}, ${rest.replace(/^stars-/, "")}`,
    reason: needs(
      `reviews of ${judge} with three earlier ones${both}`,
      `review --in pairs.jsonl --k ${TABLE_HISTORY}${isBare ? " --stars-only" : ""} --judge MODEL`,
    ),
  };
}
