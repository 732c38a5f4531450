// Written by `npm run tasks` from the definitions of the tasks.
import type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { CharacterCorrections } from "../text/corrections/character-corrections.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { CommonOptions } from "./options.ts";

/** Options of `askBook`. */
export interface AskOptions extends CommonOptions {
  /** The question. */
  readonly question: string;
  /** The language model that reads: openai:MODEL, anthropic:MODEL, ollama:MODEL, local, MODEL@http://host/v1, command:PROGRAM. */
  readonly judge: string | ChatModel;
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** How closely the story is read: full also reads every chapter alone, at about twice the price [quick]. */
  readonly depth?: "quick" | "full";
  /** How many tokens the model takes at once, where Fabula does not know it or is wrong. */
  readonly context?: number;
  /** The model's temperature [0.7]. */
  readonly temperature?: number;
  /** Hard limit on the cost of the whole run. */
  readonly maxCost?: number;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Ask again even when the store has the answer [false]. */
  readonly refresh?: boolean;
  /** Submit calls to the provider's batch API: about half the price, hours instead of seconds [false]. */
  readonly batch?: boolean;
  /** Concurrent calls; adapts to the provider when not given. */
  readonly concurrency?: number;
  /** Never send more requests than this. */
  readonly requestsPerMinute?: number;
  /** Never send more tokens than this. */
  readonly tokensPerMinute?: number;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Your own price table. */
  readonly prices?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}

/** Options of `checkBooks`. */
export interface CheckOptions extends CommonOptions {
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** Have this language model read as well, which costs money: openai:MODEL, anthropic:MODEL, MODEL@http://host/v1. */
  readonly judge?: string | ChatModel;
  /** How closely the story is read: full also reads every chapter alone, at about twice the price [quick]. With a language model. */
  readonly depth?: "quick" | "full";
  /** How many tokens the model takes at once, where Fabula does not know it or is wrong. With a language model. */
  readonly context?: number;
  /** The model's temperature [0.7]. With a language model. */
  readonly temperature?: number;
  /** Hard limit on the cost of the whole run. With a language model. */
  readonly maxCost?: number;
  /** Print the planned calls, tokens and cost; send nothing [false]. With a language model. */
  readonly dryRun?: boolean;
  /** Ask again even when the store has the answer [false]. With a language model. */
  readonly refresh?: boolean;
  /** Submit calls to the provider's batch API: about half the price, hours instead of seconds [false]. With a language model. */
  readonly batch?: boolean;
  /** Concurrent calls; adapts to the provider when not given. With a language model. */
  readonly concurrency?: number;
  /** Never send more requests than this. With a language model. */
  readonly requestsPerMinute?: number;
  /** Never send more tokens than this. With a language model. */
  readonly tokensPerMinute?: number;
  /** Where calls are kept: a file, or postgres://…. With a language model. */
  readonly store?: string;
  /** Your own price table. With a language model. */
  readonly prices?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
}

/** Options of `forecastRating`. */
export interface ForecastOptions extends CommonOptions {
  /** Read a file as this kind, when its name does not show it. */
  readonly as?: "outline" | "book" | "json";
  /** A forecast trained with `npm run train -- forecast`, instead of the one that ships. */
  readonly model?: string;
  /** How many reasons are given [10]. */
  readonly reasons?: number;
}

/** Options of `mapManuscript`. */
export interface MapOptions extends CommonOptions {
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found, or the path of a JSON file with them: names to merge, split, rename or drop. */
  readonly characterCorrections?: string | CharacterCorrections;
  /** Compare the figures with these novels, as `fabula population build NOVEL...` wrote them, instead of the 80 public-domain novels that ship with Fabula. */
  readonly reference?: string;
}

/** Options of `lineNotes`. */
export interface NotesOptions extends CommonOptions {
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
}

/** Options of `examineReading`. */
export interface ExamOptions extends CommonOptions {
  /** The language model that reads: openai:MODEL, anthropic:MODEL, ollama:MODEL, local, MODEL@http://host/v1, command:PROGRAM. */
  readonly judge: string | ChatModel;
  /** Questions that `qa write` wrote; written first when not given. */
  readonly questions?: string;
  /** How many questions to write; those that fail a check are left out [30]. */
  readonly count?: number;
  /** The model that grades the answers; the judge itself when not given. */
  readonly grader?: string | ChatModel;
  /** What to show of a book that does not fit the model: nothing, its beginning, or the part that fits the question best [refuse]. */
  readonly overlong?: "refuse" | "truncate" | "window";
  /** JSONL of every answer with its grade, for `qa score`. */
  readonly out?: string;
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** How many tokens the model takes at once, where Fabula does not know it or is wrong. */
  readonly context?: number;
  /** Hard limit on the cost of the whole run. */
  readonly maxCost?: number;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Ask again even when the store has the answer [false]. */
  readonly refresh?: boolean;
  /** Submit calls to the provider's batch API: about half the price, hours instead of seconds [false]. */
  readonly batch?: boolean;
  /** Concurrent calls; adapts to the provider when not given. */
  readonly concurrency?: number;
  /** Never send more requests than this. */
  readonly requestsPerMinute?: number;
  /** Never send more tokens than this. */
  readonly tokensPerMinute?: number;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Your own price table. */
  readonly prices?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}

/** Options of `writeQuestions`. */
export interface WriteQuestionsOptions extends CommonOptions {
  /** The language model that reads: openai:MODEL, anthropic:MODEL, ollama:MODEL, local, MODEL@http://host/v1, command:PROGRAM. */
  readonly judge: string | ChatModel;
  /** How many questions to write; those that fail a check are left out [30]. */
  readonly count?: number;
  /** JSONL in LiteraryQA's shape; a card (.card.md) and the steps go beside it. */
  readonly out?: string;
  /** JSONL of what was left out, with reasons. */
  readonly dropped?: string;
  /** Leave out the questions that the model answers from the title alone, instead of marking them [false]. */
  readonly withoutKnown?: boolean;
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** How many tokens the model takes at once, where Fabula does not know it or is wrong. */
  readonly context?: number;
  /** Hard limit on the cost of the whole run. */
  readonly maxCost?: number;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Ask again even when the store has the answer [false]. */
  readonly refresh?: boolean;
  /** Submit calls to the provider's batch API: about half the price, hours instead of seconds [false]. */
  readonly batch?: boolean;
  /** Concurrent calls; adapts to the provider when not given. */
  readonly concurrency?: number;
  /** Never send more requests than this. */
  readonly requestsPerMinute?: number;
  /** Never send more tokens than this. */
  readonly tokensPerMinute?: number;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Your own price table. */
  readonly prices?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}

/** Options of `readBook`. */
export interface ReadBookOptions extends CommonOptions {
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
}

/** Options of `readReplies`. */
export interface RepliesOptions extends CommonOptions {
  /** The aspects to look for [long-story]. */
  readonly rubric?: string | Rubric;
  /** The scale the prompt asked for; scores are reported on it too (default: the rubric's). A score on another scale is converted in proportion: 7/10 is 3.5 on 1-5, 70 on 0-100. */
  readonly scale?: { readonly minimum: number; readonly maximum: number };
  /** The critiques too [false]. */
  readonly critiques?: boolean;
}

/** Options of `checkRubric`. */
export interface CheckRubricOptions extends CommonOptions {
}

/** Options of `storyOf`. */
export interface StoryOptions extends CommonOptions {
  /** The language model that reads: openai:MODEL, anthropic:MODEL, ollama:MODEL, local, MODEL@http://host/v1, command:PROGRAM. */
  readonly judge: string | ChatModel;
  readonly metadata?: {
    /** The book's title [from book.yaml or the file]. */
    readonly title?: string;
    /** The author [from book.yaml or the file]. */
    readonly author?: string;
    /** The language's two-letter code [recognised from the text]. */
    readonly language?: string;
    /** Its genres. */
    readonly genres?: readonly string[];
    /** The book's premise. */
    readonly premise?: string;
  };
  /** The format, when the file name does not show it. */
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** Full reads every chapter alone and notes facts, events and the reader's questions; quick asks once about the whole book [full]. */
  readonly depth?: "quick" | "full";
  /** How many tokens the model takes at once, where Fabula does not know it or is wrong. */
  readonly context?: number;
  /** The model's temperature [0.7]. */
  readonly temperature?: number;
  /** Hard limit on the cost of the whole run. */
  readonly maxCost?: number;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Ask again even when the store has the answer [false]. */
  readonly refresh?: boolean;
  /** Submit calls to the provider's batch API: about half the price, hours instead of seconds [false]. */
  readonly batch?: boolean;
  /** Concurrent calls; adapts to the provider when not given. */
  readonly concurrency?: number;
  /** Never send more requests than this. */
  readonly requestsPerMinute?: number;
  /** Never send more tokens than this. */
  readonly tokensPerMinute?: number;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Your own price table. */
  readonly prices?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}
