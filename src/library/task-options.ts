// Written by `npm run tasks` from the definitions of the tasks.
import type { BookInput } from "../tasks/define/book-input.ts";
import type { ChapterCorrections } from "../text/corrections/chapter-corrections.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { CharacterCorrections } from "../text/corrections/character-corrections.ts";
import type { Goal } from "../judge/pairwise.ts";
import type { Judge } from "./judge.ts";
import type { ReaderProfile } from "../reader/profile/reader-profile.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { Story } from "../reader/predictor/story.ts";
import type { CommonOptions } from "./options.ts";
import type { ModelOptions } from "./options.ts";

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
  /** What the bootstrap draws at system level; both when each system has several texts. */
  readonly over?: "items" | "systems" | "both";
  /** The bootstrap interval [percentile]. */
  readonly interval?: "percentile" | "bca";
  /** Bootstrap resamples; 0 for no intervals [2000, fewer for very long tables]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
}

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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
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
  /** Judge as in this saved evaluation (.json, .jsonl): judge, method and all settings are taken from it, and a difference that remains is named. */
  readonly like?: string;
  /** Also the overall score on people's scale, by the map that `fabula trust --calibration` wrote for this judge, its prompts and rubric. */
  readonly calibration?: string;
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
export interface ExamOptions extends ModelOptions {
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
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
export interface WriteQuestionsOptions extends ModelOptions {
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
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
  /** Every reply was asked about this aspect alone: the score it gives for the whole is the aspect's. */
  readonly aspect?: string;
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
  /** Fields of each line to keep beside its scores, such as human ratings for `fabula agree` and `fabula trust`. */
  readonly keep?: readonly string[];
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
  readonly format?: "text" | "markdown" | "html" | "epub" | "docx" | "novelwriter" | "odt" | "rtf" | "fb2" | "mobi" | "pdf" | "json";
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
  /** Who wrote each text: bias towards its own family, and systems that carry a correlation. */
  readonly system?: string;
  /** What each text answers to, such as a prompt: intervals then draw prompts. */
  readonly item?: string;
  /** The kind of each text, for an answer by kind. */
  readonly kind?: string;
  /** How long each text is [counted in the column `text`]. */
  readonly words?: string;
  /** What `fabula stress --json` wrote for these judges. */
  readonly stress?: readonly string[];
  /** Write a map from the judges' scores to people's scale, for `fabula evaluate --calibration`; needs `scores` that `fabula evaluate` wrote, of 20 texts or more. */
  readonly calibration?: string;
  /** Write all that was read as one file, which `fabula trust` reads too: .csv, .jsonl, .parquet, or .inspect.json, .promptfoo.json, .langfuse.jsonl, .langsmith.jsonl in the shapes of those tools. */
  readonly export?: string;
  /** How far behind a person a judge may be and still stand in for one [0.1]. */
  readonly margin?: number;
  /** Bootstrap resamples [1000]. */
  readonly resamples?: number;
  /** The random seed [1]. */
  readonly seed?: number;
}
