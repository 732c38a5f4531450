import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { parseYaml } from "../core/parse-yaml.ts";
import { issueInWords } from "../core/wording.ts";

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
  /** Pieces that belong to the prompt and are not sent with it as they stand, such as the form of the reply: name → text. */
  parts: z.record(z.string(), z.string()).exactOptional(),
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

/** Looks like a placeholder and is none, so that it would be sent as it stands: `{{my_name}}`, `{{>part}}`. */
const NEARLY_PLACEHOLDER = /\{\{[#^/>]?\s*[\w-]+\s*\}\}/g;

/** Reads a template and checks that what it declares and what it uses are the same. All that is wrong is named at once. */
export function parsePrompt(source: string, place: string): PromptTemplate {
  const { template, faults } = readPrompt(source);
  if (template === null) throw wrongPrompt(`The prompt ${place} is wrong: ${faults.join("; ")}.`);
  return template;
}

/** The same, but returns the faults, for callers that check several files. The template is null exactly when there are faults. */
export function readPrompt(source: string): { readonly template: PromptTemplate | null; readonly faults: string[] } {
  const faults: string[] = [];
  const text = source.replaceAll("\r\n", "\n");
  const head = FRONT_MATTER.exec(text);
  if (!head) faults.push("it must open with YAML front matter between two lines of ---");
  const { matter, variables } = head ? readFrontMatter(head[1]!, faults) : UNREAD;
  const sections = splitRoles(text.slice(head?.[0].length ?? 0), head !== null, faults);
  if (variables) checkVariables(variables, sections, faults);
  return {
    template: matter !== null && faults.length === 0 ? { ...matter, sections, hash: sha256(text) } : null,
    faults,
  };
}

type FrontMatter = z.infer<typeof frontMatterSchema>;

const UNREAD = { matter: null, variables: null };

/** The readable part of the head, so that variables are checked even if another line is wrong. */
function readFrontMatter(
  source: string,
  faults: string[],
): { readonly matter: FrontMatter | null; readonly variables: FrontMatter["variables"] | null } {
  let document: unknown;
  try {
    document = parseYaml(source);
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split("\n")[0] ?? "").replace(/[.:\s]+$/, "") : "";
    faults.push(`its front matter is not YAML: ${detail}`);
    return UNREAD;
  }
  const result = frontMatterSchema.safeParse(document);
  if (result.success) return { matter: result.data, variables: result.data.variables };
  faults.push(
    ...result.error.issues.map((issue) => `${issue.path.join(".") || "front matter"}: ${issueInWords(issue)}`),
  );
  const declared = frontMatterSchema.pick({ variables: true }).loose().safeParse(document);
  return { matter: null, variables: declared.data?.variables ?? null };
}

function splitRoles(body: string, hasFrontMatter: boolean, faults: string[]): PromptSection[] {
  const headings = [...body.matchAll(ROLE_HEADING)];
  if (headings.length === 0) faults.push("it needs a heading `# system` or `# user`");
  else if (hasFrontMatter && body.slice(0, headings[0]!.index).trim() !== "")
    faults.push("there is text before the first role heading");
  return headings.map((heading, position) => ({
    role: heading[1] as PromptSection["role"],
    body: body.slice(heading.index + heading[0].length, headings[position + 1]?.index ?? body.length).trim(),
  }));
}

function checkVariables(
  declared: Readonly<Record<string, PromptVariable>>,
  sections: readonly PromptSection[],
  faults: string[],
): void {
  const used = new Set<string>();
  for (const { body } of sections) {
    for (const [whole] of body.matchAll(NEARLY_PLACEHOLDER))
      if (whole.replace(PLACEHOLDER, "") !== "") faults.push(`${whole} is no placeholder: write {{name}}`);
    const open: string[] = [];
    for (const [, mark, found] of body.matchAll(PLACEHOLDER)) {
      const name = found!;
      const variable = Object.hasOwn(declared, name) ? declared[name] : undefined;
      if (!used.has(name) && !variable) faults.push(`{{${name}}} is used but not declared`);
      used.add(name);
      if (mark === "/") {
        if (open.pop() !== name) faults.push(`{{/${name}}} closes nothing`);
      } else if (mark !== "") {
        if (variable?.optional === false) faults.push(`{{${mark}${name}}} asks whether a required variable is there`);
        open.push(name);
      } else if (variable?.optional && !open.includes(name)) {
        faults.push(`{{${name}}} is optional, so it must stand between {{#${name}}} and {{/${name}}}`);
      }
    }
    if (open.length > 0) faults.push(`{{#${open.at(-1)}}} is never closed`);
  }
  for (const name of Object.keys(declared))
    if (!used.has(name)) faults.push(`the variable "${name}" is declared but not used`);
}

export function wrongPrompt(message: string): FabulaError {
  return new FabulaError("E_PROMPT_INVALID", message);
}
