import { z } from "zod";
import { findingSchema, passageSchema } from "../../core/finding.ts";

/** A verbatim passage of the book: `text.slice(start, end)` of the chapter is `quote`. */
const quotedPassageSchema = z.object({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string(),
  /** The relevant words, as offsets into the quote; null if all of it is relevant. */
  mark: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).nullable(),
});

export type QuotedPassage = z.infer<typeof quotedPassageSchema>;

/** A figure of the book beside the same figure of the reference novels. */
export const letterFigureSchema = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.enum(["words", "share", "per 1,000 words", "score", "ratio"]),
  value: z.number(),
  /** Median and middle 90 % of the reference novels; null if there is nothing to compare with. */
  reference: z.object({ median: z.number(), low: z.number(), high: z.number() }).nullable(),
  place: z.enum(["below", "inside", "above"]).nullable(),
});

export type LetterFigure = z.infer<typeof letterFigureSchema>;

/**
 * A quotation with its position, as offsets and in words. Marks show where it was cut; the text between them is the
 * book's own.
 */
export interface QuotationView extends Pick<QuotedPassage, "chapter" | "start" | "end"> {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  readonly where: string;
  readonly note: string | null;
}

/** An element of the letter, the same for every format: the terminal, Markdown, HTML and Word only lay it out. */
export type LetterBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string; readonly quiet?: true }
  | { readonly kind: "list"; readonly entries: readonly string[]; readonly numbered: boolean }
  | { readonly kind: "quote"; readonly quote: QuotationView }
  | LetterItemBlock;

interface LetterItemBlock {
  readonly kind: "item";
  /** The finding's id. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly quotes: readonly QuotationView[];
  readonly advice: string;
  /** A minor finding: the terminal only names it, and files show it in full. */
  readonly minor?: true;
}

export interface LetterView {
  readonly language: "en" | "zh";
  readonly blocks: readonly LetterBlock[];
}

const count = z.number().int().nonnegative();
const chapterNumber = z.number().int().positive();

/** The manuscript map as reports and the web app show it: the figures, with quotations of the passages behind each. */
export const mapPartSchema = z.object({
  person: z.string().nullable(),
  tense: z.string().nullable(),
  chapters: z.array(
    z.object({
      chapter: chapterNumber,
      words: count,
      scenes: count,
      /** Share of words that are dialogue. */
      dialogue: z.number().nullable(),
      sentenceWords: z.number().nullable(),
      tone: z.number().nullable(),
      person: z.string().nullable(),
      tense: z.string().nullable(),
      /** Marked sentences per 1,000 words. */
      notes: z.number().nullable(),
      opening: z.string(),
      closing: z.string(),
    }),
  ),
  figures: z.array(letterFigureSchema.extend({ passages: z.array(quotedPassageSchema) })),
  characters: z.array(
    z.object({
      name: z.string(),
      aliases: z.array(z.string()),
      mentions: count,
      spokenWords: count,
      /** Mentions in each chapter, in the order of `chapters`. */
      presence: z.array(count),
      first: quotedPassageSchema.nullable(),
      last: quotedPassageSchema.nullable(),
      absences: z.array(z.object({ from: z.number(), to: z.number(), chapters: count, words: count })),
    }),
  ),
  /** For the main characters: in how many paragraphs each pair appears together. */
  together: z.object({ names: z.array(z.string()), paragraphs: z.array(z.array(count)) }),
  lookAlikes: z.array(z.object({ names: z.tuple([z.string(), z.string()]), mentions: z.tuple([count, count]) })),
  phrases: z.array(
    z.object({
      phrase: z.string(),
      count,
      rate: z.number(),
      referenceRate: z.number(),
      referenceHigh: z.number().nullable(),
      passages: z.array(quotedPassageSchema),
    }),
  ),
  tags: z.array(z.object({ verb: z.string(), count })),
  tone: z
    .object({
      lexicon: z.string(),
      isRandom: z.boolean().nullable(),
      points: z.array(z.object({ at: z.number(), tone: z.number(), low: z.number(), high: z.number() })),
      peaks: z.array(z.object({ kind: z.enum(["high", "low"]), at: z.number(), passage: quotedPassageSchema })),
    })
    .nullable(),
  slips: z.object({ count, passages: z.array(quotedPassageSchema) }),
});

export type MapPart = z.infer<typeof mapPartSchema>;

/** Whether a chapter tells the main story or something within it. A fact in a dream is not a fact of the story. */
const LEVELS = ["story", "inner story", "letter", "dream", "memory"] as const;

export const chapterEntry = {
  happens: z.string(),
  /** What is different at the end of the chapter. */
  changes: z.string(),
  place: z.string(),
  /** In the book's own terms: "six hours later". */
  time: z.string(),
  viewpoint: z.string(),
  tense: z.enum(["past", "present", "mixed"]).catch("mixed"),
  level: z.enum(LEVELS).catch("story"),
  tension: z.number().min(1).max(5).catch(3),
};
export const personEntry = {
  name: z.string(),
  also: z.array(z.string()).catch([]),
  role: z.string(),
  wants: z.string(),
  /** How the character is at the beginning and at the end. */
  arc: z.string(),
};

/** A close reading's knowledge of a book: written by a model, with each quotation looked up by code. */
export const storySchema = z.object({
  premise: z.string(),
  /** The question behind the plot. */
  question: z.string(),
  chapters: z.array(z.object({ chapter: z.number().int().positive(), ...chapterEntry })),
  people: z.array(z.object({ ...personEntry, passages: z.array(passageSchema) })),
  threads: z.array(
    z.object({ thread: z.string(), opened: passageSchema.nullable(), closed: passageSchema.nullable() }),
  ),
  /** The fields below are noted chapter by chapter, and only if every chapter was read separately (`--depth full`). */
  joints: z.array(z.object({ chapter: z.number().int(), opening: z.string(), ending: z.string() })).optional(),
  facts: z
    .array(z.object({ subject: z.string(), property: z.string(), value: z.string(), passage: passageSchema }))
    .optional(),
  events: z.array(z.object({ who: z.string(), what: z.string(), when: z.string(), passage: passageSchema })).optional(),
  knowledge: z
    .array(z.object({ who: z.string(), knows: z.boolean(), what: z.string(), passage: passageSchema }))
    .optional(),
  /** What a chapter assumes has already been told. */
  assumed: z.array(z.object({ what: z.string(), passage: passageSchema })).optional(),
  /** What a reader wonders after each chapter, and what the chapter answered. */
  reader: z
    .array(z.object({ chapter: z.number().int(), asks: z.array(z.string()), answered: z.array(z.string()) }))
    .optional(),
});
export type Story = z.infer<typeof storySchema>;

/** An entry of the letter's first page, with the ids of the findings it is based on. */
const entry = z.object({ text: z.string(), findings: z.array(z.string()) });
const titledEntry = entry.extend({ title: z.string() });

/** What a close reading adds to a letter, beside its findings. */
const closePartSchema = z.object({
  /**
   * `book`: the questions were asked about the whole text; `notes`: about notes on every chapter; `both`: one after
   * the other.
   */
  shown: z.enum(["book", "notes", "both"]),
  story: storySchema,
  /**
   * What the book is, what works, what does not, what to do first, and passes of revision; null if it was not
   * written.
   */
  page: z
    .object({
      book: z.string(),
      works: z.array(entry),
      problems: z.array(titledEntry),
      first: z.array(entry),
      plan: z.array(titledEntry),
    })
    .nullable(),
  /** Why the page is missing. */
  pageMissing: z.string().nullable(),
  /** How many claims were made, and what happened to those that are not in the letter. */
  counts: z.object({
    made: count,
    /** Claims without a supporting passage in the book. */
    unsupported: count,
    merged: count,
    /** Claims about what the author marked as intended. */
    intended: count.optional(),
    explained: count,
    refuted: count,
    /** Claims in the letter that were not checked by a second reading. */
    unchecked: count,
    quotations: count,
    quotationsMissing: count,
  }),
  /** Questions without a usable answer, which the letter does not cover. */
  unanswered: z.array(z.object({ question: z.string(), reason: z.string() })),
});
export type ClosePart = z.infer<typeof closePartSchema>;

/** A sentence with the probability that a professional editor changes it; offsets point into the chapter's text. */
const notedSentenceSchema = z.object({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string(),
  change: z.number().min(0).max(1),
  why: z.string().nullable(),
});

/** The line notes that a report shows: few enough to be read, likeliest first. */
export const lineNotesPartSchema = z.object({
  sentences: z.number().int().nonnegative(),
  /** Sentences that an editor is more likely than not to change. */
  marked: z.number().int().nonnegative(),
  chapters: z.array(z.object({ chapter: z.number().int(), sentences: z.number().int(), marked: z.number().int() })),
  shown: z.array(notedSentenceSchema),
  /** The sentences least likely to be changed. */
  strengths: z.array(notedSentenceSchema),
  /** How often editors changed sentences marked like those shown, and any sentence, in held-back texts. */
  rates: z.object({ shown: z.number(), any: z.number() }),
  /** Whether the book is unlike those texts, so that more of the notes are wrong. */
  isOutside: z.boolean().optional(),
});

export type NotedSentence = z.infer<typeof notedSentenceSchema>;
export type LineNotesPart = z.infer<typeof lineNotesPartSchema>;

/** The letter's own sentences, all in one language. */
const letterWordsSchema = z.object({
  language: z.enum(["en", "zh"]),
  /** What the text is, how much was found, how certain this is and what was not judged. */
  opening: z.array(z.string()),
  /** Which figures of the map lie outside the reference; empty if none does. */
  figures: z.string().default(""),
  notJudged: z.string(),
});

/**
 * The edit letter, which a writer reads first, with findings from all sources. `words` can be regenerated in another
 * language.
 */
export const editLetterSchema = z.object({
  /** Each finding once, in the order in which an author should work on them. */
  findings: z.array(findingSchema),
  /** Ids of the map's figures that lie outside the middle 90 % of the reference by more than chance. */
  outside: z.array(z.string()).default([]),
  /** What the figures are compared with; null if there is no reference in the book's language. */
  reference: z.object({ id: z.string(), description: z.string(), novels: z.number().int() }).nullable(),
  /** Why the text is not connected prose. */
  notConnected: z.string().optional(),
  /** The first two sentences, if a language model wrote them from its own verdicts. */
  written: z.object({ well: z.string(), standsOut: z.string() }).optional(),
  /** Roughly what it would cost, in US dollars, to have a language model judge what was not judged. */
  judgingCost: z.object({ judge: z.string(), method: z.string(), dollars: z.number().nonnegative() }).optional(),
  words: letterWordsSchema,
  /** If a language model read the story: the story, the first page and the plan. */
  close: closePartSchema.optional(),
});

export type LetterWords = z.infer<typeof letterWordsSchema>;
export type EditLetter = z.infer<typeof editLetterSchema>;
