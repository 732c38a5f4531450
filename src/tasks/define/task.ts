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
  /** What does the work, loaded when it is needed: a definition alone must load at once. */
  load(): Promise<TaskWork<Input, Result>>;
  readonly output: {
    readonly kind: DocumentKind;
    /** The JSON document of a result, without its name and version. */
    body(result: Result): object;
  };
}

type TaskWork<Input extends z.ZodObject, Result> = (input: z.output<Input>, services: TaskServices) => Promise<Result>;

/** A task as it is written: what its input has to be turned into first is done in `run`, which loads what it needs itself. */
type TaskDefinition<Input extends z.ZodObject, Result> = Omit<Task<Input, Result>, "load"> &
  (Pick<Task<Input, Result>, "load"> | { run(input: z.output<Input>, services: TaskServices): Promise<Result> });

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
  readonly byHand?: (id: string) => ChatModel | Promise<ChatModel>;
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
export function defineTask<Input extends z.ZodObject, Result>(
  task: TaskDefinition<Input, Result>,
): Task<Input, Result> {
  const options = optionsOf(task.input);
  const known = new Set(["this", ...options.map(({ name }) => name)]);
  const texts = [
    ...options.flatMap(({ description, group }) => [description, group?.refused?.sentence ?? ""]),
    ...(task.rules ?? []).flatMap(({ fields, sentence }) => [...fields.map((name) => `{${name}}`), sentence]),
  ];
  for (const [, name] of texts.join("\n").matchAll(/\{([\w.]+)\}/g))
    if (!known.has(name!)) throw new Error(`the task "${task.name}" has no option "${name}"`);
  return "load" in task ? task : { ...task, load: async () => task.run };
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

/**
 * What a definition says about an option beside its schema. It is kept beside the schema, because zod loses its own notes
 * through `.default()` and `.exactOptional()`, and writes each of them into every JSON Schema.
 */
export interface FieldNotes {
  /** What stands for the value in help: `--out FILE`. */
  readonly value?: string;
  /** The flag's name, where it is not the option's own: `as` for `reader`. */
  readonly flag?: string;
  /** What help says, where a flag needs other words than a program: it turns a switch off, or takes a list with commas. */
  readonly help?: string;
  /** The words after the command's name are its value; what stands for them in the usage line: `FILE...`. */
  readonly operand?: string;
  /** A list that is made by giving the flag again, because its items may hold commas. */
  readonly repeats?: true;
  /** How a text becomes its value, where programs give an object: `1-5` a scale. What it cannot read it returns as it is. */
  readonly fromText?: (text: string) => unknown;
  /** No command has a flag for it. */
  readonly onlyPrograms?: true;
  /**
   * Whether an assistant, or somebody on another machine, may give it; nobody may unless it says so. A path or an address never
   * comes from far: a function says what may be sent instead, from the schemas by which that caller can name a book or a judge.
   */
  readonly remote?: true | ((far: FromFar) => z.ZodType);
  /** The type that a program sees, where the schema does not tell: `string | Rubric`. */
  readonly type?: string;
}

/** How a caller from far names what is not on its own machine. */
export interface FromFar {
  readonly book: z.ZodType;
  readonly judge: z.ZodType;
}

/** Options under one title in help. Those that apply only sometimes are refused when they do not. */
export interface FieldGroup {
  readonly title: string;
  readonly refused?: {
    // biome-ignore lint/suspicious/noExplicitAny: a group names the part of the input that it looks at, and serves several tasks.
    unless(input: any): boolean;
    /** Why they are refused; `{this}` stands for the option, `{judge}` for another one, each as the caller spells it. */
    readonly sentence: string;
  };
}

interface Described extends FieldNotes {
  readonly description: string;
  readonly group?: FieldGroup;
}

const DESCRIBED = new WeakMap<z.ZodType, Described>();

/** An option of a task: its schema, and what help, reference and JSON Schemas say about it. */
export function field<Schema extends z.ZodType>(schema: Schema, description: string, notes: FieldNotes = {}): Schema {
  return described(schema, { ...notes, description });
}

export function group<Fields extends Readonly<Record<string, z.ZodType>>>(own: FieldGroup, fields: Fields): Fields {
  return withNotes(fields, { group: own });
}

/** The same options with other notes, such as for a command that has no flag for them. */
export function withNotes<Fields extends Readonly<Record<string, z.ZodType>>>(
  fields: Fields,
  notes: Partial<Described>,
): Fields {
  const changed = Object.entries(fields).map(([name, schema]) => {
    const known = DESCRIBED.get(schema);
    if (!known) throw new Error(`"${name}" is not an option: make it with field()`);
    return [name, described(schema, { ...known, ...notes })];
  });
  return Object.fromEntries(changed);
}

/** A copy: one schema may be the option of several tasks, each with its own words. */
function described<Schema extends z.ZodType>(schema: Schema, notes: Described): Schema {
  const copy = schema.clone();
  DESCRIBED.set(copy, notes);
  return copy as Schema;
}

/** A field with all that is known about it. */
export interface Option extends Described {
  /** As a program reaches it: `maxCost`, `metadata.title`. */
  readonly name: string;
  /** Without what makes it optional. */
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
  readonly default: unknown;
}

const RESOLVED = new WeakMap<z.ZodObject, readonly Option[]>();

/** The options of a task, in the order of its definition; those of an object within stand in its place. */
export function optionsOf(input: z.ZodObject): readonly Option[] {
  const known = RESOLVED.get(input) ?? Object.entries(input.shape).flatMap(([name, schema]) => optionsIn(name, schema));
  RESOLVED.set(input, known);
  return known;
}

function optionsIn(name: string, given: z.core.$ZodType): Option[] {
  const outer = given as z.ZodType;
  const { schema, fallback } = unwrapped(outer);
  const notes = DESCRIBED.get(outer);
  if (notes) return [{ ...notes, name, schema, isRequired: outer._zod.optin === undefined, default: fallback }];
  if (isKind(schema, "object"))
    return optionsOf(schema as z.ZodObject).map((option) => ({ ...option, name: `${name}.${option.name}` }));
  throw new Error(`the option "${name}" has no description: make it with field()`);
}

function unwrapped(schema: z.ZodType): { schema: z.ZodType; fallback: unknown } {
  let inner = schema;
  let fallback: unknown;
  while (isKind(inner, "optional") || isKind(inner, "default")) {
    const { innerType, defaultValue } = inner.def as unknown as z.core.$ZodDefaultDef;
    if (isKind(inner, "default")) fallback = defaultValue;
    inner = innerType as z.ZodType;
  }
  return { schema: inner, fallback };
}

/** The range of a number, as its schema has it. */
export interface NumberLimits {
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

export function limitsOf(schema: z.ZodType): NumberLimits {
  const { isInt, minValue, maxValue } = schema as z.ZodNumber;
  const isLimit = (value: number | null): value is number =>
    value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return {
    ...(isInt && { integer: true }),
    ...(isLimit(minValue) && { minimum: minValue }),
    ...(isLimit(maxValue) && { maximum: maxValue }),
  };
}

export function isKind(schema: z.core.$ZodType, kind: z.core.$ZodTypeDef["type"]): boolean {
  return schema._zod.def.type === kind;
}
