import type { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { ModelConnections } from "../../models/connection.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import type { DocumentKind } from "../../report/documents.ts";
import type { Plan } from "../../runner/planning.ts";
import type { RunnerListener } from "../../runner/runner-event.ts";
import { optionsOf } from "./field.ts";

/** One thing that a user asks for. The command, the function of the library, the tool and the endpoint are made from it. */
export interface Task<Input extends z.ZodObject = z.ZodObject, Result = unknown> {
  /** The words of the command: `qa score`. */
  readonly name: string;
  readonly summary: string;
  /** The function of the library that does it: its name, the name of its options, and the option that it takes first. */
  readonly library?: { readonly function: string; readonly options: string; readonly first: string };
  readonly input: Input;
  /** Which options exclude each other, beyond what their groups say. */
  readonly rules?: readonly Rule<z.output<Input>>[];
  /** The option that is missing, where one is needed only sometimes. */
  needs?(input: z.output<Input>): string | null;
  /** Does the work. It loads what it needs itself: a definition alone must load at once. */
  run(input: z.output<Input>, services: TaskServices): Promise<Result>;
  readonly output: {
    readonly kind: DocumentKind;
    /** The JSON document of a result, without its name and version. */
    body(result: Result): object;
  };
}

/** None of the fields may be given when the condition holds; the sentence says why, as the sentence of a group does. */
export interface Rule<Input> {
  readonly fields: readonly string[];
  when(given: { readonly input: Input; said(option: string): boolean }): boolean;
  readonly sentence: string;
}

/** For work that is left to others: whether it is only queued, whose it is and how urgent, and where to say how it goes. */
export interface WorkersForTask {
  readonly detach: boolean;
  readonly owner: string;
  readonly priority: number;
  onNote(text: string): void;
}

/** What a task gets beside its input. */
export interface TaskServices {
  /** Read it only in work that heeds it: a command that never reads it is ended by Ctrl-C at once. */
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
  readonly onEvent: RunnerListener;
  /** Takes what a user should know before there is a result, such as what is left out of a book. */
  readonly onNote?: (note: string) => void;
  /** Takes each item as soon as it is ready, and the result is then without them: a whole library is never in memory. */
  readonly onItem?: (item: unknown) => void | Promise<void>;
  /** Where work may be left to the workers of a shared store. */
  readonly workers?: WorkersForTask;
  readonly host: Host;
  /** The judge `paste`: a model whose questions a person answers. Only a command has one. */
  readonly byHand?: (id: string) => ChatModel;
  /** Takes how many questions a person will be asked, about, and how many of them are answered: before the first is asked. */
  readonly onQuestions?: (planned: Pick<Plan, "calls" | "cached">) => void;
}

/** Who runs the task. Keys and passwords come from here, never with the input. */
export interface Host {
  readonly connections: ModelConnections;
  /** Where calls are kept, unless the input names another place. */
  readonly store: string;
  readonly prices?: string;
  /** The web app's library, with what a writer corrected there. */
  readonly library?: string;
  /** Where readers' profiles are kept. */
  readonly profiles?: string;
  /** The evaluations of a run, made again from the calls that the store has. Only a command can. */
  readonly evaluationsOf?: (run: string, store: string | undefined) => Promise<BookEvaluation[]>;
  /** What `-` stands for. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** What was typed and where, to be remembered with a run. */
  readonly command?: readonly string[];
  readonly folder?: string;
}

/** Checks that rules and sentences name options that exist, so that a misspelt one is found by any test that loads the task. */
export function defineTask<Input extends z.ZodObject, Result>(task: Task<Input, Result>): Task<Input, Result> {
  const options = optionsOf(task.input);
  const known = new Set(["this", ...options.map(({ name }) => name)]);
  const texts = [
    ...options.flatMap(({ description, group }) => [description, group?.refused?.sentence ?? ""]),
    ...(task.rules ?? []).flatMap(({ fields, sentence }) => [...fields.map((name) => `{${name}}`), sentence]),
  ];
  for (const [, name] of texts.join("\n").matchAll(/\{([\w.]+)\}/g))
    if (!known.has(name!)) throw new Error(`the task "${task.name}" has no option "${name}"`);
  return task;
}

/** The evaluations of a run in the store, for who can make them. */
export async function evaluationsOf(host: Host, run: string, store: string | undefined): Promise<BookEvaluation[]> {
  if (host.evaluationsOf) return host.evaluationsOf(run, store);
  throw new FabulaError("E_USAGE", "Only the command line makes the evaluations of a run again: give a file of them.");
}

/** The profile of the reader that was given, or named: a name is looked up where profiles are kept. */
export async function profileFrom(
  { reader, profiles }: { readonly reader: string | ReaderProfile; readonly profiles?: string },
  host: Host,
): Promise<ReaderProfile> {
  if (typeof reader !== "string") return reader;
  const { openProfile } = await import("../readers/reader-profiles.ts");
  return openProfile(reader, profilesIn(profiles, host));
}

export function profilesIn(given: string | undefined, host: Host): string {
  const folder = given ?? host.profiles;
  if (folder !== undefined) return folder;
  throw new FabulaError("E_USAGE", "A reader that is named is looked up in a folder: give it as `profiles`.");
}
