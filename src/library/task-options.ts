// Written by `npm run tasks` from the definitions of the tasks.
import type { BookInput } from "../tasks/define/book-input.ts";
import type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { CharacterCorrections } from "../text/corrections/character-corrections.ts";
import type { Goal } from "../judge/pairwise/tournament.ts";
import type { Judge } from "./judge.ts";
import type { ReaderProfile } from "../reader/profile/reader-profile.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { Story } from "../reader/predictor/story.ts";
import type { CommonOptions } from "./options.ts";
import type { ModelOptions } from "./options.ts";

/** Options of `askBook`. */
export interface AskOptions extends ModelOptions {
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
export interface CheckOptions extends ModelOptions {
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

/** Options of `compareBooks`. */
export interface CompareOptions extends ModelOptions {
  /** Who compares: jury, crowd, editor, grader, or a language model such as openai:MODEL, ollama:MODEL, MODEL@http://host/v1 [jury]. */
  readonly judge?: string | ChatModel;
  /** Who writes the summaries of long books [the judge]. With a language model. */
  readonly summariser?: string | ChatModel;
  /** How many times a language model is asked in each order [3]. With a language model. */
  readonly runs?: number;
  /** Meetings in a tournament; three per book unless given. With a language model. */
  readonly meetings?: number;
  /** Stop a tournament when this is reached: topN (the order of the first N) or a number (every strength known to ± that). With a language model. */
  readonly until?: Goal;
  /** The aspects a language model compares [long-story]. With a language model. */
  readonly rubric?: string | Rubric;
  /** Only these aspects. */
  readonly aspects?: readonly string[];
  /** Hard limit on the cost of the whole run. With a language model. */
  readonly maxCost?: number;
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
  /** Your own price table. With a language model. */
  readonly prices?: string;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}

/** Options of `evaluateBook`. */
export interface EvaluateOptions extends ModelOptions {
  /** Who judges: jury (crowd, editor and grader side by side), one of the three, or a language model: openai:MODEL, local, command:PROGRAM, paste (`fabula setup` finds one) [jury]. */
  readonly judge?: Judge;
  /** Only these aspects: plot, characters, writing, world, themes, emotion, enjoyment, expectation. */
  readonly aspects?: readonly string[];
  /** Say what changed since the draft in that file or of that run, and what became of its findings. */
  readonly against?: BookInput;
  /** Judge a book that addresses its judge a second time with those passages masked, and show both scores; costs as much again [false]. */
  readonly maskInjection?: boolean;
  /** Every line note instead of the 25 likeliest, for the embedded judges [false]. */
  readonly allNotes?: boolean;
  /** Compare the figures with these novels, as `fabula population build NOVEL...` wrote them, instead of the 80 public-domain novels that ship with Fabula. */
  readonly reference?: string;
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
  /** Also predict how this reader would rate it, and why: a profile. For one reader. */
  readonly reader?: string | ReaderProfile;
  /** For `reader` without a model: the story as JSON, in the form `reader predict` takes. For one reader. */
  readonly story?: string | Partial<Story>;
  /** Where profiles are kept. For one reader. */
  readonly profiles?: string;
  /** Several language models judge together, each counted once. With a language model. */
  readonly panel?: readonly (string | ChatModel)[];
  /** How a language model reads the book [close; summary for outlines and for whatever works from a summary]. With a language model. */
  readonly method?: "close" | "one-pass" | "aggregate" | "incremental" | "summary";
  /** How closely the story is read: full also reads every chapter alone, at about twice the price [quick]. With a language model. */
  readonly depth?: "quick" | "full";
  /** How many tokens the model takes at once, where Fabula does not know it or is wrong. With a language model. */
  readonly context?: number;
  /** How many times a language model judges [5]. With a language model. */
  readonly runs?: number;
  /** Stop repeating when the overall score is known to ± this many points (at most `runs`, or 20). With a language model. */
  readonly untilHalfWidth?: number;
  /** The model for the summaries [the first judge]. With a language model. */
  readonly summariser?: string | ChatModel;
  /** Whether the judge is told what each aspect means [true]. With a language model. */
  readonly definitions?: boolean;
  /** With `method` summary: show the judge the summary of every segment instead of the whole book's [false]. With a language model. */
  readonly chapterSummaries?: boolean;
  /** Size of a segment [4096]. With a language model. */
  readonly segmentWords?: number;
  /** The judge's temperature [0.7]. With a language model. */
  readonly temperature?: number;
  /** How the judge is asked: by the rubric, or as a model trained on reader reviews expects, whose stars are converted in proportion (3.8 of 5 is 76 of 100) [rubric]. With a language model. */
  readonly protocol?: "rubric" | "novelcritique";
  /** LongStoryEval's settings where no option says otherwise: temperature 0, 5 runs, segments of 4096 words; and no call that the paper does not make, so no edit letter. With a language model. */
  readonly preset?: "paper";
  /** Prompts of your own, LANGUAGE/NAME.md, such as published ones; the built-in prompt is used for any that is missing (`fabula prompts list`). With a language model. */
  readonly prompts?: string;
  /** Percentiles among books that the same judge scored, as `fabula population build` wrote them. With a language model. */
  readonly population?: string;
  /** Whether the judge also writes an edit letter, in one more call [true]. With a language model. */
  readonly letter?: boolean;
  /** The aspects to judge, or a rubric file of your own [long-story]. With a language model. */
  readonly rubric?: string | Rubric;
  /** Books whose summaries exist already, one JSON object per line. With a language model. */
  readonly in?: string;
  /** The files are outlines of stories not yet written [false]. With a language model. */
  readonly outline?: boolean;
  /** Hard limit on the cost of the whole run. With a language model. */
  readonly maxCost?: number;
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
  /** Your own price table. With a language model. */
  readonly prices?: string;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
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

/** Options of `probeJudge`. */
export interface ProbeOptions extends ModelOptions {
  /** The judge to probe: openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …. */
  readonly judge: string | ChatModel;
  /** Judgements of each version [5]. */
  readonly runs?: number;
  /** The aspects to judge [long-story]. */
  readonly rubric?: string | Rubric;
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

/** Options of `scoreTexts`. */
export interface ScoreTextsOptions extends CommonOptions {
  /** Where to write the verdicts: .jsonl, or .csv or .parquet with a row per text and criterion; - is standard output [-]. */
  readonly out?: string;
  /** The judge: readers, professional editors or a language-model grader [crowd; grader with `rubric`]. */
  readonly judge?: "crowd" | "editor" | "grader";
  /** What the grader scores: its own criteria, or the long-story aspects they correspond to. */
  readonly rubric?: "grader" | "long-story";
  /** Have the workers of this shared store do it: postgres://…. */
  readonly store?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}

/** Options of `storyOf`. */
export interface StoryOptions extends ModelOptions {
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

/** Options of `stressJudge`. */
export interface StressOptions extends ModelOptions {
  /** The judge to test: crowd, editor, grader, openai:MODEL, ollama:MODEL, MODEL@http://host/v1, … [crowd]. */
  readonly judge?: string | ChatModel;
  /** How much of the book is damaged, from 0 to 1 [1]. */
  readonly strength?: number;
  /** How a language model reads the book [summary]. With a language model. */
  readonly method?: "close" | "one-pass" | "aggregate" | "incremental" | "summary";
  /** How many times a language model judges each version [3]. With a language model. */
  readonly runs?: number;
  /** The same seed damages the same places [1]. */
  readonly seed?: number;
  /** Hard limit on the cost of the whole run. With a language model. */
  readonly maxCost?: number;
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
  /** Your own price table. With a language model. */
  readonly prices?: string;
  /** Print the planned calls, tokens and cost; send nothing [false]. */
  readonly dryRun?: boolean;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}
