import type { z } from "zod";

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
