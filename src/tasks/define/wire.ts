import { z } from "zod";
import { type Caller, inWords } from "./check.ts";
import type { BookInput } from "./shared-fields.ts";
import { type FromFar, field, type Option, optionsOf, type Task } from "./task.ts";

/** Programs, assistants and the reference spell an option as it is declared. */
export const AS_DECLARED: Caller["spell"] = ({ name }) => `\`${name}\``;

/** How a remote caller names a book: by its text, by its path in a shared folder, or by its number in a library. */
export interface WireBook {
  readonly schema: z.ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: what its own schema let through.
  open(named: any): Promise<BookInput>;
}

/**
 * The schema of what a remote caller may send to a task: the options that allow it. Null for a task that requires an
 * option nobody may send, or that would be left with nothing to work on. Defaults are stated but not filled in, so
 * that it stays known what the caller gave.
 */
export function wireSchema({ input }: Pick<Task, "input">, far: FromFar): z.ZodObject | null {
  const options = optionsOf(input);
  if (options.some(({ isRequired, remote }) => isRequired && !remote)) return null;
  if (!options.some(({ name, remote }) => remote && name !== "seed")) return null;
  const shapeOf = (before: string): Record<string, z.ZodType> => {
    const shape: Record<string, z.ZodType> = {};
    for (const option of options.filter(({ name, remote }) => remote && name.startsWith(before))) {
      const [name = "", inner] = option.name.slice(before.length).split(".");
      if (inner === undefined) shape[name] = wireOption(option, options, far);
      else shape[name] ??= z.strictObject(shapeOf(`${before}${name}.`)).optional();
    }
    return shape;
  };
  return z.strictObject(shapeOf(""));
}

function wireOption(option: Option, all: readonly Option[], far: FromFar): z.ZodType {
  const { schema, remote, group, isRequired, default: standard } = option;
  const sent = typeof remote === "function" ? remote(far) : schema;
  const description = inWords(option.description, all, { name: "", spell: AS_DECLARED }, option.name);
  const about = group ? `${description} (${group.title.toLowerCase()})` : description;
  const stated = (isRequired ? sent : sent.optional()).meta({
    description: about,
    ...(standard !== undefined && { default: standard }),
  });
  return field(stated, about);
}

/** Opens every book in what was sent. */
export async function openBooks(
  { input }: Pick<Task, "input">,
  sent: Readonly<Record<string, unknown>>,
  { schema, open }: WireBook,
): Promise<Record<string, unknown>> {
  const opened = (value: unknown): unknown => {
    if (Array.isArray(value)) return Promise.all(value.map(opened));
    return schema.safeParse(value).success ? open(value) : value;
  };
  const isOfBooks = ({ type = "" }: Option) => /\bBookInput\b/.test(type);
  const books = optionsOf(input).filter((option) => isOfBooks(option) && sent[option.name] !== undefined);
  const entries = await Promise.all(books.map(async ({ name }) => [name, await opened(sent[name])]));
  return { ...sent, ...Object.fromEntries(entries) };
}

export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...own } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return own;
}
