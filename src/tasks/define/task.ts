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

/**
 * One thing that a user can ask for. The command, the library function, the assistant's tool and the HTTP endpoint
 * are made from it.
 */
export interface Task<Input extends z.ZodObject = z.ZodObject, Result = unknown> {
  /** The name of the command, such as `qa score`. */
  readonly name: string;
  readonly summary: string;
  /** The library function: its name, the name of its options type, and the option that is its first argument. */
  readonly library?: { readonly function: string; readonly options: string; readonly first: string };
  readonly input: Input;
  /** Which options exclude each other, beyond what their groups say. */
  readonly rules?: readonly Rule<z.output<Input>>[];
  /** An option that is needed only sometimes, if it is missing. */
  needs?(input: z.output<Input>): string | null;
  /** What does the work, loaded when it is needed: a definition alone must load at once. */
  load(): Promise<TaskWork<Input, Result>>;
  readonly output: {
    readonly kind: DocumentKind;
    /** The JSON document of a result, without its schema's name and version. */
    body(result: Result): object;
  };
}

type TaskWork<Input extends z.ZodObject, Result> = (input: z.output<Input>, services: TaskServices) => Promise<Result>;

/** A task as it is written: what its input has to be turned into first is done in `run`, which loads what it needs itself. */
type TaskDefinition<Input extends z.ZodObject, Result> = Omit<Task<Input, Result>, "load"> &
  (Pick<Task<Input, Result>, "load"> | { run(input: z.output<Input>, services: TaskServices): Promise<Result> });

/** None of the fields may be given when the condition holds; the sentence says why, like the sentence of a group. */
export interface Rule<Input> {
  readonly fields: readonly string[];
  when(given: { readonly input: Input; said(option: string): boolean }): boolean;
  readonly sentence: string;
}

/** For work done by workers: whether it is only queued, its owner and priority, and where to report progress. */
export interface WorkersForTask {
  readonly detach: boolean;
  readonly owner: string;
  readonly priority: number;
  onNote(text: string): void;
}

/** What a task gets besides its input. */
export interface TaskServices {
  /** Read it only in work that reacts to it: Ctrl-C ends a command at once if it never reads the signal. */
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
  readonly onEvent: RunnerListener;
  /** Called with what a user should know before there is a result, such as parts of a book that are left out. */
  readonly onNote?: (note: string) => void;
  /**
   * Called with each item as soon as it is ready; the result then omits them, so that a whole library is never in
   * memory.
   */
  readonly onItem?: (item: unknown) => void | Promise<void>;
  /** Set if the work may be left to the workers of a shared store. */
  readonly workers?: WorkersForTask;
  readonly host: Host;
  /** Makes the judge `paste`: a model whose questions a person answers. Only the command line has one. */
  readonly byHand?: (id: string) => ChatModel | Promise<ChatModel>;
  /**
   * Called before the first question with about how many questions a person will be asked, and how many are already
   * answered.
   */
  readonly onQuestions?: (planned: Pick<Plan, "calls" | "cached">) => void;
}

/** The program that runs the task. Keys and passwords come from here, never from the input. */
export interface Host {
  readonly connections: ModelConnections;
  /** The default store, used unless the input names another. */
  readonly store: string;
  readonly prices?: string;
  /** The web app's library, with the corrections that a writer made there. */
  readonly library?: string;
  /** The folder of readers' profiles. */
  readonly profiles?: string;
  /** Rebuilds the evaluations of a run from the calls in the store. Only the command line can. */
  readonly evaluationsOf?: (run: string, store: string | undefined) => Promise<BookEvaluation[]>;
  /** The stream that `-` stands for. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** The command as it was typed and its folder, stored with a run. */
  readonly command?: readonly string[];
  readonly folder?: string;
}

/** Checks that rules and sentences name existing options, so that any test that loads the task finds a misspelt one. */
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

/** The evaluations of a run in the store, if the host can rebuild them. */
export async function evaluationsOf(host: Host, run: string, store: string | undefined): Promise<BookEvaluation[]> {
  if (host.evaluationsOf) return host.evaluationsOf(run, store);
  throw new FabulaError("E_USAGE", "Only the command line makes the evaluations of a run again: give a file of them.");
}

/** The profile that was given, or the stored one with the given name. */
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
 * What a definition says about an option besides its schema. It is stored beside the schema because zod loses its own
 * metadata through `.default()` and `.exactOptional()`, and writes all of it into every JSON Schema.
 */
export interface FieldNotes {
  /** The placeholder for the value in help: `--out FILE`. */
  readonly value?: string;
  /** The flag's name, if it differs from the option's: `as` for `reader`. */
  readonly flag?: string;
  /**
   * The text in help, if a flag needs other words than a program: it may turn a switch off, or take a list with
   * commas.
   */
  readonly help?: string;
  /** The option takes the words after the command's name; this is their placeholder in the usage line: `FILE...`. */
  readonly operand?: string;
  /** A list is given by repeating the flag, because its items may contain commas. */
  readonly repeats?: true;
  /**
   * Converts text to a value that programs give as an object, such as `1-5` to a scale. Returns what it cannot read
   * unchanged.
   */
  readonly fromText?: (text: string) => unknown;
  /** No command has a flag for this option. */
  readonly onlyPrograms?: true;
  /**
   * Whether a remote caller (an assistant, or a client on another machine) may give this option; by default none may.
   * Remote callers never send a path or an address: the function returns the schema of what they may send instead,
   * built from the ways in which they can name a book or a judge.
   */
  readonly remote?: true | ((far: FromFar) => z.ZodType);
  /** The TypeScript type shown to programs, if the schema does not state it: `string | Rubric`. */
  readonly type?: string;
}

/** How a remote caller names things that are not on its own machine. */
export interface FromFar {
  readonly book: z.ZodType;
  readonly judge: z.ZodType;
}

/** Options under one heading in help. Options that apply only in some cases are refused in the others. */
export interface FieldGroup {
  readonly title: string;
  readonly refused?: {
    // biome-ignore lint/suspicious/noExplicitAny: a group names the part of the input that it looks at, and serves several tasks.
    unless(input: any): boolean;
    /**
     * Why they are refused; `{this}` stands for the option, `{judge}` for another one, each spelt as the caller does.
     */
    readonly sentence: string;
  };
}

interface Described extends FieldNotes {
  readonly description: string;
  readonly group?: FieldGroup;
}

const DESCRIBED = new WeakMap<z.ZodType, Described>();

/** An option of a task: its schema, and what help, the reference and JSON Schemas say about it. */
export function field<Schema extends z.ZodType>(schema: Schema, description: string, notes: FieldNotes = {}): Schema {
  return described(schema, { ...notes, description });
}

export function group<Fields extends Readonly<Record<string, z.ZodType>>>(own: FieldGroup, fields: Fields): Fields {
  return withNotes(fields, { group: own });
}

/** The same options with other notes, for example for a command that has no flag for them. */
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

/** Copies the schema, since one schema may be the option of several tasks with different descriptions. */
function described<Schema extends z.ZodType>(schema: Schema, notes: Described): Schema {
  const copy = schema.clone();
  DESCRIBED.set(copy, notes);
  return copy as Schema;
}

/** An option with everything known about it. */
export interface Option extends Described {
  /** The path by which a program reaches it: `maxCost`, `metadata.title`. */
  readonly name: string;
  /** The schema without the part that makes it optional. */
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
  readonly default: unknown;
}

const RESOLVED = new WeakMap<z.ZodObject, readonly Option[]>();

/** The options of a task in the order of its definition; a nested object is replaced by its own options. */
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

/** The range of a number, read from its schema. */
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
