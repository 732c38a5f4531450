import { z } from "zod";
import { verdictSchema } from "../core/verdict.ts";
import type { Book } from "../text/book.ts";
import { draftChangesSchema } from "./drafts/change-schema.ts";
import { editLetterSchema, lineNotesPartSchema, mapPartSchema } from "./letter/parts.ts";
import { settingsSchema } from "./settings.ts";

const reasonSchema = z.object({
  about: z.enum(["story", "history"]),
  title: z.string().optional(),
  /** By how many stars it changed the rating. */
  effect: z.number(),
  text: z.string(),
});

/** The verdict for one reader, beside the one for everyone. All ratings are stars from 1 to 5. */
const personalPartSchema = z.object({
  reader: z.string(),
  /** `embedded` for the predictor that ships with Fabula, or the model that took the role of the reader. */
  judge: z.string(),
  verdict: verdictSchema,
  /** The average or forecast rating of readers in general, or the evaluation's general verdict in stars. */
  general: z.object({ rating: z.number(), from: z.enum(["average", "forecast", "judge"]) }).nullable(),
  difference: z.number().nullable(),
  headline: z.string(),
  /** The review this reader would write, in their style; null if no model was asked. */
  review: z.string().nullable(),
  /** Reasons for the difference, strongest first, and reasons against it. */
  because: z.array(reasonSchema),
  against: z.array(reasonSchema),
  story: reasonSchema.nullable(),
  /** The aspects this reader writes about, each with the general verdict on it. */
  where: z.array(
    z.object({
      aspect: z.string(),
      name: z.string(),
      /** How many of the reader's reviews mention it, and the mean of their stars. */
      reviews: z.number().int(),
      of: z.number().int(),
      stars: z.number().nullable(),
      otherStars: z.number().nullable(),
      general: verdictSchema,
      generalPercentile: z.number().nullable(),
      text: z.string(),
    }),
  ),
  /** Missing story details that would have helped the predictor. */
  missing: z.array(z.string()),
  notes: z.array(z.string()),
});

export type PersonalPart = z.infer<typeof personalPartSchema>;

/** An embedded judge's verdict on a book. Always show its speaker and caveat together with the score. */
const jurorResultSchema = z.object({
  id: z.enum(["crowd", "editor", "grader"]),
  /** Whose taste it was trained on: "readers of short stories online". */
  speaker: z.string(),
  version: z.string(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  /** On the juror's own scale, with a range that includes its own error. */
  overall: verdictSchema,
  /** The score of each chapter alone; null for a chapter that is too short. */
  chapters: z.array(z.number().nullable()),
  domain: z.enum(["inside", "outside", "far outside"]),
  caveat: z.string().nullable(),
  /** The grader's own criteria; the other jurors have none. `lower` marks a fault, where a low score is good. */
  criteria: z.array(
    z.object({ id: z.string(), name: z.string(), better: z.enum(["higher", "lower"]), verdict: verdictSchema }),
  ),
  /**
   * The percentiles of both ends of the score's range in a reference population; null for texts unlike the juror's
   * training data.
   */
  percentile: z.object({ low: z.number(), high: z.number(), reference: z.string() }).nullable(),
  /** Why there is no percentile; null if there is one. */
  noPercentile: z.string().nullable(),
});

/** The embedded judges side by side; they are never averaged. */
const juryPartSchema = z.object({
  /** The juror whose score is the evaluation's `overall`. */
  headline: z.enum(["crowd", "editor", "grader"]),
  jurors: z.array(jurorResultSchema).min(1),
  /** Pairs of jurors whose ranges, converted to a scale of 0 to 100, do not overlap. */
  apart: z.array(z.tuple([z.string(), z.string()])),
});

export type JurorResult = z.infer<typeof jurorResultSchema>;
export type JuryPart = z.infer<typeof juryPartSchema>;

/** An aspect in reading order, which may be part of another one. */
export interface AspectRow {
  readonly result: AspectResult;
  readonly isPart: boolean;
  /** The label of a part whose whole was not requested includes the whole: "Characters: Diversity". */
  readonly label: string;
}

/** Aspects in reading order, each followed by its parts. A part requested without its whole is a row like any other. */
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

/** The same judge's verdict with passages masked that address the judge, which shows how far they moved its scores. */
const maskedPartSchema = z.object({
  /** Words that were masked. */
  words: z.number().int().nonnegative(),
  overall: verdictSchema,
  /** By aspect id. */
  aspects: z.record(z.string(), verdictSchema),
  /** For the embedded judges, each on its own scale. */
  jurors: z.record(z.string(), verdictSchema).optional(),
  /** Calls of the second judging only; the evaluation's own figures include both. */
  calls: z.number().int().nonnegative(),
  cost: z.number().nonnegative().nullable(),
});

/** The overall score on people's scale, by a calibration learnt from texts that people rated. */
const peoplePartSchema = z.object({
  verdict: verdictSchema,
  /** How many texts the calibration was learnt from. */
  texts: z.number().int().positive(),
  raters: z.number().int().positive(),
  /** The probability with which the interval contains the rating that as many people would give a new text. */
  level: z.number(),
  /** Whether the score lies outside the range that the calibration was learnt from. */
  isBeyond: z.boolean(),
  /** For a text that the calibration was learnt from: its scores at the time, run by run, and people's rating. */
  pinned: z.object({ scores: z.array(z.number()), people: z.number() }).optional(),
});

/** A quotation that was looked up in the book. Offsets point into the text of the chapter. */
export const evidenceSchema = z.object({
  chapter: z.number().int().positive(),
  quote: z.string(),
  start: z.number().int().nonnegative().nullable(),
  end: z.number().int().nonnegative().nullable(),
  found: z.boolean(),
  /** How it was found: exactly, after normalising quotes and spaces, or approximately; null if it was not found. */
  match: z.enum(["exact", "normalised", "fuzzy"]).nullable(),
  similarity: z.number().min(0).max(1),
  /**
   * For line notes: the probability that a professional editor would change this sentence, and the likeliest kind of
   * change.
   */
  change: z.number().min(0).max(1).optional(),
  why: z.string().nullable().optional(),
});

/** A remark about an aspect, with the positions of its quotations in the aspect's `evidence`. */
export const remarkSchema = z.object({
  text: z.string(),
  evidence: z.array(z.number().int().nonnegative()),
  /** How often it was made, among how many segments and in how many runs; absent if it was made once. */
  times: z.number().int().positive().optional(),
  /** Names mentioned in it that do not occur in the book. */
  absentNames: z.array(z.string()).optional(),
});

const repeatsSchema = z.object({
  scores: z.array(z.number()),
  standardDeviation: z.number().nonnegative().nullable(),
  unscored: z.number().int().nonnegative(),
});

/** How many segments a score averages, in the run with the fewest; absent if segments have no scores of their own. */
const supportSchema = z.object({ scored: z.number().int().nonnegative(), segments: z.number().int().nonnegative() });

export const aspectResultSchema = z.object({
  id: z.string(),
  name: z.string(),
  abbreviation: z.string().optional(),
  /** The aspect it is a part of, which may not have been requested. */
  parent: z.string().optional(),
  parentName: z.string().optional(),
  verdict: verdictSchema,
  support: supportSchema.optional(),
  /**
   * Share of the reference population at or below this score, 0–100; null if there is no population to compare with.
   */
  percentile: z.number().min(0).max(100).nullable(),
  strengths: z.array(remarkSchema),
  weaknesses: z.array(remarkSchema),
  evidence: z.array(evidenceSchema),
  /** The verdict by chapter (or by segment), if the method gives one. */
  course: z.array(z.object({ chapter: z.number().int().positive(), verdict: verdictSchema })),
  /** For repeated judgements: every score, their standard deviation, and how many runs gave no score. */
  repeats: repeatsSchema.optional(),
});

export const coverageSchema = z.object({
  words: z.number().int().nonnegative(),
  judgedWords: z.number().int().nonnegative(),
  share: z.number().min(0).max(1),
  /** Of the judged words, those read in full; the others are known only through a summary. */
  inFull: z.number().int().nonnegative().optional(),
  throughSummaries: z.number().int().nonnegative().optional(),
  /** How many words a judge of a summary was shown verbatim, as excerpts. */
  quoted: z.number().int().nonnegative().optional(),
  skipped: z.array(z.object({ chapter: z.number().int().positive(), reason: z.string() })),
});

/** Text in a book that addresses a judge instead of a reader: the scores may be manipulated. */
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
    /** In how many of the runs it was seen. */
    runs: z.number().int().nonnegative(),
  }),
);

/** The verdicts of a panel's judges, and how far they agree. */
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
  /** Kendall's W over the aspects: 1 if all judges rank them in the same order. */
  concordance: z.number().nullable(),
  /** The combined overall score with each judge left out in turn. */
  without: z.array(z.object({ judge: z.string(), overall: verdictSchema })),
});

/** The complete evaluation of one book, as read by reports, the web app and other programs. */
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
  /** All settings it was made with; an embedded judge has none. */
  settings: settingsSchema.optional(),
  overall: verdictSchema,
  /** For an embedded judge: whose opinion the overall score is, and the caveat to show with it. */
  overallSpeaker: z.object({ juror: z.string(), speaker: z.string(), caveat: z.string().nullable() }).optional(),
  support: supportSchema.optional(),
  people: peoplePartSchema.optional(),
  overallPercentile: z.number().min(0).max(100).nullable(),
  overallCourse: z.array(z.object({ chapter: z.number().int().positive(), verdict: verdictSchema })),
  aspects: z.array(aspectResultSchema),
  /** The reference population behind the percentiles, with its scores for the plot; null if there is none. */
  population: z
    .object({ id: z.string(), description: z.string(), size: z.number().int(), overall: z.array(z.number()) })
    .nullable(),
  coverage: coverageSchema,
  calls: z.number().int().nonnegative(),
  /** US dollars; null if the price is unknown, and a lower bound if `unpricedCalls` is above zero. */
  cost: z.number().nonnegative().nullable(),
  unpricedCalls: z.number().int().nonnegative().optional(),
  /** Calls that are paid for through another of the user's accounts, such as a subscription. */
  coveredCalls: z.number().int().nonnegative().optional(),
  notes: z.array(z.string()),
  /** Assessment, repeats, grounding, ledger and panel exist only for language models. */
  assessment: z.string().nullable().optional(),
  repeats: repeatsSchema.optional(),
  /** How many of all quotations in all runs were found in the book. */
  grounding: z.object({ quotations: z.number().int(), found: z.number().int() }).optional(),
  ledger: ledgerSchema.optional(),
  /** Passages that address the judge. */
  suspicions: z.array(suspicionSchema).optional(),
  /** The scores with those passages masked, if a second judging was requested and there were any. */
  masked: maskedPartSchema.optional(),
  panel: panelSchema.optional(),
  /** The embedded judges' verdicts, side by side; absent if language models judged. */
  jury: juryPartSchema.optional(),
  /** The edit letter, which a writer reads first; made from the map, the line notes and the verdicts. */
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

/** The method name of an evaluation that was made elsewhere and imported. */
export const IMPORTED = "imported";

/** The part of an evaluation that describes the book itself. */
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
/** The part of an evaluation that says how it was made. */
export type HowJudged = Pick<BookEvaluation, "judge" | "method" | "rubric" | "settings">;
export type Suspicion = z.infer<typeof suspicionSchema>;
export type Ledger = z.infer<typeof ledgerSchema>;
export type Panel = z.infer<typeof panelSchema>;

/**
 * Why an outline has no score for the writing. No judge could have given one, so this is not a gap of the evaluation.
 */
export const NO_PROSE = "there is no sample of the prose";
