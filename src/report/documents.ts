import { z } from "zod";
import { findingSchema, passageSchema } from "../core/finding.ts";
import { verdictSchema } from "../core/verdict.ts";
import { fabulaVersion } from "../core/version.ts";
import { bookEvaluationSchema } from "../judge/evaluation.ts";
import { storySchema } from "../judge/letter/parts.ts";

/**
 * The JSON documents that Fabula writes for other programs. Fields may be added, so every object allows more than it
 * lists; listed fields are never renamed. `assets/schemas/` has the same definitions as JSON Schemas.
 */
const count = z.number().int().nonnegative();
const text = z.string();
const maybe = z.string().nullable();
const range = z.tuple([z.number(), z.number()]);
const list = z.array(z.unknown());
const object = z.looseObject;
const record = z.record(z.string(), z.unknown());
const failed = z.array(object({ file: text, reason: text })).optional();

const call = { run: maybe.optional(), calls: count.optional(), cost: z.number().nonnegative().nullable().optional() };

const chapter = object({ index: z.number().int().positive(), title: maybe, words: count });
const book = object({
  file: text,
  title: text,
  author: maybe,
  language: maybe,
  words: count,
  tokens: count,
  chapters: z.array(chapter),
  removed: list,
  warnings: z.array(text),
});

const findings = z.array(z.looseObject(findingSchema.shape));

const forecast = z.union([
  object({ id: z.union([text, z.number()]), rating: z.number(), interval: range, percentile: z.number() }),
  object({ id: z.union([text, z.number()]), unscored: text }),
]);

const note = object({
  chapter: z.number().int().positive(),
  start: count,
  end: count,
  change: z.number().min(0).max(1),
  why: maybe,
  sentence: text,
});

const figure = object({ value: z.number().nullable(), interval: range.nullable().optional() });
/** How often each reason was given. */
const reasons = z.record(z.string(), count);
const named = z.array(object({ name: text, count }));
const metrics = object({ items: count, metrics: z.record(z.string(), z.number()) });

/** The body of each kind of document, without `schema` and `fabula`. */
export const DOCUMENT_SCHEMAS = {
  evaluations: object({ evaluations: z.array(z.looseObject(bookEvaluationSchema.shape)), failed }),
  evaluation: z.looseObject(bookEvaluationSchema.shape),
  plan: object({ plan: record }),
  books: object({ books: z.array(book), failed }),
  comparison: object({ judge: text, books: z.array(object({ file: text, title: text })), aspects: list, ...call }),
  "reader-preference": object({ books: list, ...call }),
  forecasts: object({ forecasts: z.array(forecast), unscored: count.optional() }),
  notes: object({ title: text, sentences: count, notes: z.array(note), unscored: maybe, caveat: maybe }),
  "noted-items": object({ items: count, unscored: count, unreadableLines: z.array(count), out: text }),
  "annotated-manuscript": object({ notes: count, placed: count, out: text }),
  story: object({
    book: object({ title: text, words: count, chapters: count }),
    judge: text,
    depth: text,
    story: storySchema.nullable(),
    unanswered: list,
    ...call,
  }),
  "book-answer": object({
    book: object({ title: text, words: count, chapters: count }),
    question: text,
    judge: text,
    answer: object({
      said: z.boolean(),
      isUnsupported: z.boolean(),
      answer: text,
      passages: z.array(passageSchema),
    }).nullable(),
    reason: maybe,
    ...call,
  }),
  checks: object({ books: z.array(object({ file: text, title: text, findings, notTried: list })), failed }),
  "checked-items": object({ texts: count, findings: count, out: text }),
  map: object({ book: object({ title: text, words: count, chapters: count }), reference: record, figures: list }),
  "mapped-items": object({ texts: count, out: text }),
  "scored-items": object({ judge: text, items: count, scored: count, unscored: count, out: text }),
  replies: object({
    replies: z.array(object({ file: text, aspects: z.record(z.string(), verdictSchema), overall: verdictSchema })),
  }),
  population: object({ id: text, description: text, judge: text, books: list }),
  reference: object({ id: text, description: text, novels: list }),

  agreement: z.union([
    object({ level: text, n: count, pearson: figure, spearman: figure, kendall: figure }),
    object({ rows: list }),
  ]),
  "vote-agreement": object({ source: text, votes: count, voters: count, books: count, judges: list }),
  trust: object({
    table: text,
    human: z.array(text),
    texts: count,
    ceiling: record,
    judges: list,
    plan: record,
    answer: z.array(text),
  }),
  calibration: object({ people: object({ table: text, raters: z.array(text) }), judges: list }),
  "judge-health": object({ scores: text, judges: list }),
  stress: object({ judge: text, seed: z.number(), strength: z.number(), books: list, summary: list, ...call }),
  probe: object(call),
  reproduction: object({ paper: text, files: list, figures: list, differences: z.array(text) }),

  "reader-prediction": object({ reader: text }),
  "predicted-ratings": object({ pairs: count, predicted: count, unscored: reasons }),
  "reader-review": object({ reader: text, ...call }),
  "reader-groups": object({ groups: list, unscored: reasons, unprobed: reasons, ...call }),
  "reader-comparison": object({ reader: text, judge: text, ...call }),
  "reader-choices": object({
    judge: text,
    pairs: count,
    answered: count,
    unanswered: reasons,
    unprobed: reasons,
    aspects: list,
    ...call,
  }),
  "reader-curve": object({ judge: text, points: list, ...call }),
  "reader-questions": object({ reader: text, about: text, candidates: count, questions: list }),
  "reader-ranking": object({ reader: text, books: list, unranked: list }),
  "reader-dataset": object({ train: count, validation: count, stories: count, ...call }),
  profile: object({ name: text, reviews: count }),
  profiles: object({ profiles: list }),
  "imported-profile": object({ name: text, imported: count, reviews: count }),
  "exported-profile": object({ name: text, reviews: count, file: text }),
  "deleted-profile": object({ deleted: text }),

  "structured-reviews": object({ reviews: count, dropped: count, unscored: count, unmapped: named, ...call }),
  "mapped-reviews": object({ reviews: count, names: count, exact: count, similar: count, unmapped: named }),
  "sampled-reviews": object({ reviews: count, kept: count, books: count, stars: list }),
  "normalised-reviews": object({ ratings: count, reviewers: count, platform: record, before: record, after: record }),
  "exported-reviews": object({ books: record, reviews: record, examples: record }),
  "review-importance": object({ reviews: count }),
  "review-findings": object({ mitigation: record, normalisation: record, criteria: record, unmapped: named }),

  "qa-questions": object({ document: record, asked: count, dropped: list, unanswered: list, known: count, ...call }),
  "qa-exam": object({ questions: count, known: count, settings: record, differences: list, missing: reasons, ...call }),
  "qa-clean": object({ books: list, failed: list }),
  "qa-filter": object({ documents: count, questions: count, removed: list, unjudged: list }),
  "qa-dedupe": object({ documents: count, questions: count, removed: count, doubtful: count, duplicates: list }),
  "qa-refine": object({ questions: count, kept: count, corrected: count, dropped: count, ...call }),
  "qa-review": record,
  "qa-answers": object({ questions: count, answered: count, unanswered: reasons, ...call }),
  "qa-scores": z.union([metrics, object({ files: z.array(metrics) })]),
  "qa-agreement": record,
  "qa-sample": record,
  "qa-sheet": object({ lines: count }),
  "qa-ratings": record,
  "qa-audit": record,
  "qa-steps": object({ file: text, steps: list }),

  "bench-chapters": object({ novels: count, chapters: count, excluded: list, warnings: list }),
  "bench-synopses": object({ chapters: count, failed: count, run: maybe }),
  "bench-population": record,
  "bench-writers": record,
  "placed-texts": object({ texts: count, unscored: count, out: text }),
  "frozen-benchmark": object({
    folder: text,
    version: count,
    novels: count,
    chapters: count,
    judges: list,
    writers: list,
  }),
  "head-to-head": object({
    folder: text,
    board: record.nullable(),
    asked: count,
    known: count,
    votes: count,
    unanswered: count,
    ended: text,
    ...call,
  }),
  "books-over-length": object({
    folder: text,
    chapters: count,
    scale: record,
    writers: list,
    unfinished: count,
    unscored: count,
    ...call,
  }),
  "extended-benchmark": object({ folder: text, version: count, judges: list, writers: list, added: record, ...call }),
  submission: object({
    writer: text,
    chapters: count,
    asked: count,
    missing: list,
    problems: list,
    taken: z.boolean(),
  }),
  "site-verification": object({ site: text, version: count, files: count, different: list }),
  leaderboard: object({ population: record }),
  "leaderboard-site": object({ site: text, folder: text, writers: list }),

  runs: object({ runs: list }),
  run: object({ id: text, status: text, summary: record, events: list }),
  "exported-run": object({ run: text, out: text, format: text, calls: count }),
  "paused-run": object({ run: text, paused: z.boolean() }),
  "cancelled-run": object({ run: text }),
  limits: object({
    providers: z.array(
      object({
        provider: text,
        concurrency: z.number().nullable(),
        requestsPerMinute: z.number().nullable(),
        tokensPerMinute: z.number().nullable(),
        held: count,
      }),
    ),
    owners: z.array(object({ owner: text, share: z.number(), working: count })),
  }),
  "copied-store": object({ from: text, to: text, copied: record }),
  "trusted-settings": object({ file: text, trusted: z.boolean() }),
  doctor: object({ findings: list, prices: record }),
  setup: object({ judges: list, default: maybe, settings: maybe }),
  models: object({ date: text, providers: list, models: list, judges: list }),
  completions: object({ shell: text, script: text }),
  prompt: object({ name: text, language: text, messages: list }),
  prompts: object({ prompts: list }),
  server: object({ url: text }),
  "rubric-check": object({ file: text, ok: z.boolean(), problems: list }),
  demo: object({ report: text, evaluations: list }),
} as const satisfies Record<string, z.ZodType>;

export type DocumentKind = keyof typeof DOCUMENT_SCHEMAS;

/** The name and version of a document's schema: within a version fields may be added, never renamed. */
export function schemaName(kind: DocumentKind): `fabula.${DocumentKind}.v1` {
  return `fabula.${kind}.v1`;
}

/** Adds what every JSON document of Fabula contains: its schema, and the version that wrote it. */
export function asDocument<Body extends object>(kind: DocumentKind, body: Body) {
  return { schema: schemaName(kind), fabula: fabulaVersion(), ...body };
}
