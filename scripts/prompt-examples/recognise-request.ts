import { isDeepStrictEqual } from "node:util";
import { type PromptMessage, renderPrompt } from "../../src/prompts/render-prompt.ts";
import { PLACEHOLDER, type PromptTemplate } from "../../src/prompts/template.ts";

/** Marks the block of a value that is only asked about, never shown: that the block stands is all there is to know. */
const PRESENT = "present_";

export interface RecognisedRequest {
  readonly template: PromptTemplate;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Which prompt a request was made from, and with what values. What the reading finds is rendered again and held against the
 * request, so a prompt is either recognised to the letter or not at all.
 */
export function recogniseRequest(
  messages: readonly PromptMessage[],
  templates: readonly PromptTemplate[],
): RecognisedRequest | null {
  for (const template of templates) {
    const values = readValues(messages, template);
    if (values !== null && rendersTo(template, values, messages)) return { template, values };
  }
  return null;
}

function rendersTo(
  template: PromptTemplate,
  values: Readonly<Record<string, string>>,
  messages: readonly PromptMessage[],
): boolean {
  const required = Object.entries(template.variables).filter(([, { optional }]) => !optional);
  return required.every(([name]) => values[name]) && isDeepStrictEqual(renderPrompt(template, values), messages);
}

function readValues(messages: readonly PromptMessage[], template: PromptTemplate): Record<string, string> | null {
  if (messages.length !== template.sections.length) return null;
  const values: Record<string, string> = {};
  for (const [position, { role, body }] of template.sections.entries()) {
    const { role: given, content } = messages[position]!;
    const found = role === given ? new RegExp(`^${patternOf(body, template)}$`).exec(content) : null;
    if (!found) return null;
    for (const [name, value] of Object.entries(found.groups ?? {})) {
      if (value === undefined) continue;
      if (name.startsWith(PRESENT)) values[name.slice(PRESENT.length)] ??= "yes";
      else values[name] = value;
    }
  }
  return values;
}

/** The template as a pattern: its own words as they stand, white space of any length, blocks that may be absent, and values. */
function patternOf(body: string, { variables }: PromptTemplate): string {
  const seen = new Set<string>();
  const pieces: string[] = [];
  let position = 0;
  for (const match of body.matchAll(PLACEHOLDER)) {
    const [whole, mark, name] = match;
    pieces.push(literal(body.slice(position, match.index)));
    position = match.index + whole.length;
    if (mark === "/") pieces.push(")?");
    else if (mark === "#" && !body.includes(`{{${name}}}`) && !seen.has(PRESENT + name)) {
      pieces.push(`(?<${PRESENT}${name}>`);
      seen.add(PRESENT + name);
    } else if (mark !== "") pieces.push("(?:");
    else {
      const value = seen.has(name!) ? `\\k<${name}>` : `(?<${name}>[^]*?)`;
      seen.add(name!);
      const fenced = variables[name!]!.kind === "material";
      pieces.push(fenced ? `<<<${name} [0-9a-f]{16}>>>\\n${value}\\n<<<END ${name} [0-9a-f]{16}>>>` : value);
    }
  }
  pieces.push(literal(body.slice(position)));
  return pieces.join("");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s*");
}
