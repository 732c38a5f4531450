import type { Plan } from "../../../runner/planning.ts";
import { type JudgeBookEvent, type JudgeBookInput, type JudgedBook, judgeBook, planBook } from "../jobs/judge-book.ts";
import type { BookCard } from "../library/book-files.ts";
import { type KeepBookInput, keepBook } from "../library/keep-book.ts";

/** What threads do: each by its name, with what it takes, says on the way and gives. */
export interface TaskInputs {
  readonly "keep-book": KeepBookInput;
  readonly "judge-book": JudgeBookInput;
  readonly "plan-book": JudgeBookInput;
}
export interface TaskEvents {
  readonly "keep-book": never;
  readonly "judge-book": JudgeBookEvent;
  readonly "plan-book": never;
}
export interface TaskResults {
  readonly "keep-book": BookCard;
  readonly "judge-book": JudgedBook;
  readonly "plan-book": Plan | null;
}
export type TaskName = keyof TaskInputs;

interface TaskContext<Name extends TaskName> {
  readonly emit: (event: TaskEvents[Name]) => void;
  readonly signal: AbortSignal;
}

type Tasks = {
  readonly [Name in TaskName]: (input: TaskInputs[Name], context: TaskContext<Name>) => Promise<TaskResults[Name]>;
};

const TASKS: Tasks = {
  "keep-book": keepBook,
  "judge-book": judgeBook,
  "plan-book": planBook,
};

export function performTask<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  context: TaskContext<Name>,
): Promise<TaskResults[Name]> {
  return TASKS[name](input, context);
}
