import { z } from "zod";
import { verdictSchema } from "../core/verdict.ts";
import type { Book } from "../text/book.ts";
import { draftChangesSchema } from "./drafts/change-schema.ts";
import { editLetterSchema, lineNotesPartSchema, mapPartSchema } from "./letter/parts.ts";
import { settingsSchema } from "./settings.ts";

const reasonSchema = z.object({
  about: z.enum(["story", "history"]),
  title: z.string().optional(),
  /** Stars that it moved the rating by. */
  effect: z.number(),
  text: z.string(),
});

/** What an evaluation says for one reader, beside what it says for everyone. All ratings are stars from 1 to 5. */
const personalPartSchema = z.object({
  reader: z.string(),
  /** `embedded` for the predictor that ships inside, or the model that stood in for the reader. */
  judge: z.string(),
  verdict: verdictSchema,
  /** What readers in general give or should give, or the general verdict of this evaluation in stars. */
  general: z.object({ rating: z.number(), from: z.enum(["average", "forecast", "judge"]) }).nullable(),
  difference: z.number().nullable(),
  headline: z.string(),
  /** The review this reader would write, in their manner; null when no model was asked. */
  review: z.string().nullable(),
  /** What pulls towards the difference, strongest first, and what pulls against it. */
  because: z.array(reasonSchema),
  against: z.array(reasonSchema),
  story: reasonSchema.nullable(),
  /** The aspects this reader writes about, with what the general verdict says of each. */
  where: z.array(
    z.object({
      aspect: z.string(),
      name: z.string(),
      /** In how many of the reader's reviews it is spoken of, and the mean of their stars. */
      reviews: z.number().int(),
      of: z.number().int(),
      stars: z.number().nullable(),
      otherStars: z.number().nullable(),
      general: verdictSchema,
      generalPercentile: z.number().nullable(),
      text: z.string(),
    }),
  ),
  /** Missing details of the story that would have helped the predictor. */
  missing: z.array(z.string()),
  notes: z.array(z.string()),
});

export type PersonalPart = z.infer<typeof personalPartSchema>;

/** What one of the embedded judges says of a book. Who is speaking and the caveat belong beside the score wherever it is shown. */
const jurorResultSchema = z.object({
  id: z.enum(["crowd", "editor", "grader"]),
  /** Whose taste it learnt: "readers of short stories online". */
  speaker: z.string(),
  version: z.string(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  /** On the juror's own scale, with a range that holds its own error. */
  overall: verdictSchema,
  /** The score of each chapter by itself, null for one too short. */
  chapters: z.array(z.number().nullable()),
  domain: z.enum(["inside", "outside", "far outside"]),
  caveat: z.string().nullable(),
  /** The grader's own criteria; the other jurors have none. `lower` marks a fault, of which less is better. */
  criteria: z.array(
    z.object({ id: z.string(), name: z.string(), better: z.enum(["higher", "lower"]), verdict: verdictSchema }),
  ),
  /** Where the ends of the score's range stand in a reference population; null outside the juror's domain. */
  percentile: z.object({ low: z.number(), high: z.number(), reference: z.string() }).nullable(),
  /** Why there is no percentile; null when there is one. */
  noPercentile: z.string().nullable(),
});

/** The embedded judges side by side. They are never averaged. */
const juryPartSchema = z.object({
  /** The juror whose score is the evaluation's `overall`. */
  headline: z.enum(["crowd", "editor", "grader"]),
  jurors: z.array(jurorResultSchema).min(1),
  /** Pairs of jurors whose ranges, each moved to a scale of 0 to 100, do not overlap. */
  apart: z.array(z.tuple([z.string(), z.string()])),
});

export type JurorResult = z.infer<typeof jurorResultSchema>;
export type JuryPart = z.infer<typeof juryPartSchema>;

/** An aspect in its place: after the one it is a part of, or by itself. */
export interface AspectRow {
  readonly result: AspectResult;
  readonly isPart: boolean;
  /** A part whose whole was not asked for names it: "Characters: Diversity". */
  readonly label: string;
}

/** Aspects in reading order, each followed by its parts. A part asked for alone is a row like any other. */
export function aspectRows(aspects: readonly AspectResult[]): AspectRow[] {
  const asked = new Set(aspects.map(({ id }) => id));
  const isPart = ({ parent }: AspectResult) => parent !== undefined && asked.has(parent);
  return aspects
    .filter((aspect) => !isPart(aspect))
    .flatMap((whole) => [
      { result: whole, isPart: false, label: labelOf(whole) },
      ...aspects
        .filter(({ parent }) => parent === whole.id)
        .map((part) => ({ result: part, isPart: true, label: part.name })),
    ]);
}

function labelOf({ name, parent, parentName }: AspectResult): string {
  return parent === undefined ? name : `${parentName ?? parent}: ${name}`;
}

/** What the same judge says when the passages that speak to it are masked: how far they moved its scores. */
const maskedPartSchema = z.object({
  /** Words that were masked. */
  words: z.number().int().nonnegative(),
  overall: verdictSchema,
  /** By the aspect's id. */
  aspects: z.record(z.string(), verdictSchema),
  /** Of the embedded judges, each on its own scale. */
  jurors: z.record(z.string(), verdictSchema).optional(),
  /** Of the second judging alone; the evaluation's own figures hold both. */
  calls: z.number().int().nonnegative(),
  cost: z.number().nonnegative().nullable(),
});

/** The overall score on people's scale, by a calibration from texts that people rated. */
const peoplePartSchema = z.object({
  verdict: verdictSchema,
  /** What the calibration was learnt from. */
  texts: z.number().int().positive(),
  raters: z.number().int().positive(),
  /** The chance with which the interval holds what as many people would say of a new text. */
  level: z.number(),
  /** Whether the score lies outside those it was learnt from. */
  isBeyond: z.boolean(),
  /** Of a text that it was learnt from: the scores it had then, run by run, and what people said. */
  pinned: z.object({ scores: z.array(z.number()), people: z.number() }).optional(),
});

/** A quotation that was searched for in the book. Offsets point into the text of the chapter. */
export const evidenceSchema = z.object({
  chapter: z.number().int().positive(),
  quote: z.string(),
  start: z.number().int().nonnegative().nullable(),
  end: z.number().int().nonnegative().nullable(),
  found: z.boolean(),
  /** How it was found: letter by letter, after normalising quotes and spaces, or nearly; null when it was not. */
  match: z.enum(["exact", "normalised", "fuzzy"]).nullable(),
  similarity: z.number().min(0).max(1),
  /** From the line notes: the probability that a professional editor changes this sentence, and the likeliest kind of change. */
  change: z.number().min(0).max(1).optional(),
  why: z.string().nullable().optional(),
});

/** Something said about an aspect, with the positions of its quotations in the aspect's `evidence`. */
export const remarkSchema = z.object({
  text: z.string(),
  evidence: z.array(z.number().int().nonnegative()),
  /** How often it was said, of how many segments and in how many runs; absent where it was said once. */
  times: z.number().int().positive().optional(),
  /** Names it mentions that do not occur in the book. */
  absentNames: z.array(z.string()).optional(),
});

const repeatsSchema = z.object({
  scores: z.array(z.number()),
  standardDeviation: z.number().nonnegative().nullable(),
  unscored: z.number().int().nonnegative(),
});

/** Of how many segments a score is the average, in the run with the fewest; absent where segments have no scores of their own. */
const supportSchema = z.object({ scored: z.number().int().nonnegative(), segments: z.number().int().nonnegative() });

export const aspectResultSchema = z.object({
  id: z.string(),
  name: z.string(),
  abbreviation: z.string().optional(),
  /** The aspect it is a part of, which need not have been asked for. */
  parent: z.string().optional(),
  parentName: z.string().optional(),
  verdict: verdictSchema,
  support: supportSchema.optional(),
  /** Share of the reference population at or below this score, 0–100; null when there is no population to compare with. */
  percentile: z.number().min(0).max(100).nullable(),
  strengths: z.array(remarkSchema),
  weaknesses: z.array(remarkSchema),
  evidence: z.array(evidenceSchema),
  /** The verdict chapter by chapter (or segment by segment), where the method gives one. */
  course: z.array(z.object({ chapter: z.number().int().positive(), verdict: verdictSchema })),
  /** For repeated judgements: every score, their standard deviation, and how many runs gave none. */
  repeats: repeatsSchema.optional(),
});

export const coverageSchema = z.object({
  words: z.number().int().nonnegative(),
  judgedWords: z.number().int().nonnegative(),
  share: z.number().min(0).max(1),
  /** Of the judged words: read in full, and known through a summary alone. */
  inFull: z.number().int().nonnegative().optional(),
  throughSummaries: z.number().int().nonnegative().optional(),
  /** Words that a judge of a summary was shown word for word, as excerpts. */
  quoted: z.number().int().nonnegative().optional(),
  skipped: z.array(z.object({ chapter: z.number().int().positive(), reason: z.string() })),
});

/** Text in a book that speaks to a judge instead of a reader: the scores may be manipulated. */
export const suspicionSchema = z.object({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string(),
  why: z.string(),
});

/** Which words of the book a judge saw, segment by segment, and in what form. */
export const ledgerSchema = z.array(
  z.object({
    segment: z.number().int().positive(),
    chapters: z.array(z.number().int().positive()),
    words: z.number().int().nonnegative(),
    seenAs: z.enum(["text", "summary", "nothing"]),
    reason: z.string().nullable(),
    /** In how many of the runs. */
    runs: z.number().int().nonnegative(),
  }),
);

/** What the judges of a panel said, and how far they agree. */
export const panelSchema = z.object({
  judges: z.array(
    z.object({
      judge: z.string(),
      overall: verdictSchema,
      aspects: z.record(z.string(), verdictSchema),
      runs: z.number().int().positive().optional(),
      repeats: repeatsSchema.optional(),
      coverage: coverageSchema.optional(),
      ledger: ledgerSchema.optional(),
    }),
  ),
  /** Mean absolute difference between judges over all aspects, in points. */
  difference: z.number().nonnegative().nullable(),
  /** Kendall's W over the aspects: 1 when all judges rank them alike. */
  concordance: z.number().nullable(),
  /** The combined overall score with each judge left out in turn. */
  without: z.array(z.object({ judge: z.string(), overall: verdictSchema })),
});

/** Everything an evaluation says about one book: what reports, the web app and other programs read. */
export const bookEvaluationSchema = z.object({
  book: z.object({
    file: z.string(),
    title: z.string(),
    author: z.string().nullable(),
    language: z.string().nullable(),
    words: z.number().int().nonnegative(),
    chapters: z.array(z.object({ index: z.number().int(), title: z.string().nullable(), words: z.number().int() })),
    warnings: z.array(z.string()),
  }),
  judge: z.string(),
  method: z.string(),
  rubric: z.object({ id: z.string(), version: z.number().int() }),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  runs: z.number().int().positive(),
  /** How it was made, to the last setting; an embedded judge has none. */
  settings: settingsSchema.optional(),
  overall: verdictSchema,
  /** Of an embedded judge: whose opinion the overall score is, and what must stand beside it. */
  overallSpeaker: z.object({ juror: z.string(), speaker: z.string(), caveat: z.string().nullable() }).optional(),
  support: supportSchema.optional(),
  people: peoplePartSchema.optional(),
  overallPercentile: z.number().min(0).max(100).nullable(),
  overallCourse: z.array(z.object({ chapter: z.number().int().positive(), verdict: verdictSchema })),
  aspects: z.array(aspectResultSchema),
  /** The reference population the percentiles speak of, with its scores for the plot; null when there is none. */
  population: z
    .object({ id: z.string(), description: z.string(), size: z.number().int(), overall: z.array(z.number()) })
    .nullable(),
  coverage: coverageSchema,
  calls: z.number().int().nonnegative(),
  /** US dollars; null when the price is not known, and the least it can have been when `unpricedCalls` is above zero. */
  cost: z.number().nonnegative().nullable(),
  unpricedCalls: z.number().int().nonnegative().optional(),
  /** Calls that another account of the user's pays for, such as a subscription. */
  coveredCalls: z.number().int().nonnegative().optional(),
  notes: z.array(z.string()),
  /** The assessment, the repeats, the grounding, the ledger and the panel are of language models only. */
  assessment: z.string().nullable().optional(),
  repeats: repeatsSchema.optional(),
  /** Of all quotations in all runs, how many were found in the book. */
  grounding: z.object({ quotations: z.number().int(), found: z.number().int() }).optional(),
  ledger: ledgerSchema.optional(),
  /** Passages that speak to the judge. */
  suspicions: z.array(suspicionSchema).optional(),
  /** The scores with those passages masked, where a second judging was asked for and there were any. */
  masked: maskedPartSchema.optional(),
  panel: panelSchema.optional(),
  /** What the embedded judges say, side by side; absent when language models judged. */
  jury: juryPartSchema.optional(),
  /** What a writer reads first; made from the map, the line notes and the verdicts. */
  letter: editLetterSchema.optional(),
  map: mapPartSchema.optional(),
  lineNotes: lineNotesPartSchema.optional(),
  /** How this draft differs from an earlier one. */
  changes: draftChangesSchema.optional(),
  /** One reader's predicted verdict, beside the general one. */
  personal: personalPartSchema.optional(),
  /** The stored run that holds every call of this evaluation. */
  run: z.string().optional(),
});

/** The method of an evaluation that was made elsewhere and brought in. */
export const IMPORTED = "imported";

/** What an evaluation says of the book itself. */
export function bookPart(book: Book): BookEvaluation["book"] {
  return {
    file: book.source.file,
    title: book.title,
    author: book.author,
    language: book.language,
    words: book.words,
    chapters: book.chapters.map(({ index, title, words }) => ({ index, title, words })),
    warnings: [...book.warnings],
  };
}

export type Evidence = z.infer<typeof evidenceSchema>;
export type Remark = z.infer<typeof remarkSchema>;
export type AspectResult = z.infer<typeof aspectResultSchema>;
export type Coverage = z.infer<typeof coverageSchema>;
/**
 * An evaluation, as functions return it and files hold it. Its fields are listed in
 * [fabula.evaluation.v1.json](../../assets/schemas/fabula.evaluation.v1.json).
 */
export interface BookEvaluation extends z.infer<typeof bookEvaluationSchema> {}
/** What an evaluation says of how it was made. */
export type HowJudged = Pick<BookEvaluation, "judge" | "method" | "rubric" | "settings">;
export type Suspicion = z.infer<typeof suspicionSchema>;
export type Ledger = z.infer<typeof ledgerSchema>;
export type Panel = z.infer<typeof panelSchema>;

/** Why an outline's writing has no score: no judge could have given one, so it is no gap of the evaluation. */
export const NO_PROSE = "there is no sample of the prose";
