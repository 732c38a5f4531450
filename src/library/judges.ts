import type { RubricProblem } from "../criteria/load-rubric.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { type ChatModelOptions, createChatModel as createModel } from "../models/create-chat-model.ts";
import { resolveShortName } from "../models/own-judge.ts";
import { openRun as open, type Run, type RunServices, type RunSettings } from "../runner/open-run.ts";
import { repliesTask, rubricCheckTask } from "../tasks/books/judge.ts";
import type { ImportedReply } from "../tasks/books/read-replies.ts";
import type { TextInput } from "../tasks/define/book-input.ts";
import { connectionsOf, taskFunction } from "./task-function.ts";
import type { CheckRubricOptions, RepliesOptions } from "./task-options.ts";

/** The model behind a judge's name, with keys from the environment unless they are given. */
export function createChatModel(name: string, options: Partial<ChatModelOptions> = {}): Promise<ChatModel> {
  return createModel(name, { ...options, connections: connectionsOf(options.connections, [name]) });
}

/** Opens a run, with keys from the environment unless they are given, in memory unless a store is named. */
export async function openRun(settings: Partial<RunSettings> = {}, services: Partial<RunServices> = {}): Promise<Run> {
  const connections = connectionsOf(settings.connections);
  const run = await open(
    { store: ":memory:", ...settings, connections },
    { signal: new AbortController().signal, ...services },
  );
  return {
    ...run,
    // A program that the caller names here is named by the caller.
    model: async (judge) =>
      run.model(
        typeof judge === "string" && resolveShortName(judge, connections.judges).startsWith("command:")
          ? await createChatModel(judge, { connections })
          : judge,
      ),
  };
}

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
