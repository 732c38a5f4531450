import type { RubricProblem } from "../criteria/load-rubric.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { ImportedReply } from "../tasks/books/read-replies.ts";
import { repliesTask } from "../tasks/books/replies.ts";
import { rubricCheckTask } from "../tasks/books/rubric-check.ts";
import type { TextInput } from "../tasks/define/book-input.ts";
import { taskFunction } from "./task-function.ts";
import type { CheckRubricOptions, RepliesOptions } from "./task-options.ts";

/** What is wrong with a rubric; `rubric` is the rubric itself when nothing is. */
export interface RubricCheck {
  readonly file: string;
  readonly rubric: Rubric | null;
  readonly problems: readonly RubricProblem[];
}

/** Names everything that is wrong with a rubric file. */
export const checkRubric: (file: TextInput, options?: CheckRubricOptions) => Promise<RubricCheck> =
  taskFunction(rubricCheckTask);

/** The verdicts of a saved reply; its critiques are there when they were asked for. */
export type SavedReply = Omit<ImportedReply, "critiques" | "assessment"> &
  Partial<Pick<ImportedReply, "critiques" | "assessment">>;

/** Reads verdicts from saved replies of any model. */
export const readReplies: (
  files: TextInput | readonly TextInput[],
  options?: RepliesOptions,
) => Promise<readonly SavedReply[]> = taskFunction(repliesTask);
