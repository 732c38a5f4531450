// Written by `npm run tasks` from the definitions of the tasks.
import type { BookInput } from "../tasks/define/shared-fields.ts";
import type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { CharacterCorrections } from "../text/corrections/character-and-story.ts";
import type { ForecastInput } from "../forecast/forecast-input.ts";
import type { Goal } from "../judge/pairwise.ts";
import type { CommonOptions, Judge, ModelOptions } from "./options.ts";
import type { Prediction } from "../qa/scoring/prediction.ts";
import type { ReaderProfile } from "../reader/profile/reader-profile.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { Story } from "../reader/predictor/story.ts";

/** What a run that asks models takes. */
export interface RunOptions {
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

/** The same, where a model may be asked. */
export interface OptionalRunOptions {
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

/** Options of `agreement`. */
export interface AgreementOptions extends CommonOptions {
  /** The human ratings; of several raters, their mean. */
  readonly human: string | readonly string[];
  /** The scores; several are compared with each other. */
  readonly metric?: string | readonly string[];
  /** Who wrote each text: average per system, then correlate. */
  readonly system?: string;
  /** What each text responds to, such as a prompt, shared by the systems. */
  readonly item?: string;
  /** Repeat everything for each value of this column. */
  readonly group?: string;
  /** Instead of `metric`: what `fabula evaluate` wrote (.json, .jsonl, a folder), by aspect against readers. */
  readonly evaluations?: string;
  /** Instead of `metric`: the evaluations of a run in the store. */
  readonly run?: string;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** With `evaluations` or `run`: the books' names [title, id or file]. */
  readonly book?: string;
  /** What the bootstrap resamples at system level; both if each system has several texts. */
  readonly over?: "items" | "systems" | "both";
  /** The bootstrap interval [percentile]. */
  readonly interval?: "percentile" | "bca";
  /** Bootstrap resamples; 0 for no intervals [2000, fewer for very long tables]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
}

/** What `runTask("agree-votes", …)` takes. */
export interface AgreeVotesInput extends CommonOptions {
  /** Blind votes given in the web app (its votes.jsonl, or its library), judge by judge. */
  readonly votes: string;
}

/** Options of `askBook`. */
export interface AskOptions extends ModelOptions, RunOptions {
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** How closely the story is read: full also reads every chapter alone, at about twice the price [quick]. */
  readonly depth?: "quick" | "full";
  /** The model's context length in tokens, if Fabula does not know it or is wrong. */
  readonly context?: number;
  /** The model's temperature [0.7]. */
  readonly temperature?: number;
}

/** What `runTask("bench-book", …)` takes. */
export interface BenchBookInput extends ModelOptions, RunOptions {
  /** A benchmark's folder with synopses, frozen or not. */
  readonly folder: string;
  /** The models that write. */
  readonly writer: readonly string[];
  /** Who scores every chapter and the whole: the grader, or language models. */
  readonly judge: readonly string[];
  /** A model that also reads every book closely, for its findings. */
  readonly closely?: string;
  /** Books each writer writes [3]. */
  readonly novels?: number;
  /** Chapters of a book [10]. */
  readonly chapters?: number;
  /** Words of earlier chapters that a writer sees in full; older chapters as its own summaries [6000]. */
  readonly context?: number;
  /** Tokens a chapter may have [4096]. */
  readonly maxTokens?: number;
  /** The writer's temperature [0.6]. */
  readonly temperature?: number;
  /** About how long a chapter should be [1000]. */
  readonly words?: number;
  /** What is scored [the rubric of the benchmark]. */
  readonly rubric?: string;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
  /** The random seed for the choice of novels [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-build", …)` takes. */
export interface BenchBuildInput extends ModelOptions, OptionalRunOptions {
  /** The benchmark's folder. */
  readonly folder: string;
  /** Who scores: the grader, or a language model [grader]. */
  readonly judge?: string;
  /** Several judges score together, each counted the same. */
  readonly panel?: readonly string[];
  /** The dimensions a language model scores; by default those in the language of the novels. With a language model. */
  readonly rubric?: string;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. With a language model. */
  readonly prompts?: string;
  /** Paper: the judges give whole scores, as WebNovelBench asks for them. */
  readonly preset?: "paper";
  /** A prepared folder of classics, expected to score above the others; shown in reports. */
  readonly anchors?: string;
  /** Scores per chapter, averaged [1]. */
  readonly repeats?: number;
  /** How many times each of them is scored [11]. */
  readonly checkRepeats?: number;
  /** Texts scored repeatedly to measure how consistent a judge is [10; 0 for grader, whose scores never vary]. */
  readonly checkTexts?: number;
  /** The population's name; the folder's by default. */
  readonly id?: string;
  /** What kind of novels they are, for reports []. */
  readonly description?: string;
}

/** What `runTask("bench-build-scores", …)` takes. */
export interface BenchBuildScoresInput extends CommonOptions {
  /** Build from scores alone, such as published ones, instead of a folder; needs `rubric` and `out`. */
  readonly scores: readonly string[];
  /** Where the population built from `scores` is written. */
  readonly out: string;
  /** The dimensions a language model scores; by default those in the language of the novels. */
  readonly rubric: string;
  /** The population's name; the folder's by default. */
  readonly id?: string;
  /** What kind of novels they are, for reports []. */
  readonly description?: string;
}

/** What `runTask("bench-duel", …)` takes. */
export interface BenchDuelInput extends ModelOptions, RunOptions {
  /** A benchmark's folder with texts of at least two writers, frozen or not. */
  readonly folder: string;
  /** The judges who compare; without any, only existing answers and votes count. */
  readonly judge?: readonly string[];
  /** Only these writers [all, and the human original]. */
  readonly writer?: readonly string[];
  /** Meetings of two writers in all, two calls each [10 per contestant]. */
  readonly meetings?: number;
  /** The prepared folder with the originals' texts, where the benchmark does not have them. */
  readonly originals?: string;
  /** People's blind votes, besides those that the web app has stored in the folder. */
  readonly votes?: string;
  /** What the judges compare by [the rubric of the benchmark]. */
  readonly rubric?: string;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
  /** The random seed for who is compared first [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-extend", …)` takes. */
export interface BenchExtendInput extends ModelOptions, RunOptions {
  /** The frozen benchmark's folder. */
  readonly folder: string;
  /** Models that write. */
  readonly writer?: readonly string[];
  /** One model per line, with cutoff=2024 where it is known. */
  readonly writers?: string;
  /** More judges, who also score the existing texts. */
  readonly judge?: readonly string[];
  /** The prepared folder with the originals' texts, which a new judge must read. */
  readonly originals?: string;
  /** Texts that a new judge scores repeatedly [10]. */
  readonly checkTexts?: number;
  /** How many times each of them is scored [11]. */
  readonly checkRepeats?: number;
  /** Texts that every judge asked in this run scores again, to see whether it has changed [5]. */
  readonly anchors?: number;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
}

/** What `runTask("bench-freeze", …)` takes. */
export interface BenchFreezeInput extends CommonOptions {
  /** The benchmark's folder, as `bench leaderboard` leaves it in SITE.bench. */
  readonly bench: string;
  /** The new folder of this version. */
  readonly out: string;
  /** The folder of the previous version, whose novels, synopses and texts are kept. */
  readonly previous?: string;
  /** The board's title. */
  readonly title?: string;
  /** Also include the originals' texts, which new judges must read; only if they may be published [false]. */
  readonly originals?: boolean;
  /** Tokens a chapter may have [4096]. */
  readonly maxTokens?: number;
  /** The writer's temperature [0.6]. */
  readonly temperature?: number;
  /** About how long a chapter should be [1000]. */
  readonly words?: number;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
  /** The random seed for the intervals [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-leaderboard", …)` takes. */
export interface BenchLeaderboardInput extends ModelOptions, RunOptions {
  /** The novels: files, or folders of them. */
  readonly corpus: readonly string[];
  /** One model per line, followed by cutoff=2024, name="…", maker="…" and released=2025-03 where they are known. */
  readonly writers: string;
  /** Who scores; several form a panel [grader]. */
  readonly judges?: readonly string[];
  /** Where the site is written. */
  readonly out: string;
  /** Where the benchmark is kept between runs [OUT.bench]. */
  readonly bench?: string;
  /** Who retells the chapters [the first judge that is a model]. */
  readonly synopses?: string;
  /** The dimensions a language model scores; by default those in the language of the novels. */
  readonly rubric?: string;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
  /** Paper: the judges give whole scores, as WebNovelBench asks for them. */
  readonly preset?: "paper";
  /** The site's title. */
  readonly title?: string;
  /** What kind of novels they are []. */
  readonly description?: string;
  /** A prepared folder of classics, expected to score above the others. */
  readonly anchors?: string;
  /** A CSV or TSV of the novels' genre, year and author. */
  readonly list?: string;
  /** Consecutive chapters per novel [10]. */
  readonly chapters?: number;
  /** Novels each writer writes [100]. */
  readonly novels?: number;
  /** Leave out authors with fewer works [1]. */
  readonly minimumWorks?: number;
  /** Scores per chapter, averaged [1]. */
  readonly repeats?: number;
  /** Texts scored repeatedly to measure how consistent a judge is [10]. */
  readonly checkTexts?: number;
  /** How many times each of them is scored [11]. */
  readonly checkRepeats?: number;
  /** Tokens a chapter may have [4096]. */
  readonly maxTokens?: number;
  /** The writers' temperature [0.6]. */
  readonly temperature?: number;
  /** About how long a chapter should be [1000]. */
  readonly words?: number;
  /** Also have them write with the names changed, to see how much remembering a novel helps [false]. */
  readonly renamed?: boolean;
  /** Also ask the writers which of the novels they recognise [false]. */
  readonly probe?: boolean;
  /** The random seed for every choice and interval [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-place", …)` takes. */
export interface BenchPlaceInput extends ModelOptions, RunOptions {
  /** The texts []. */
  readonly files?: readonly string[];
  /** The population to place them on: the one that ships, or your own [english-classics]. */
  readonly population?: string;
  /** Texts as JSONL lines of id and text; - is stdin. */
  readonly in?: string;
  /** A line per text; - is stdout [-]. */
  readonly out?: string;
  /** Who scores: the grader, or a language model [grader]. */
  readonly judge?: string;
  /** Several judges score together, each counted the same. */
  readonly panel?: readonly string[];
  /** The dimensions a language model scores; by default those in the language of the novels. */
  readonly rubric?: string;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
}

/** What `runTask("bench-prepare", …)` takes. */
export interface BenchPrepareInput extends CommonOptions {
  /** The novels: files, or folders of them. */
  readonly corpus: readonly string[];
  /** The benchmark's folder. */
  readonly out: string;
  /** Consecutive chapters per novel [10]. */
  readonly chapters?: number;
  /** Leave out authors with fewer works [1]. */
  readonly minimumWorks?: number;
  /** The similarity above which two texts count as the same [0.9]. */
  readonly similarity?: number;
  /** A CSV or TSV with a heading: file (or title), and genre, year or author of each novel. */
  readonly list?: string;
  /** The random seed for the choice of chapters [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-report", …)` takes. */
export interface BenchReportInput extends CommonOptions {
  /** Scores as others publish them; the same as naming the files. */
  readonly scores: readonly string[];
  /** The rubric the scores were given by; by default the population's, or novel-bench-en without one. */
  readonly rubric?: string;
  /** The population to place them on; for the grader's scores the one that ships, else the stories themselves. */
  readonly population?: string;
  /** A second judge's scores of the same stories: FILE1,FILE2 or a quoted glob; may be given again. */
  readonly second?: readonly string[];
  /** Its rubric, if it is a different one. */
  readonly secondRubric?: string;
  /** Its population. */
  readonly secondPopulation?: string;
  /** The random seed for the intervals [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-run", …)` takes. */
export interface BenchRunInput extends ModelOptions, RunOptions {
  /** The benchmark's folder. */
  readonly folder: string;
  /** The model that writes; M1,M2 for several. */
  readonly writer: readonly string[];
  /** Who scores: the grader, or a language model [grader]. */
  readonly judge?: string;
  /** Several judges score together, each counted the same. */
  readonly panel?: readonly string[];
  /** The dimensions a language model scores; by default those in the language of the novels. With a language model. */
  readonly rubric?: string;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
  /** The population; the folder's own by default. */
  readonly population?: string;
  /** Novels to write, one per part of the population [100]. */
  readonly novels?: number;
  /** Scores per chapter, averaged; as the population was built [1]. */
  readonly repeats?: number;
  /** Tokens a chapter may have [4096]. */
  readonly maxTokens?: number;
  /** The writer's temperature [0.6]. */
  readonly temperature?: number;
  /** About how long a chapter should be [1000]. */
  readonly words?: number;
  /** The random seed for the choice of novels and the intervals [1]. */
  readonly seed?: number;
}

/** What `runTask("bench-site", …)` takes. */
export interface BenchSiteInput extends CommonOptions {
  /** The frozen benchmark's folder. */
  readonly folder: string;
  /** Where the site is written. */
  readonly out: string;
  /** The board's title. */
  readonly title?: string;
  /** The site's date [today]. */
  readonly date?: string;
  /** Your own price table. */
  readonly prices?: string;
}

/** What `runTask("bench-submit", …)` takes. */
export interface BenchSubmitInput extends CommonOptions {
  /** The frozen benchmark's folder. */
  readonly folder: string;
  /** The submission, a chapter per line: {"novel","chapter","text"}. */
  readonly submission: string;
  /** What the writer is called on the board. */
  readonly writer: string;
  /** The model that wrote, for its price and family [the writer's name]. */
  readonly model?: string;
  /** The writer's display name. */
  readonly name?: string;
  /** Who made the model. */
  readonly maker?: string;
  /** When it was released. */
  readonly released?: string;
  /** The last year its training data may hold. */
  readonly cutoff?: number;
  /** Accept a submission with missing chapters [false]. */
  readonly partial?: boolean;
  /** Only check it [false]. */
  readonly check?: boolean;
}

/** What `runTask("bench-synopsis", …)` takes. */
export interface BenchSynopsisInput extends ModelOptions, RunOptions {
  /** The benchmark's folder. */
  readonly folder: string;
  /** The model that retells. */
  readonly model: string;
  /** Largest share copied word for word [0.1]. */
  readonly leakLimit?: number;
  /** Attempts per chapter [3]. */
  readonly attempts?: number;
  /** Prompts of your own, LANGUAGE/NAME.md: this is how another language is added. */
  readonly prompts?: string;
}

/** What `runTask("bench-verify", …)` takes. */
export interface BenchVerifyInput extends CommonOptions {
  /** The site's folder. */
  readonly site: string;
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** Have this language model read as well, which costs money: openai:MODEL, anthropic:MODEL, MODEL@http://host/v1. */
  readonly judge?: string | ChatModel;
  /** How closely the story is read: full also reads every chapter alone, at about twice the price [quick]. With a language model. */
  readonly depth?: "quick" | "full";
  /** The model's context length in tokens, if Fabula does not know it or is wrong. With a language model. */
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

/** What `runTask("check-texts", …)` takes. */
export interface CheckTextsInput extends ModelOptions {
  /** Check many texts: JSONL of {"id","text"}; - is standard input. */
  readonly in: string;
  /** JSONL to write to, - for standard output [-]. */
  readonly out?: string;
  /** Have this language model read as well, which costs money: openai:MODEL, anthropic:MODEL, MODEL@http://host/v1. */
  readonly judge?: string | ChatModel;
  /** How closely the story is read: full also reads every chapter alone, at about twice the price [quick]. With a language model. */
  readonly depth?: "quick" | "full";
  /** The model's context length in tokens, if Fabula does not know it or is wrong. With a language model. */
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
export interface CompareOptions extends ModelOptions, OptionalRunOptions {
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
}

/** Options of `evaluateBook`. */
export interface EvaluateOptions extends ModelOptions, OptionalRunOptions {
  /** Who judges: jury (crowd, editor and grader side by side), one of the three, or a language model: openai:MODEL, local, command:PROGRAM, paste (`fabula setup` finds one) [jury]. */
  readonly judge?: Judge;
  /** Only these aspects: plot, characters, writing, world, themes, emotion, enjoyment, expectation. */
  readonly aspects?: readonly string[];
  /** Say what changed since the draft in that file or of that run, and what became of its findings. */
  readonly against?: BookInput;
  /** Judge as in this saved evaluation (.json, .jsonl): judge, method and all settings are taken from it, and a difference that remains is named. */
  readonly like?: string;
  /** Also convert the overall score to people's scale, with the map that `fabula trust --calibration` wrote for this judge, its prompts and rubric. */
  readonly calibration?: string;
  /** Whether the texts that the calibration pins are judged again, to see whether the judge has drifted [true]. */
  readonly pinned?: boolean;
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
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
  /** The model's context length in tokens, if Fabula does not know it or is wrong. With a language model. */
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
  /** LongStoryEval's settings where no option says otherwise: temperature 0, 5 runs (1 of a model that is not behind OpenAI, Anthropic, Google, Azure, Bedrock or xAI), segments of 4096 words with the rest apart, three genres, the plot alone before a segment, the opening of one chapter as excerpt; no call that the paper does not make, so no edit letter. The prompts are Fabula's own (`prompts`). With a language model. */
  readonly preset?: "paper";
  /** Prompts of your own, LANGUAGE/NAME.md, or a checkout of LongStoryEval's release, for the form that NovelCritique was trained on; the built-in prompt is used for any that is missing (`fabula prompts list`). With a language model. */
  readonly prompts?: string;
  /** Percentiles among books that the same judge scored, as `fabula population build` wrote them. With a language model. */
  readonly population?: string;
  /** Whether the judge also writes an edit letter, in one more call [true]. With a language model. */
  readonly letter?: boolean;
  /** The aspects to judge, or a rubric file of your own [long-story]. With a language model. */
  readonly rubric?: string | Rubric;
  /** Books whose summaries exist already, one JSON object per line; or a table with the columns id and text (.csv, .jsonl, .parquet), each text judged whole in one request. With a language model. */
  readonly in?: string;
  /** The files are outlines of stories not yet written [false]. With a language model. */
  readonly outline?: boolean;
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

/** What `runTask("forecast-lines", …)` takes. */
export interface ForecastLinesInput extends CommonOptions {
  /** JSONL: id, title, genres, premise, words, plot_summary, characters, expected_ratings, earlier_books ([{title, average_rating}] of the same author); any may be missing. */
  readonly in: string;
  /** JSONL to write to, - for standard output; without it they are returned. */
  readonly out?: string;
  /** A forecast trained with `npm run train -- forecast`, instead of the one that ships. */
  readonly model?: string;
}

/** Options of `judgeHealth`. */
export interface HealthOptions extends CommonOptions {
  /** Instead of SCORES: the evaluations of a run in the store. */
  readonly run?: string;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
  /** The judge's score [overall]. */
  readonly score?: string;
  /** Its scores by aspect [those in criteria or aspects]. */
  readonly aspects?: readonly string[];
  /** Earlier scores of the same pinned texts, for drift. */
  readonly anchors?: string;
  /** Pairwise outcomes, a row each: first, second, winner (first, second or tie), judge. */
  readonly comparisons?: string;
  /** A stress test of the same judge: `fabula stress --json`. */
  readonly stress?: string;
  /** Blind votes given in the web app: its votes.jsonl, or its library. */
  readonly votes?: string;
  /** The ends of the scale [known for evaluations]. */
  readonly scale?: { readonly minimum: number; readonly maximum: number };
  /** Bootstrap resamples [1000]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found, or the path of a JSON file with them: names to merge, split, rename or drop. */
  readonly characterCorrections?: string | CharacterCorrections;
  /** Compare the figures with these novels, as `fabula population build NOVEL...` wrote them, instead of the 80 public-domain novels that ship with Fabula. */
  readonly reference?: string;
}

/** What `runTask("map-texts", …)` takes. */
export interface MapTextsInput extends CommonOptions {
  /** Map many texts: JSONL of {"id","text"}; - is standard input. */
  readonly in: string;
  /** JSONL to write to, - for standard output [-]. */
  readonly out?: string;
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
}

/** What `runTask("notes-docx", …)` takes. */
export interface NotesDocxInput extends CommonOptions {
  /** The book. */
  readonly book: string;
  /** The document to write. */
  readonly out: string;
  /** Every note instead of the 25 likeliest [false]. */
  readonly allNotes?: boolean;
}

/** What `runTask("notes-texts", …)` takes. */
export interface NotesTextsInput extends CommonOptions {
  /** Many texts instead of one book: JSONL of {"id","text"}; - is standard input. */
  readonly in: string;
  /** JSONL to write to, - for standard output [-]. */
  readonly out?: string;
}

/** Options of `probeJudge`. */
export interface ProbeOptions extends ModelOptions, RunOptions {
  /** The judge to probe: openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …. */
  readonly judge: string | ChatModel;
  /** Judgements of each version [5]. */
  readonly runs?: number;
  /** The aspects to judge [long-story]. */
  readonly rubric?: string | Rubric;
}

/** What `runTask("qa-agree", …)` takes. */
export interface QaAgreeInput extends ModelOptions {
  /** Files of scored and rated answers. */
  readonly files: readonly string[];
  /** Which of the scores; all when not given. */
  readonly metrics?: readonly string[];
  /** What the intervals resample at system level [both]. */
  readonly over?: "items" | "systems" | "both";
  /** Bootstrap resamples [2000]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
  /** First have this model grade the rated answers, each beside what its raters saw, and compare it too. */
  readonly judge?: string | ChatModel;
  /** How the judge is asked: json for any model, prometheus for graders trained like Prometheus 2 (Feedback: … [RESULT] 4) [json]. With a language model. */
  readonly protocol?: "json" | "prometheus";
  /** The books with their summaries, where the answers do not carry them. With a language model. */
  readonly data?: string;
  /** The judge's scale [qa-grading]. With a language model. */
  readonly rubric?: string | Rubric;
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
  /** Print the planned calls, tokens and cost; send nothing [false]. With a language model. */
  readonly dryRun?: boolean;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
}

/** What `runTask("qa-answer", …)` takes. */
export interface QaAnswerInput extends ModelOptions, RunOptions {
  /** Books with questions (LiteraryQA's JSONL), or a NarrativeQA folder. */
  readonly in: string;
  /** Only this split (train, validation, test). */
  readonly split?: string;
  /** The model that answers: openai:MODEL, MODEL@http://host/v1, …. */
  readonly model: string | ChatModel;
  /** What the model sees: the whole text, passages retrieved from it, the summary, or the title alone [open]. */
  readonly setting?: "open" | "retrieval" | "summary" | "closed";
  /** The books' texts, named by document id or Gutenberg number. */
  readonly texts?: string;
  /** How many passages to retrieve [8]. */
  readonly passages?: number;
  /** The size of the model's context, when Fabula does not know it. */
  readonly contextTokens?: number;
  /** A book that does not fit: refuse it, show its beginning, or show the passage that fits the question best [refuse]. */
  readonly overlong?: "refuse" | "truncate" | "window";
  /** Write one answer per line, for `fabula qa score`. */
  readonly out: string;
}

/** What `runTask("qa-audit", …)` takes. */
export interface QaAuditInput extends CommonOptions {
  /** The reviewers' folders. */
  readonly folders: readonly string[];
  /** The refined books. */
  readonly in: string;
  /** The samples that refinement dropped. */
  readonly dropped?: string;
  /** The documents that `qa filter --review` removed. */
  readonly removed?: string;
}

/** What `runTask("qa-audit-sheets", …)` takes. */
export interface QaAuditSheetsInput extends CommonOptions {
  /** The refined books. */
  readonly in: string;
  /** The samples that refinement dropped. */
  readonly dropped?: string;
  /** The documents that `qa filter --review` removed. */
  readonly removed?: string;
  /** Write sheets to fill in; copy the folder for each reviewer. */
  readonly sheets: string;
  /** Changed samples on the sheets [200]. */
  readonly changed?: number;
  /** Unchanged samples mixed in [200]. */
  readonly unchanged?: number;
  /** The random seed for the samples and their order [1]. */
  readonly seed?: number;
}

/** What `runTask("qa-clean", …)` takes. */
export interface QaCleanInput extends CommonOptions {
  /** Books with questions (LiteraryQA's JSONL), or a NarrativeQA folder. */
  readonly in: string;
  /** Only this split (train, validation, test). */
  readonly split?: string;
  /** The texts as downloaded, named by document id or Gutenberg number. */
  readonly texts: string;
  /** Write the clean texts here. */
  readonly outTexts: string;
  /** Write the books with repaired summaries. */
  readonly out?: string;
}

/** What `runTask("qa-dedupe", …)` takes. */
export interface QaDedupeInput extends CommonOptions {
  /** Books with questions (LiteraryQA's JSONL), or a NarrativeQA folder. */
  readonly in: string;
  /** Only this split (train, validation, test). */
  readonly split?: string;
  /** How similar two questions must be to count as duplicates [0.9]. */
  readonly threshold?: number;
  /** Write the books without the duplicates. */
  readonly out?: string;
  /** Write every pair found, with a decision that a person may change. */
  readonly review?: string;
  /** Apply the decisions of such a file. */
  readonly decisions?: string;
}

/** What `runTask("qa-filter", …)` takes. */
export interface QaFilterInput extends ModelOptions {
  /** Books with questions (LiteraryQA's JSONL), or a NarrativeQA folder. */
  readonly in: string;
  /** Only this split (train, validation, test). */
  readonly split?: string;
  /** The books' texts, named by document id or Gutenberg number. */
  readonly texts?: string;
  /** Also ask this model about what the rules keep. */
  readonly judge?: string | ChatModel;
  /** Write the books that are kept. */
  readonly out?: string;
  /** Write what was removed and why, with a decision to change. */
  readonly review?: string;
  /** Apply the decisions of such a file. */
  readonly decisions?: string;
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
  /** Print the planned calls, tokens and cost; send nothing [false]. With a language model. */
  readonly dryRun?: boolean;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
}

/** What `runTask("qa-rate", …)` takes. */
export interface QaRateInput extends CommonOptions {
  /** The sample that `fabula qa sample` drew. */
  readonly sample: string;
  /** The filled-in sheets. */
  readonly sheets: readonly string[];
  /** Write the rated answers as JSONL, for `fabula qa agree`. */
  readonly out?: string;
}

/** What `runTask("qa-rate-sheet", …)` takes. */
export interface QaRateSheetInput extends CommonOptions {
  /** The sample that `fabula qa sample` drew. */
  readonly sample: string;
  /** Write a blind sheet (.csv) for one rater. */
  readonly sheet: string;
  /** Whose sheet this is: each rater gets a different order. */
  readonly rater: string;
  /** Show raters the references, the summary as well, or first one and then the other [both]. */
  readonly setting?: "reference" | "summary" | "both";
  /** The random seed for the order [1]. */
  readonly seed?: number;
}

/** What `runTask("qa-refine", …)` takes. */
export interface QaRefineInput extends ModelOptions, RunOptions {
  /** Books with questions (LiteraryQA's JSONL), or a NarrativeQA folder. */
  readonly in: string;
  /** Only this split (train, validation, test). */
  readonly split?: string;
  /** The model that checks: anthropic:MODEL, MODEL@http://host/v1, …. */
  readonly judge: string | ChatModel;
  /** Write the refined books. */
  readonly out: string;
  /** Write every change for a person to accept or reject. */
  readonly review?: string;
  /** Write the samples dropped because question and answer both changed. */
  readonly dropped?: string;
}

/** What `runTask("qa-report", …)` takes. */
export interface QaReportInput extends CommonOptions {
  /** The data set. */
  readonly file: string;
}

/** What `runTask("qa-review", …)` takes. */
export interface QaReviewInput extends CommonOptions {
  /** A review file with "accept" or "reject" in each "decision". */
  readonly review: string;
  /** The same file filled in by a second person: prints Cohen's κ. */
  readonly second?: string;
  /** The refined books. */
  readonly in?: string;
  /** The samples that refinement dropped: those with a decision on every change are restored. */
  readonly dropped?: string;
  /** Write the books with every rejected change undone. */
  readonly out?: string;
}

/** What `runTask("qa-sample", …)` takes. */
export interface QaSampleInput extends CommonOptions {
  /** Files of answers. */
  readonly files: readonly string[];
  /** How many questions [500]. */
  readonly count?: number;
  /** The same seed draws the same questions [1]. */
  readonly seed?: number;
  /** The books with their summaries, for raters who see the summary. */
  readonly data?: string;
  /** Write the sample as JSONL, for `fabula qa rate`. */
  readonly out: string;
}

/** Options of `scoreAnswers`. */
export interface ScoreAnswersOptions extends ModelOptions {
  /** Which metrics [em,f1,rouge-1,rouge-2,rouge-l,meteor]. */
  readonly metrics?: readonly string[];
  /** Which of several references to compare with [best]. */
  readonly references?: "best" | "first" | "mean";
  /** Write the table of systems (.html with every book and question, .md, or .csv and .parquet for programs), or each answer with its scores (.jsonl, or - ). */
  readonly out?: string;
  /** Also show each metric against the difference in length from the references, in this many bins. */
  readonly lengths?: number;
  /** Also compute BERTScore with this model (a folder with onnx/, or a Hugging Face name; :q4 chooses a file); needs @huggingface/transformers. */
  readonly bertScore?: string;
  /** Weigh rare tokens more, by how many references have them [false]. With BERTScore. */
  readonly bertIdf?: boolean;
  /** Rescale BERTScore by the model's published baseline: three numbers. With BERTScore. */
  readonly bertBaseline?: readonly [number, number, number];
  /** The books with their questions and summaries: for `grading` summary, and where answers do not name their book. */
  readonly data?: string;
  /** Bootstrap resamples of books [1000]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
  /** Also have this model grade each answer from 1 to 5. */
  readonly judge?: string | ChatModel;
  /** What the judge sees: the references, or the book's summary as well [reference]. With a language model. */
  readonly grading?: "reference" | "summary";
  /** How the judge is asked: json for any model, prometheus for graders trained like Prometheus 2 (Feedback: … [RESULT] 4) [json]. With a language model. */
  readonly protocol?: "json" | "prometheus";
  /** The judge's scale [qa-grading]. With a language model. */
  readonly rubric?: string | Rubric;
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
  /** Print the planned calls, tokens and cost; send nothing [false]. With a language model. */
  readonly dryRun?: boolean;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
}

/** Options of `examineReading`. */
export interface ExamOptions extends ModelOptions, RunOptions {
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
  /** Do not ask again after contradictions were planted in the evidence, which saves up to half of the cost [false]. */
  readonly withoutFaults?: boolean;
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** The model's context length in tokens, if Fabula does not know it or is wrong. */
  readonly context?: number;
}

/** Options of `writeQuestions`. */
export interface WriteQuestionsOptions extends ModelOptions, RunOptions {
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** The model's context length in tokens, if Fabula does not know it or is wrong. */
  readonly context?: number;
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
}

/** What `runTask("reader-compare", …)` takes. */
export interface ReaderCompareInput extends ModelOptions {
  /** The two stories. */
  readonly stories: readonly string[];
  /** The reader: a profile's name, or a profile in a .json file. */
  readonly reader: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
  /** Openai:MODEL, MODEL@http://host/v1, …; embedded needs no model [embedded]. */
  readonly judge?: string;
  /** How many earlier reviews a model is shown, from 0 [1]. With a language model. */
  readonly history?: number;
  /** Number of runs; each run asks in both orders [3 for two stories, 1 for many pairs]. With a language model. */
  readonly runs?: number;
  /** Show the earlier scores without the words of the reviews [false]. With a language model. */
  readonly starsOnly?: boolean;
  /** The form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7) [fabula]. With a language model. */
  readonly protocol?: "fabula" | "perse";
  /** The model's temperature [0.8]. With a language model. */
  readonly temperature?: number;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
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
}

/** What `runTask("reader-compare-pairs", …)` takes. */
export interface ReaderComparePairsInput extends ModelOptions {
  /** Many at once, one pair per line: {"id", "history": [reviews], "comparisons": [earlier choices], "left": {…}, "right": {…}, "preferred": {"ending": "left", "overall": "right"}}; prints the accuracy where "preferred" is known. */
  readonly in: string;
  /** With `in`: one choice per line, - for standard output. */
  readonly out: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** With `in` and a model: also ask whether it knows the stories already [false]. */
  readonly probe?: boolean;
  /** Change names and retell plots before asking (two more calls per story), so that fame cannot help [false]. With a language model. */
  readonly anonymise?: boolean;
  /** `anonymise` by changing the names, by retelling the plot as a summary, or by both [both]. With a language model. */
  readonly anonymiseBy?: "names" | "summary" | "both";
  /** Openai:MODEL, MODEL@http://host/v1, …; embedded needs no model [embedded]. */
  readonly judge?: string;
  /** How many earlier reviews a model is shown, from 0 [1]. With a language model. */
  readonly history?: number;
  /** Number of runs; each run asks in both orders [3 for two stories, 1 for many pairs]. With a language model. */
  readonly runs?: number;
  /** Show the earlier scores without the words of the reviews [false]. With a language model. */
  readonly starsOnly?: boolean;
  /** The form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7) [fabula]. With a language model. */
  readonly protocol?: "fabula" | "perse";
  /** The model's temperature [0.8]. With a language model. */
  readonly temperature?: number;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
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
}

/** What `runTask("reader-curve", …)` takes. */
export interface ReaderCurveInput extends ModelOptions, OptionalRunOptions {
  /** Lines as for `reader predict`, with the true "rating", and "reader" where a reader has several lines. */
  readonly in: string;
  /** Any model, or the embedded predictor [embedded]. */
  readonly judge?: string;
  /** The shortest history; 0 shows what a judge gives without knowing the reader [1]. */
  readonly shortest?: number;
  /** The longest history [5]. */
  readonly longest?: number;
  /** Different orders of each history, at most as many as exist; the embedded predictor ignores order [3]. */
  readonly orders?: number;
  /** Other readers' ratings of the same books, for matrix factorisation. */
  readonly ratings?: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** Show the earlier scores without the words of the reviews [false]. */
  readonly starsOnly?: boolean;
  /** Change names and retell plots before asking (two more calls per story), so that fame cannot help [false]. With a language model. */
  readonly anonymise?: boolean;
  /** `anonymise` by changing the names, by retelling the plot as a summary, or by both [both]. With a language model. */
  readonly anonymiseBy?: "names" | "summary" | "both";
  /** The form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7) [fabula]. With a language model. */
  readonly protocol?: "fabula" | "perse";
  /** The model's temperature [0.8]. With a language model. */
  readonly temperature?: number;
}

/** What `runTask("reader-dataset", …)` takes. */
export interface ReaderDatasetInput extends ModelOptions {
  /** JSONL: id, title, genres, premise, plot_summary, characters. */
  readonly stories?: string;
  /** JSONL: book, reviewer, rating (1–5), and review, or aspects and conclusion. */
  readonly reviews?: string;
  /** Lines as for `reader compare`, with "reader", "comparisons" and "preferred" by aspect, or Per-DOC as released: choices on one aspect to train on, in PerSE's form. */
  readonly pairs?: string;
  /** With `pairs`: the highest rating on the file's scale [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** The form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7) [fabula]. */
  readonly protocol?: "fabula" | "perse";
  /** Where train.jsonl, validation.jsonl and names.jsonl go. */
  readonly out: string;
  /** Makes new names and retells the plots; without it the stories stay as they are. */
  readonly model?: string;
  /** The language of the stories [en]. */
  readonly language?: string;
  /** Reviews per history [3]. */
  readonly history?: number;
  /** Histories drawn per reader [10]. */
  readonly samples?: number;
  /** Readers with fewer are dropped [6]. */
  readonly minimumReviews?: number;
  /** Share of readers kept for validation [0.06]. */
  readonly validation?: number;
  /** Longest prompt: histories are shortened to fit; without it every history keeps its `history` reviews. */
  readonly maxWords?: number;
  /** Scores from 1 to this [10]. */
  readonly scale?: "5" | "10";
  /** The same seed draws the same histories [1]. */
  readonly seed?: number;
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
  /** Your own price table. With a language model. */
  readonly prices?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
  /** What `model` changes: the names, the plot, retold as a summary, or both [both]. With a language model. */
  readonly anonymiseBy?: "names" | "summary" | "both";
  /** Where calls are kept: a file, or postgres://…. */
  readonly store?: string;
}

/** What `runTask("reader-predict", …)` takes. */
export interface ReaderPredictInput extends CommonOptions {
  /** The story. */
  readonly story: string;
  /** With STORY: the reader, a profile's name or a profile in a .json file. */
  readonly reader: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
  /** A table of books (title, author, average_rating, genres, premise, plot_summary, characters; or another library's export) that fills in what is not known of the reader's books. */
  readonly knownBooks?: string;
  /** Weights from `npm run train -- personal` instead of those that ship. */
  readonly weights?: string;
}

/** What `runTask("reader-predict-pairs", …)` takes. */
export interface ReaderPredictPairsInput extends CommonOptions {
  /** Many at once, one pair per line: {"id", "history": [{"title", "genres", "premise", "plot_summary", "characters", "rating", "review"}], "query": {…, "average_rating"?}}; - is standard input. */
  readonly in: string;
  /** One prediction per line, - for standard output. */
  readonly out: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** Weights from `npm run train -- personal` instead of those that ship. */
  readonly weights?: string;
  /** With `in`: predict with a simple baseline instead, for comparison; matrix-factorisation also takes `ratings`. */
  readonly baseline?: "mean" | "matrix-factorisation" | "bias-and-forecast";
  /** Other readers' ratings of the same books, one per line: book (its id or title), reviewer, rating. */
  readonly ratings?: string;
}

/** What `runTask("reader-profile-delete", …)` takes. */
export interface ReaderProfileDeleteInput extends CommonOptions {
  /** The profile's name. */
  readonly name: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
}

/** What `runTask("reader-profile-export", …)` takes. */
export interface ReaderProfileExportInput extends CommonOptions {
  /** The profile's name. */
  readonly name: string;
  /** The file to write; - is standard output [-]. */
  readonly out?: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
}

/** What `runTask("reader-profile-import", …)` takes. */
export interface ReaderProfileImportInput extends CommonOptions {
  /** The profile's name. */
  readonly name: string;
  /** A library export, or rows with title, genres, premise, plot_summary, characters, rating, review, date. */
  readonly in: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** Earlier choices between two stories, one per line: {"left": {…}, "right": {…}, "preferred": {"ending": "left", "overall": "right"}}. */
  readonly comparisons?: string;
  /** The language reviews for this reader are written in [en]. */
  readonly language?: string;
  /** A table of books (title, author, average_rating, genres, premise, plot_summary, characters; or another library's export) that fills in what is not known of the reader's books. */
  readonly knownBooks?: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
}

/** What `runTask("reader-profile-list", …)` takes. */
export interface ReaderProfileListInput extends CommonOptions {
  /** Where profiles are kept. */
  readonly profiles?: string;
}

/** What `runTask("reader-profile-show", …)` takes. */
export interface ReaderProfileShowInput extends CommonOptions {
  /** The profile's name. */
  readonly name: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
}

/** What `runTask("reader-questions", …)` takes. */
export interface ReaderQuestionsInput extends CommonOptions {
  /** A Goodreads or StoryGraph export, or a table of books [the books of the profile]. */
  readonly books?: string;
  /** The reader: a profile's name, or a profile in a .json file [the reader whose export is given as `books`]. */
  readonly reader?: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** How many books to ask about [5]. */
  readonly count?: number;
}

/** What `runTask("reader-rank", …)` takes. */
export interface ReaderRankInput extends ModelOptions {
  /** A folder of books (EPUB, text, Word, PDF; NAME.json beside NAME.epub adds plot_summary, characters, genres; outlines with headings), a table of books (title, author, average_rating, genres, premise), or a Goodreads or StoryGraph export, whose to-read shelf is ranked [the profile's to-read shelf]. */
  readonly books?: string;
  /** The reader: a profile's name, or a profile in a .json file [the reader whose export is given as `books`]. */
  readonly reader?: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** A table of books (title, author, average_rating, genres, premise, plot_summary, characters; or another library's export) that fills in what is not known of the reader's books. */
  readonly knownBooks?: string;
  /** Who ranks: embedded, or a model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, … [embedded]. */
  readonly judge?: string;
  /** How many earlier reviews a model is shown, from 0 [3]. With a language model. */
  readonly history?: number;
  /** Ask a model about each book this many times, with the earlier reviews in a different order each time, or once for every order there is [3]. With a language model. */
  readonly orders?: number;
  /** Show the earlier scores without the words of the reviews [false]. With a language model. */
  readonly starsOnly?: boolean;
  /** The model's temperature [0.8]. With a language model. */
  readonly temperature?: number;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
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
}

/** What `runTask("reader-review", …)` takes. */
export interface ReaderReviewInput extends ModelOptions, RunOptions {
  /** The story. */
  readonly story: string;
  /** The reader: a profile's name, or a profile in a .json file. */
  readonly reader: string;
  /** Where profiles are kept. */
  readonly profiles?: string;
  /** The model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, …. */
  readonly judge: string;
  /** How many earlier reviews a model is shown, from 0 [3]. */
  readonly history?: number;
  /** Score from 1 to this [10]. */
  readonly scale?: "5" | "10";
  /** Ask this many times, with the earlier reviews in a different order each time, or once for every order there is, and show the spread [1]. */
  readonly orders?: number;
  /** Also ask whether the model knows the story already; with many, the agreement is split by it [false]. */
  readonly probe?: boolean;
  /** Change names and retell plots before asking (two more calls per story), so that fame cannot help [false]. */
  readonly anonymise?: boolean;
  /** `anonymise` by changing the names, by retelling the plot as a summary, or by both [both]. */
  readonly anonymiseBy?: "names" | "summary" | "both";
  /** Show the earlier scores without the words of the reviews [false]. */
  readonly starsOnly?: boolean;
  /** The form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7) [fabula]. */
  readonly protocol?: "fabula" | "perse";
  /** The model's temperature [0.8]. */
  readonly temperature?: number;
}

/** What `runTask("reader-review-pairs", …)` takes. */
export interface ReaderReviewPairsInput extends ModelOptions, RunOptions {
  /** Many readers and stories at once, lines as for `reader predict`, with "rating" where the true one is known: prints the agreement. */
  readonly in: string;
  /** With `in`: one review per line. */
  readonly out: string;
  /** The highest rating on the file's scale, of which 1 becomes one star and the highest five [5 stars; higher ratings are refused]. */
  readonly ratingsScale?: number;
  /** The model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, …. */
  readonly judge: string;
  /** How many earlier reviews a model is shown, from 0 [3]. */
  readonly history?: number;
  /** Score from 1 to this [10]. */
  readonly scale?: "5" | "10";
  /** Ask this many times, with the earlier reviews in a different order each time, or once for every order there is, and show the spread [1]. */
  readonly orders?: number;
  /** Also ask whether the model knows the story already; with many, the agreement is split by it [false]. */
  readonly probe?: boolean;
  /** Change names and retell plots before asking (two more calls per story), so that fame cannot help [false]. */
  readonly anonymise?: boolean;
  /** `anonymise` by changing the names, by retelling the plot as a summary, or by both [both]. */
  readonly anonymiseBy?: "names" | "summary" | "both";
  /** Show the earlier scores without the words of the reviews [false]. */
  readonly starsOnly?: boolean;
  /** The form of prompt and reply: fabula, or perse, the form that PerSE's models are trained on ([Review] … [Score] 7) [fabula]. */
  readonly protocol?: "fabula" | "perse";
  /** The model's temperature [0.8]. */
  readonly temperature?: number;
}

/** Options of `readReplies`. */
export interface RepliesOptions extends CommonOptions {
  /** The aspects to look for [long-story]. */
  readonly rubric?: string | Rubric;
  /** The scale the prompt asked for; scores are reported on it too (default: the rubric's). A score on another scale is converted in proportion: 7/10 is 3.5 on 1-5, 70 on 0-100. */
  readonly scale?: { readonly minimum: number; readonly maximum: number };
  /** Every reply was asked about this aspect alone: the score it gives for the whole is the aspect's. */
  readonly aspect?: string;
  /** The critiques too [false]. */
  readonly critiques?: boolean;
}

/** What `runTask("reproduce", …)` takes. */
export interface ReproduceInput extends ModelOptions {
  /** The paper. */
  readonly paper: "longstoryeval" | "literaryqa" | "hanna" | "webnovelbench" | "perse";
  /** The folder of the paper's data. */
  readonly data: string;
  /** For longstoryeval: evaluations of its books, for Tables 2, 6, 7 and 8 [evaluations.jsonl in the folder]. */
  readonly evaluations?: string;
  /** For literaryqa: a grader of answers from 1 to 5, such as MODEL@http://host/v1, for its column of Table 7 or its rows of Table 6. */
  readonly judge?: string | ChatModel;
  /** 7: grade the released answers; 6: grade answers that people rated (rated.jsonl in the folder), and compare the grades with them [7]. With a language model. */
  readonly table?: "6" | "7";
  /** With `table` 7: what the grader sees, the references or the book's summary as well [summary]. With a language model. */
  readonly grading?: "reference" | "summary";
  /** How the judge is asked: json for any model, prometheus for graders trained like Prometheus 2 (Feedback: … [RESULT] 4) [json]. With a language model. */
  readonly protocol?: "json" | "prometheus";
  /** The grader's scale [qa-grading]. With a language model. */
  readonly rubric?: string | Rubric;
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
  /** Print the planned calls, tokens and cost; send nothing [false]. With a language model. */
  readonly dryRun?: boolean;
  /** Resume a run; `fabula runs resume RUN` does it for you. With a language model. */
  readonly resume?: string;
  /** Where the grader's calls are kept; for longstoryeval the store with the calls of `evaluations`, for the tokens and minutes of Table 8. */
  readonly store?: string;
  /** For a checkout of LongStoryEval's release: only the 150 books that it names as its test set. */
  readonly set?: "test";
  /** The random seed [1]. */
  readonly seed?: number;
}

/** What `runTask("reviews-analyse", …)` takes. */
export interface ReviewsAnalyseInput extends CommonOptions {
  /** JSONL of structured reviews: book, reviewer, rating, aspects. */
  readonly reviews: string;
  /** JSONL of their books: id, genres, average_rating, ratings_5_to_1. */
  readonly books: string;
  /** The random seed for drawing books [1]. */
  readonly seed?: number;
  /** Bootstrap resamples of books [500]. */
  readonly resamples?: number;
}

/** What `runTask("reviews-export", …)` takes. */
export interface ReviewsExportInput extends CommonOptions {
  /** The folder to write to. */
  readonly out: string;
  /** JSONL of structured reviews: book, reviewer, rating, aspects, conclusion. */
  readonly reviews?: string;
  /** JSONL of their books: id, title, genres, premise, plot_summary, characters, excerpts, average_rating, ratings_5_to_1. */
  readonly books?: string;
  /** Instead of `reviews` and `books`: a checkout of LongStoryEval's release, whose test books are kept out of training and whose form the examples have. */
  readonly data?: string;
  /** Share of the books kept for testing [0.1]. */
  readonly testShare?: number;
  /** Instead of a share: the books to keep out of training, an id or a title per line. */
  readonly testBooks?: string;
  /** The books' texts, named by their ids: examples then show excerpts, as the protocol does in use. */
  readonly texts?: string;
  /** The form of the examples: a checkout of LongStoryEval's release for the form that NovelCritique was trained on, or prompts of your own [Fabula's]. */
  readonly prompts?: string;
  /** LongStoryEval's Equation 1: as printed, or with each reader's habits drawn towards everyone's, as one or two ratings say little about a reader [shrunk]. */
  readonly ratings?: "shrunk" | "printed";
  /** With `ratings` printed: JSONL of readers' means and deviations over all they rated [computed from the reviews]. */
  readonly readers?: string;
  /** At most this many reviews of one book. */
  readonly perBook?: number;
  /** The model to be trained [meta-llama/Llama-3.1-8B]. */
  readonly baseModel?: string;
  /** The random seed for drawing reviews and books [1]. */
  readonly seed?: number;
}

/** What `runTask("reviews-map", …)` takes. */
export interface ReviewsMapInput extends CommonOptions {
  /** JSONL of reviews whose aspects go by any names. */
  readonly in: string;
  /** The same, grouped by aspect; names without an aspect are kept as they are. */
  readonly out: string;
}

/** What `runTask("reviews-normalise", …)` takes. */
export interface ReviewsNormaliseInput extends CommonOptions {
  /** JSONL of structured reviews: book, reviewer, rating, aspects. */
  readonly in: string;
  /** Write the same reviews with normalised_rating added. */
  readonly out: string;
  /** JSONL of books with ratings_5_to_1: their ratings represent the platform; otherwise those of the reviews do. */
  readonly books?: string;
  /** JSONL of reviewer with mean and deviation, or ratings_5_to_1: then normalises by Equation 1 of LongStoryEval as printed. */
  readonly readers?: string;
}

/** What `runTask("reviews-report", …)` takes. */
export interface ReviewsReportInput extends CommonOptions {
  /** JSONL of structured reviews: book, reviewer, rating, aspects. */
  readonly reviews: string;
  /** JSONL of their books: id, genres, average_rating, ratings_5_to_1. */
  readonly books: string;
  /** The random seed for drawing reviews [1]. */
  readonly seed?: number;
}

/** What `runTask("reviews-sample", …)` takes. */
export interface ReviewsSampleInput extends CommonOptions {
  /** JSONL of structured reviews: book, reviewer, rating, aspects. */
  readonly in: string;
  /** JSONL of their books: id, average_rating, ratings_5_to_1. */
  readonly books: string;
  /** The reviews that are kept. */
  readonly out: string;
  /** The random seed for drawing reviews [1]. */
  readonly seed?: number;
}

/** What `runTask("reviews-structure", …)` takes. */
export interface ReviewsStructureInput extends ModelOptions, RunOptions {
  /** JSONL of raw reviews: book, reviewer, rating, text. */
  readonly in: string;
  /** JSONL of structured reviews to write. */
  readonly out: string;
  /** Write what could not be structured, with the reason. */
  readonly dropped?: string;
  /** The model that sorts: openai:MODEL, MODEL@http://host/v1, …. */
  readonly model: string | ChatModel;
  /** The model to try when less than 40 % of the first one's words are in the review. */
  readonly secondModel?: string | ChatModel;
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
  /** Fields of each line to keep beside its scores, such as human ratings for `fabula agree` and `fabula trust`. */
  readonly keep?: readonly string[];
  /** Have the workers of this shared store do it: postgres://…. */
  readonly store?: string;
  /** Resume a run; `fabula runs resume RUN` does it for you. */
  readonly resume?: string;
}

/** Options of `storyOf`. */
export interface StoryOptions extends ModelOptions, RunOptions {
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
  /** Corrections to the chapters that are found. */
  readonly corrections?: ChapterCorrections;
  /** Corrections to the characters that are found: names to merge, split, rename or drop. */
  readonly characterCorrections?: CharacterCorrections;
  /** Full reads every chapter alone and notes facts, events and the reader's questions; quick asks once about the whole book [full]. */
  readonly depth?: "quick" | "full";
  /** The model's context length in tokens, if Fabula does not know it or is wrong. */
  readonly context?: number;
  /** The model's temperature [0.7]. */
  readonly temperature?: number;
}

/** Options of `stressJudge`. */
export interface StressOptions extends ModelOptions, OptionalRunOptions {
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
}

/** Options of `trustJudges`. */
export interface TrustJudgesOptions extends CommonOptions {
  /** The human ratings: one column per rater, or one column with several rows per text, or a list in each row. */
  readonly human?: readonly string[];
  /** The judges' columns (NAME#1, NAME#2 … are runs of NAME); crowd, editor and grader score the column `text` (or `story`) themselves [every other column of numbers, or those three]. */
  readonly judge?: readonly string[];
  /** More scores, joined by id. */
  readonly scores?: readonly string[];
  /** The column that names the texts [id, item_id, story_id, or the row]. */
  readonly id?: string;
  /** The column that names who rated, where each row is one person's rating. */
  readonly rater?: string;
  /** The settled score where raters disagreed; judges are compared with it there [adjudicated]. */
  readonly adjudicated?: string;
  /** Who wrote each text: shows bias towards a judge's own model family, and systems that dominate a correlation. */
  readonly system?: string;
  /** What each text answers, such as a prompt; intervals then resample prompts. */
  readonly item?: string;
  /** The kind of each text, for results by kind. */
  readonly kind?: string;
  /** How long each text is [counted in the column `text`]. */
  readonly words?: string;
  /** What `fabula stress --json` wrote for these judges. */
  readonly stress?: readonly string[];
  /** Pairwise outcomes of these judges, for bias towards the text shown first; a row each: first, second, winner (first, second or tie), judge. */
  readonly comparisons?: string;
  /** Write a map from the judges' scores to people's scale, for `fabula evaluate --calibration`; needs `scores` that `fabula evaluate` wrote, of 20 texts or more. */
  readonly calibration?: string;
  /** With `calibration`: texts that every run with the calibration judges again, so that the run fails if the judge has drifted: .jsonl as for `fabula evaluate --in`, or a folder of books. */
  readonly pinned?: string;
  /** Write everything that was read to one file, which `fabula trust` can read again: .csv, .jsonl, .parquet, or .inspect.json, .promptfoo.json, .langfuse.jsonl, .langsmith.jsonl in the formats of those tools. */
  readonly export?: string;
  /** How far behind a person a judge may be and still stand in for one [0.1]. */
  readonly margin?: number;
  /** Bootstrap resamples [1000]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
}

/** What each task takes, by its name. */
export interface TaskInputs {
  readonly "agree": AgreementOptions & { readonly table: string | readonly Readonly<Record<string, unknown>>[] };
  readonly "agree-votes": AgreeVotesInput;
  readonly "ask": AskOptions & { readonly book: BookInput };
  readonly "bench-book": BenchBookInput;
  readonly "bench-build": BenchBuildInput;
  readonly "bench-build-scores": BenchBuildScoresInput;
  readonly "bench-duel": BenchDuelInput;
  readonly "bench-extend": BenchExtendInput;
  readonly "bench-freeze": BenchFreezeInput;
  readonly "bench-leaderboard": BenchLeaderboardInput;
  readonly "bench-place": BenchPlaceInput;
  readonly "bench-prepare": BenchPrepareInput;
  readonly "bench-report": BenchReportInput;
  readonly "bench-run": BenchRunInput;
  readonly "bench-site": BenchSiteInput;
  readonly "bench-submit": BenchSubmitInput;
  readonly "bench-synopsis": BenchSynopsisInput;
  readonly "bench-verify": BenchVerifyInput;
  readonly "check": CheckOptions & { readonly books: readonly BookInput[] };
  readonly "check-texts": CheckTextsInput;
  readonly "compare": CompareOptions & { readonly books: readonly BookInput[] };
  readonly "evaluate": EvaluateOptions & { readonly books: readonly BookInput[] };
  readonly "forecast": ForecastOptions & { readonly books: readonly (BookInput | ForecastInput)[] };
  readonly "forecast-lines": ForecastLinesInput;
  readonly "health": HealthOptions & { readonly scores: string };
  readonly "map": MapOptions & { readonly book: BookInput };
  readonly "map-texts": MapTextsInput;
  readonly "notes": NotesOptions & { readonly book: BookInput };
  readonly "notes-docx": NotesDocxInput;
  readonly "notes-texts": NotesTextsInput;
  readonly "probe": ProbeOptions & { readonly book: BookInput };
  readonly "qa-agree": QaAgreeInput;
  readonly "qa-answer": QaAnswerInput;
  readonly "qa-audit": QaAuditInput;
  readonly "qa-audit-sheets": QaAuditSheetsInput;
  readonly "qa-clean": QaCleanInput;
  readonly "qa-dedupe": QaDedupeInput;
  readonly "qa-filter": QaFilterInput;
  readonly "qa-rate": QaRateInput;
  readonly "qa-rate-sheet": QaRateSheetInput;
  readonly "qa-refine": QaRefineInput;
  readonly "qa-report": QaReportInput;
  readonly "qa-review": QaReviewInput;
  readonly "qa-sample": QaSampleInput;
  readonly "qa-score": ScoreAnswersOptions & { readonly in: readonly (string | readonly Prediction[])[] };
  readonly "qa-exam": ExamOptions & { readonly book: BookInput };
  readonly "qa-write": WriteQuestionsOptions & { readonly book: BookInput };
  readonly "read": ReadBookOptions & { readonly books: readonly BookInput[] };
  readonly "reader-compare": ReaderCompareInput;
  readonly "reader-compare-pairs": ReaderComparePairsInput;
  readonly "reader-curve": ReaderCurveInput;
  readonly "reader-dataset": ReaderDatasetInput;
  readonly "reader-predict": ReaderPredictInput;
  readonly "reader-predict-pairs": ReaderPredictPairsInput;
  readonly "reader-profile-delete": ReaderProfileDeleteInput;
  readonly "reader-profile-export": ReaderProfileExportInput;
  readonly "reader-profile-import": ReaderProfileImportInput;
  readonly "reader-profile-list": ReaderProfileListInput;
  readonly "reader-profile-show": ReaderProfileShowInput;
  readonly "reader-questions": ReaderQuestionsInput;
  readonly "reader-rank": ReaderRankInput;
  readonly "reader-review": ReaderReviewInput;
  readonly "reader-review-pairs": ReaderReviewPairsInput;
  readonly "replies": RepliesOptions & { readonly files: readonly (string | { readonly text: string; readonly name?: string })[] };
  readonly "reproduce": ReproduceInput;
  readonly "reviews-analyse": ReviewsAnalyseInput;
  readonly "reviews-export": ReviewsExportInput;
  readonly "reviews-map": ReviewsMapInput;
  readonly "reviews-normalise": ReviewsNormaliseInput;
  readonly "reviews-report": ReviewsReportInput;
  readonly "reviews-sample": ReviewsSampleInput;
  readonly "reviews-structure": ReviewsStructureInput;
  readonly "rubric-check": CheckRubricOptions & { readonly file: string | { readonly text: string; readonly name?: string } };
  readonly "score": ScoreTextsOptions & { readonly in: string };
  readonly "story": StoryOptions & { readonly book: BookInput };
  readonly "stress": StressOptions & { readonly books: readonly BookInput[] };
  readonly "trust": TrustJudgesOptions & { readonly table: string };
}
