import type { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { numberInWords } from "../../core/wording.ts";
import { editDistance } from "../../qa/dataset/edit-distance.ts";
import { isKind, limitsOf, type Option, optionsOf, type Task } from "./task.ts";

/** The caller of a task, and how it spells options: `--max-cost` on the command line, `maxCost` in a program. */
export interface Caller {
  /** `fabula read`, or the name of a function. */
  readonly name: string;
  spell(option: Option): string;
  /** A sentence that says where to read more. */
  readonly advice?: string;
}

/** Whether the caller gave an option itself; a value from a default or a settings file does not count. */
export type Said = (option: string) => boolean;

/** Validates the input for a task, or says in one sentence what is wrong with it. */
export function checkInput<Input extends z.ZodObject>(
  task: Pick<Task<Input>, "input" | "rules" | "needs">,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  said: Said = (option) => valueAt(given, option) !== undefined,
): z.output<Input> {
  const options = optionsOf(task.input);
  const sentence = (text: string, option: string) => new FabulaError("E_USAGE", inWords(text, options, caller, option));
  const parsed = task.input.safeParse(withoutUndefined(given, task.input));
  if (!parsed.success) throw new FabulaError("E_USAGE", problemInWords(parsed.error.issues, given, options, caller));
  const input = parsed.data;
  for (const { name, group } of options)
    if (group?.refused && said(name) && !group.refused.unless(input)) throw sentence(group.refused.sentence, name);
  for (const { fields, when, sentence: text } of task.rules ?? []) {
    const idle = fields.find(said);
    if (idle !== undefined && when({ input, said })) throw sentence(text, idle);
  }
  const missing = options.find(({ name }) => name === task.needs?.(input));
  if (missing) throw new FabulaError("E_USAGE", neededInWords(missing, caller));
  return input;
}

function neededInWords(option: Option, { name, spell, advice }: Caller): string {
  return `${name} needs ${spell(option)}.${advice ? ` ${advice}` : ""}`;
}

/** Fills a definition's text with options spelt as the caller does; `{this}` is the option the text is about. */
export function inWords(text: string, options: readonly Option[], { spell }: Caller, self?: string): string {
  return text.replaceAll(/\{([\w.]+)\}/g, (_, name) => {
    const wanted = name === "this" ? self : name;
    return spell(options.find((option) => option.name === wanted)!);
  });
}

/** The values that an option takes, in words. */
export function valuesInWords({ schema, type }: Pick<Option, "schema" | "type">): string {
  if (type !== undefined) return `of the type ${type}`;
  if (isKind(schema, "number")) return numberInWords(limitsOf(schema));
  if (isKind(schema, "enum")) return `one of ${(schema as z.ZodEnum).options.join(", ")}`;
  if (isKind(schema, "boolean")) return "true or false";
  if (isKind(schema, "string")) return "text";
  return isKind(schema, "array") ? "a list" : "an object";
}

function problemInWords(
  issues: readonly z.core.$ZodIssue[],
  given: object,
  options: readonly Option[],
  caller: Caller,
): string {
  const advice = caller.advice ? ` ${caller.advice}` : "";
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown) {
    const name = [...unknown.path, unknown.keys[0]].join(".");
    const known = options.map((option) => option.name);
    return `${caller.name} has no option "${name}".${didYouMean(name, known, (other) => `"${other}"`)}${advice}`;
  }
  const [issue] = issues;
  const path = issue!.path.join(".");
  const option = options.find(({ name }) => path === name || path.startsWith(`${name}.`));
  if (!option) return `${caller.name} takes an object of options.${advice}`;
  const value = valueAt(given, option.name);
  const name = caller.spell(option);
  if (value === undefined) return neededInWords(option, caller);
  // A message written in the definition is used as it is; zod's own messages are about types in a program.
  if (!/^(?:Invalid|Too (?:small|big)|Unrecognized)/.test(issue!.message)) {
    const text = issue!.message.includes("{this}") ? issue!.message : `{this} {given}: ${issue!.message}.`;
    return inWords(text.replaceAll("{given}", shown(value)), options, caller, option.name);
  }
  return `${name} must be ${valuesInWords(option)}, and is ${shown(value)}.`;
}

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(",");
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

function valueAt(given: object, option: string): unknown {
  return option
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], given);
}

/** A program may well write `{ maxCost: undefined }`, which means that it gives no value. */
function withoutUndefined(given: unknown, { shape }: z.ZodObject): unknown {
  if (typeof given !== "object" || given === null) return given;
  const within = (value: unknown, name: string) => {
    const inner = shape[name] && unwrapObject(shape[name]);
    return inner ? withoutUndefined(value, inner) : value;
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, within(value, name)]));
}

function unwrapObject(schema: z.core.$ZodType): z.ZodObject | null {
  if (isKind(schema, "object")) return schema as z.ZodObject;
  if (!isKind(schema, "optional")) return null;
  return unwrapObject((schema as z.ZodOptional).def.innerType);
}

/** With more slips than this, another name was meant. */
const MOST_SLIPS = 3;

/** A sentence with the known name that a mistyped one was probably meant to be; empty when none is near. */
export function didYouMean(typed: string, known: readonly string[], inWords: (name: string) => string): string {
  const [nearest] = known
    .map((name) => ({ name, slips: editDistance(typed.toLowerCase(), name) }))
    .filter(({ name, slips }) => slips <= Math.min(MOST_SLIPS, Math.ceil(name.length / 3)) || name.startsWith(typed))
    .sort((one, other) => one.slips - other.slips);
  return nearest ? ` Did you mean ${inWords(nearest.name)}?` : "";
}
