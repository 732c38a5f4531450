import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { parseYaml } from "../core/parse-yaml.ts";
import { unscored } from "../core/verdict.ts";
import { ask } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { Book } from "../text/book.ts";
import { segmentBook } from "../text/segments.ts";
import { countWords } from "../text/words.ts";
import { judgeQuestion } from "./ask.ts";
import { type DraftRecord, draftRecord } from "./drafts/draft-record.ts";
import { NO_PROSE } from "./evaluation.ts";
import type { EditLetter } from "./letter/parts.ts";
import {
  chapterMark,
  chooseExcerpts,
  contextSizes,
  excerptRule,
  type JudgeInstructions,
  metadataText,
  ONE_CHAPTER_RULE,
  openingOfOneChapter,
  type PassageMeasure,
} from "./material.ts";
import type {
  AspectOutcome,
  Judging,
  LedgerEntry,
  MethodMaterial,
  MethodName,
  PublishedMethod,
  RunOutcome,
} from "./methods/method.ts";
import { outcomeOf, unscoredOutcome } from "./methods/outcome.ts";
import { METHODS } from "./methods/registry.ts";
import { askFromSummary } from "./methods/summary.ts";
import { askNovelCritique } from "./novelcritique/ask-novel-critique.ts";
import type { Basis } from "./settings.ts";
import { charactersText, type SummaryStream, summariseBook } from "./summary.ts";

/** Something that can be judged repeatedly: a book by a method, a summarised book, or an outline. */
export interface Subject {
  /** For the report and for checking quotations; without chapters if there is no text. */
  readonly book: Book;
  readonly method: MethodName | "outline";
  readonly basis: Basis;
  /** What a reader of the report should know about what the judge was shown. */
  readonly notes?: readonly string[];
  /** Texts that a judge is shown besides the chapters, by name, such as the plot of an outline. */
  readonly beside?: Readonly<Record<string, string | null>>;
  readonly judge: Judging;
  /** The plot and the characters as far as they are known without the text; null if there is no complete summary. */
  storyDetails(): Promise<StoryDetails>;
  /** The letter of this judge's close reading. */
  closeLetter?(judge: ChatModel, signal: AbortSignal): Promise<Required<Pick<EditLetter, "findings" | "close">>>;
  /** The record that a later draft can be compared with, if there is a text. */
  record?(judge: string, outcomes: readonly RunOutcome[]): Promise<DraftRecord>;
}

export interface StoryDetails {
  readonly plot: string | null;
  readonly characters: string | null;
}

/** A story that has not been written yet: its plan, its characters, and perhaps a sample of its prose. */
export interface Outline {
  readonly title: string;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly plot: string;
  readonly characters: string | null;
  readonly sample: string | null;
}

const frontMatterSchema = z.looseObject({
  title: z.string().optional(),
  genres: z.array(z.string()).default([]),
  premise: z.string().optional(),
});
const SECTIONS = {
  premise: /^(?:premise|pitch|logline|blurb|简介|前提)/i,
  plot: /^(?:plot|outline|synopsis|story|treatment|summary|情节|大纲|梗概|故事)/i,
  characters: /^(?:characters?|cast|people|dramatis|人物|角色)/i,
  sample: /^(?:sample|chapter|excerpt|opening|样章|试读|第.{1,4}章)/i,
} as const;

/**
 * Reads an outline in Markdown: optional front matter with title and genres, then sections by heading (premise, plot
 * or outline, characters, sample chapter). Text under an unknown heading belongs to the plot.
 */
export function parseOutline(source: string, file: string): Outline {
  const text = source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const facts = frontMatterSchema.safeParse(head ? parseYaml(head[1]!) : {});
  const body = text.slice(head?.[0].length ?? 0);
  const title = facts.data?.title ?? /^#\s+(.+)$/m.exec(body)?.[1]?.trim() ?? file;
  const parts: Record<keyof typeof SECTIONS, string[]> = { premise: [], plot: [], characters: [], sample: [] };
  let section: keyof typeof SECTIONS = "plot";
  for (const line of body.split("\n")) {
    if (/^#\s/.test(line)) continue;
    const heading = /^#{2,3}\s+(.+)$/.exec(line)?.[1];
    const named = heading
      ? (Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).find((name) => SECTIONS[name].test(heading))
      : undefined;
    if (named) section = named;
    else parts[section].push(line);
  }
  const joined = (name: keyof typeof SECTIONS) => parts[name].join("\n").trim() || null;
  const plot = joined("plot");
  if (plot === null) {
    throw new FabulaError("E_OUTLINE_EMPTY", `"${file}" has no plot: write it under a heading such as "## Plot".`);
  }
  return {
    title,
    genres: facts.data?.genres ?? [],
    premise: joined("premise") ?? facts.data?.premise ?? null,
    plot,
    characters: joined("characters"),
    sample: joined("sample"),
  };
}

/** An outline as something to judge. Quotations are looked up in the sample, or in the outline if there is none. */
export function outlineSubject(
  outline: Outline,
  file: string,
  language: string | null,
  instructions: JudgeInstructions,
): Subject {
  const text = outline.sample ?? outline.plot;
  const words = countWords(text);
  const book: Book = {
    title: outline.title,
    author: null,
    language,
    genres: outline.genres,
    premise: outline.premise,
    chapters: [{ index: 1, title: null, text, words }],
    words,
    removed: [],
    warnings: ["This is an outline: the scores say what the plan promises, not what a book does."],
    source: { file, format: "outline", encoding: "utf-8", bytes: 0, sha256: sha256(text) },
  };
  const values = {
    metadata: metadataText(book, instructions.language, instructions.presentation),
    outline: outline.plot,
    characters: outline.characters,
    sample: outline.sample ? `${chapterMark(1, null, instructions.language)}\n${outline.sample}` : null,
  };
  const entry: LedgerEntry = { segment: 1, chapters: [1], words, seenAs: "text", reason: null };
  return {
    book,
    method: "outline",
    basis: "outline",
    // Without a sample, the plot is used as the book's text.
    beside: { plot: outline.sample === null ? null : outline.plot, characters: outline.characters },
    storyDetails: async () => ({ plot: outline.plot, characters: outline.characters }),
    async judge(judge, run, signal) {
      const answer =
        instructions.protocol === "novelcritique"
          ? await askNovelCritique(
              judge,
              instructions,
              {
                title: outline.title,
                genres: outline.genres,
                premise: outline.premise,
                plot: outline.plot,
                characters: outline.characters,
                excerpt: outline.sample,
              },
              run,
              signal,
            )
          : await ask(
              judge,
              await judgeQuestion(judge, instructions, { prompt: "judge-outline", values, sample: run }),
              signal,
            );
      if (answer.kind === "answered")
        return withoutUnseenProse(outcomeOf(answer.value, [entry]), outline.sample !== null, instructions);
      return unscoredOutcome(instructions, answer.reason, [{ ...entry, seenAs: "nothing", reason: answer.reason }]);
    },
  };
}

/** Prose that was not shown cannot be scored, whatever a judge answers. */
function withoutUnseenProse(outcome: RunOutcome, isSeen: boolean, { rubric }: JudgeInstructions): RunOutcome {
  if (isSeen) return outcome;
  const nothing: AspectOutcome = {
    verdict: unscored(NO_PROSE),
    strengths: [],
    weaknesses: [],
  };
  const ofProse = rubric.criteria.filter(({ id, parent }) => (parent ?? id) === "writing").map(({ id }) => id);
  const aspects = Object.entries(outcome.aspects).map(([id, given]) => [id, ofProse.includes(id) ? nothing : given]);
  return { ...outcome, aspects: Object.fromEntries(aspects) };
}

/** A book with an existing summary, one per line, as in published collections of ratings. */
export const summarisedBookSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  title: z.string().min(1),
  author: z.string().nullish(),
  genres: z.array(z.string()).default([]),
  premise: z.string().nullish(),
  words: z.number().int().nonnegative().default(0),
  language: z.string().nullish(),
  plot_summary: z.string().min(1),
  characters: z.string().nullish(),
  excerpts: z.string().nullish(),
});
export type SummarisedBook = z.infer<typeof summarisedBookSchema>;

export function summarisedBook(row: SummarisedBook, instructions: JudgeInstructions): Subject {
  const book = bookOf(row);
  const { language } = instructions;
  const values = {
    title: book.title,
    genres: book.genres,
    premise: book.premise,
    metadata: metadataText(book, language, instructions.presentation),
    plot: row.plot_summary,
    characters: row.characters ?? null,
    excerpts: row.excerpts ?? null,
  };
  const entry: LedgerEntry = { segment: 1, chapters: [], words: row.words, seenAs: "summary", reason: null };
  return {
    book,
    method: "summary",
    basis: "given summary",
    beside: { plot: row.plot_summary, characters: row.characters ?? null },
    storyDetails: async () => ({ plot: row.plot_summary, characters: row.characters ?? null }),
    async judge(judge, run, signal) {
      const answer = await askFromSummary(judge, instructions, values, run, signal);
      if (answer.kind === "answered")
        return { ...outcomeOf(answer.value, [entry]), quotedWords: countWords(row.excerpts ?? "") };
      return unscoredOutcome(instructions, answer.reason, [{ ...entry, seenAs: "nothing", reason: answer.reason }]);
    },
  };
}

function bookOf(row: SummarisedBook): Book {
  // The judge can quote only from the excerpts, so quotations are looked up in them.
  const text = row.excerpts ?? "";
  return {
    title: row.title,
    author: row.author ?? null,
    language: row.language ?? null,
    genres: row.genres,
    premise: row.premise ?? null,
    chapters: text === "" ? [] : [{ index: 1, title: null, text, words: 0 }],
    words: row.words,
    removed: [],
    warnings: [],
    source: { file: row.id, format: "summary", encoding: "utf-8", bytes: 0, sha256: sha256(row.plot_summary) },
  };
}

export interface WholeBookOptions {
  readonly method: PublishedMethod;
  readonly instructions: JudgeInstructions;
  readonly summariser: ChatModel;
  readonly bySegment: boolean;
  readonly segmentWords?: number;
  /**
   * The measure by which excerpts count as distinctive or typical, and its name in a report; by default the rarity of
   * words.
   */
  readonly distinctiveness?: { readonly measure: PassageMeasure; readonly about: string } | null;
  readonly signal: AbortSignal;
  readonly onSummarised?: (done: number, total: number) => void;
  readonly onSegment?: MethodMaterial["onSegment"];
}

/**
 * A book with its text. Its summary is made at most once, when a method first needs it, and is shared by all runs and
 * judges.
 */
export function wholeBook(book: Book, options: WholeBookOptions): Subject {
  const { method, instructions, summariser, signal, onSummarised } = options;
  const segments = segmentBook(book, {
    ...(options.segmentWords !== undefined && { size: options.segmentWords }),
    joinRest: instructions.presentation?.rest !== "apart",
  });
  const isOneChapter = instructions.presentation?.excerpts === "one chapter";
  const { language, prompts } = instructions;
  const { distinctiveness = null } = options;
  const excerpts = isOneChapter
    ? openingOfOneChapter(book)
    : chooseExcerpts(book, {
        words: contextSizes(summariser.contextTokens, language).excerptWords,
        ...(distinctiveness && { measure: distinctiveness.measure }),
      });
  let stream: SummaryStream | null = null;
  const material: MethodMaterial = {
    book,
    segments,
    instructions,
    excerpts,
    bySegment: options.bySegment,
    ...(options.onSegment && { onSegment: options.onSegment }),
    summary() {
      stream ??= summariseBook(summariser, { book, segments, language, prompts }, signal, (done) =>
        onSummarised?.(done, segments.length),
      );
      return stream;
    },
  };
  return {
    book,
    method,
    basis: method,
    notes:
      method === "summary" && excerpts.length > 0
        ? [isOneChapter ? ONE_CHAPTER_RULE : excerptRule(excerpts, distinctiveness?.about ?? null)]
        : [],
    judge: METHODS[method].judging(material),
    async storyDetails() {
      const { notes, missing } = await material.summary().whole;
      if (!notes || missing.length > 0) return { plot: null, characters: null };
      return { plot: notes.plot, characters: charactersText(notes.characters) };
    },
    async record(judge: string, outcomes: readonly RunOutcome[]) {
      // Only the aggregate method stores its replies for each segment, and so needs the notes between them.
      const progress = method === "aggregate" ? await Promise.all(material.summary().segments) : [];
      return draftRecord({ book, judge, instructions, segments, method }, progress, outcomes);
    },
  };
}
