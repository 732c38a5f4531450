import { FabulaError } from "../core/errors.ts";
import { fence } from "./fence.ts";
import { PLACEHOLDER, type PromptSection, type PromptTemplate } from "./template.ts";

/** A message ready to be sent; the same shape as the model port's, which this folder may not import. */
export interface PromptMessage {
  readonly role: PromptSection["role"];
  readonly content: string;
}

export type PromptValues = Readonly<Record<string, string | number | null | undefined>>;

/**
 * Fills a template. A missing or undeclared value is an error, never an empty place in a prompt that costs money. An
 * absent optional value takes its `{{#name}}…{{/name}}` block with it. Each `material` value is fenced
 * under its own name; since values are inserted in one pass, a manuscript that contains `{{plot}}` stays text.
 */
export function renderPrompt(template: PromptTemplate, values: PromptValues): PromptMessage[] {
  const undeclared = Object.keys(values).find((name) => !Object.hasOwn(template.variables, name));
  if (undeclared) {
    throw new FabulaError("E_PROMPT_VALUES", `The prompt "${template.name}" has no variable "${undeclared}".`);
  }
  const texts = new Map<string, string | null>();
  for (const [name, { kind, optional }] of Object.entries(template.variables)) {
    const value = values[name];
    const missing = value === null || value === undefined || value === "";
    if (missing && !optional) {
      throw new FabulaError("E_PROMPT_VALUES", `The prompt "${template.name}" needs a value for "${name}".`);
    }
    texts.set(name, missing ? null : kind === "material" ? fence(name, String(value)) : String(value));
  }
  return template.sections.map(({ role, body }) => ({ role, content: fill(keepBlocks(body, texts), texts) }));
}

/** A part of a prompt with its values, which are inserted as they stand. */
export function renderPart(template: PromptTemplate, part: string, values: Readonly<Record<string, string>>): string {
  const text = template.parts?.[part];
  if (text === undefined)
    throw new FabulaError(
      "E_PROMPT_VALUES",
      `The prompt "${template.name}" needs the part "${part}" in its front matter.`,
    );
  return text.replace(PLACEHOLDER, (_whole, _mark, name: string) => values[name] ?? "");
}

/** Drops the blocks whose condition fails, working on the template alone, before any value is in it. */
function keepBlocks(body: string, texts: ReadonlyMap<string, string | null>): string {
  const kept: string[] = [];
  const open: { name: string; show: boolean }[] = [];
  let position = 0;
  const visible = () => open.every(({ show }) => show);
  for (const match of body.matchAll(PLACEHOLDER)) {
    const [whole, mark, name] = match;
    if (mark === "") continue;
    if (visible()) kept.push(body.slice(position, match.index));
    position = match.index + whole.length;
    if (mark === "/") open.pop();
    else open.push({ name: name!, show: (texts.get(name!) !== null) === (mark === "#") });
  }
  kept.push(body.slice(position));
  return kept
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function fill(body: string, texts: ReadonlyMap<string, string | null>): string {
  return body.replace(PLACEHOLDER, (_whole, _mark, name: string) => texts.get(name) ?? "");
}
