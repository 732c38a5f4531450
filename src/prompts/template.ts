import { parse } from "yaml";
import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";

/**
 * What a template may be given. `text` is ours (a number, a list of criteria) and is inserted as it stands. `material` comes
 * from outside (a manuscript, a title, a model's earlier reply) and is put between fences that it cannot close.
 */
const variableSchema = z.strictObject({
  kind: z.enum(["text", "material"]),
  about: z.string().min(1),
  optional: z.boolean().default(false),
});

const frontMatterSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "lower-case words joined by hyphens"),
  version: z.number().int().positive(),
  language: z.string().min(2),
  about: z.string().min(1),
  variables: z.record(z.string().regex(/^[a-z][a-zA-Z0-9]*$/), variableSchema),
  /** What the prompt asks for: JSON, or for a judge's prompt a review in prose with scores. */
  reply: z.enum(["json", "review"]).default("json"),
});

export type PromptVariable = z.infer<typeof variableSchema>;

export interface PromptSection {
  readonly role: "system" | "user" | "assistant";
  readonly body: string;
}

/** A prompt as a file: who says what, with the variables it declares. */
export interface PromptTemplate extends z.infer<typeof frontMatterSchema> {
  readonly sections: readonly PromptSection[];
  /** Changes with any letter of the file: part of the key of every call made with it. */
  readonly hash: string;
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;
const ROLE_HEADING = /^# (system|user|assistant)[ \t]*$/gm;
/** `{{name}}`, `{{#name}}` … `{{/name}}` (kept when given), `{{^name}}` … `{{/name}}` (kept when absent). */
export const PLACEHOLDER = /\{\{([#^/]?)([a-zA-Z0-9]+)\}\}/g;

/** Reads a template and checks that what it declares and what it uses are the same. */
export function parsePrompt(source: string, place: string): PromptTemplate {
  const text = source.replaceAll("\r\n", "\n");
  const head = FRONT_MATTER.exec(text);
  if (!head) throw wrong(place, "it must open with YAML front matter between two lines of ---");
  const result = frontMatterSchema.safeParse(parseYaml(head[1]!, place));
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw wrong(place, `${issue.path.join(".") || "front matter"}: ${issue.message}`);
  }
  const sections = splitRoles(text.slice(head[0].length), place);
  checkVariables(result.data.variables, sections, place);
  return { ...result.data, sections, hash: sha256(text) };
}

function parseYaml(source: string, place: string): unknown {
  try {
    return parse(source, { maxAliasCount: 0 });
  } catch (cause) {
    throw new FabulaError("E_PROMPT_INVALID", `The prompt ${place} has front matter that is not YAML: correct it.`, {
      cause,
    });
  }
}

function splitRoles(body: string, place: string): PromptSection[] {
  const headings = [...body.matchAll(ROLE_HEADING)];
  if (headings.length === 0) throw wrong(place, "it needs a heading `# system` or `# user`");
  if (body.slice(0, headings[0]!.index).trim() !== "")
    throw wrong(place, "there is text before the first role heading");
  return headings.map((heading, position) => ({
    role: heading[1] as PromptSection["role"],
    body: body.slice(heading.index + heading[0].length, headings[position + 1]?.index ?? body.length).trim(),
  }));
}

function checkVariables(
  declared: Readonly<Record<string, PromptVariable>>,
  sections: readonly PromptSection[],
  place: string,
): void {
  const used = new Set<string>();
  for (const { body } of sections) {
    const open: string[] = [];
    for (const [, mark, name] of body.matchAll(PLACEHOLDER)) {
      if (!Object.hasOwn(declared, name!)) throw wrong(place, `{{${name}}} is used but not declared`);
      used.add(name!);
      if (mark === "/") {
        if (open.pop() !== name) throw wrong(place, `{{/${name}}} closes nothing`);
      } else if (mark !== "") {
        if (!declared[name!]!.optional)
          throw wrong(place, `{{${mark}${name}}} asks whether a required variable is there`);
        open.push(name!);
      } else if (declared[name!]!.optional && !open.includes(name!)) {
        throw wrong(place, `{{${name}}} is optional, so it must stand between {{#${name}}} and {{/${name}}}`);
      }
    }
    if (open.length > 0) throw wrong(place, `{{#${open.at(-1)}}} is never closed`);
  }
  const idle = Object.keys(declared).find((name) => !used.has(name));
  if (idle) throw wrong(place, `the variable "${idle}" is declared but not used`);
}

function wrong(place: string, detail: string): FabulaError {
  return new FabulaError("E_PROMPT_INVALID", `The prompt ${place} is wrong: ${detail}.`);
}
