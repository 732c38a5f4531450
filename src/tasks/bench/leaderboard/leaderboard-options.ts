import type { ProgressListener } from "../../../core/progress.ts";
import type { PromptSource } from "../../../prompts/own-prompts.ts";
import type { NovelList } from "../folder.ts";
import type { RepeatCheckOptions } from "../repeats.ts";
import type { ListedWriter } from "./writer-list.ts";

export interface LeaderboardOptions {
  /** The books: files and folders. */
  readonly corpus: readonly string[];
  /** Where the benchmark is kept between runs. */
  readonly folder: string;
  readonly writers: readonly ListedWriter[];
  readonly judges: readonly string[];
  /** The folder's own when it is not named. */
  readonly rubric: string | undefined;
  readonly prompts: PromptSource;
  /** The judges give whole scores, as in the paper. */
  readonly wholeNumbers: boolean;
  readonly synopsisModel: string;
  readonly chapters: number;
  readonly novels: number;
  readonly minimumWorks: number;
  readonly similarity: number;
  readonly list: NovelList | null;
  readonly anchors: string | null;
  readonly repeats: number;
  readonly check: RepeatCheckOptions;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  /** Also have every writer write under new names, to see what a remembered novel is worth. */
  readonly renamed: boolean;
  /** Also ask every writer which of the novels it recognises. */
  readonly probe: boolean;
  readonly description: string;
  readonly seed: number;
  readonly onNote: (note: string) => void;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}
