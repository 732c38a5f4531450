import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
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

/**
 * Text from outside goes into a prompt between two marks that carry a nonce. The nonce is a hash of that very text, so
 * the same material gives the same prompt (calls stay cacheable and provider prefix caches apply), and yet no author
 * can write it into the text: that would take a text that contains its own SHA-256. A collision with a part of the
 * text is ruled out by looking, not by odds.
 */
export function fence(name: string, material: string): string {
  if (last.name === name && last.material === material) return last.fenced;
  const content = neutralise(material);
  const nonce = nonceFor(name, content);
  const fenced = `<<<${name} ${nonce}>>>\n${content}\n<<<END ${name} ${nonce}>>>`;
  if (material.length >= WORTH_KEEPING) last = { name, material, fenced };
  return fenced;
}

/** Many questions in a row are asked about one book, which is fenced once for all of them. */
let last = { name: "", material: "", fenced: "" };
const WORTH_KEEPING = 50_000;

export function nonceFor(name: string, content: string): string {
  for (let attempt = 0; ; attempt++) {
    const nonce = sha256(`${name}\u0000${attempt}\u0000${content}`).slice(0, 16);
    if (!content.includes(nonce)) return nonce;
  }
}

const OPENING_MARK = /<<<([\w-]+) ([0-9a-f]{16})>>>\n/g;

/** A prompt without the material of one name. Marks inside other material are part of that material. */
export function withoutMaterial(prompt: string, name: string): string {
  const kept: string[] = [];
  let position = 0;
  for (;;) {
    OPENING_MARK.lastIndex = position;
    const mark = OPENING_MARK.exec(prompt);
    const end = mark && `\n<<<END ${mark[1]} ${mark[2]}>>>`;
    const close = mark ? prompt.indexOf(end!, mark.index) : -1;
    if (!mark || close < 0) return kept.join("") + prompt.slice(position);
    const after = close + end!.length;
    kept.push(prompt.slice(position, mark[1] === name ? mark.index : after));
    position = after;
  }
}

/** Characters that a reader never sees but a model does: controls, bidirectional overrides, tag letters, zero-width space. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Marks by which local servers tell one speaker from another: `<|im_start|>`, `<|eot_id|>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`. */
const SPEAKER_MARK =
  /<(?=\|[\w-]{1,40}\|>)|<(?=\/?(?:s|start_of_turn|end_of_turn|bos|eos|pad|unk|think|tool_call)>)|\[(?=\/?(?:INST|SYS|TOOL_CALLS|AVAILABLE_TOOLS)\])|<(?=<\/?SYS>>)|<(?=｜[^｜\n]{1,40}｜>)/g;

/** Text as a judge may see it: nothing hidden, and no mark that a server would read as a change of speaker. */
export function neutralise(material: string): string {
  return material
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(UNSEEN, "")
    .replace(SPEAKER_MARK, (mark) => `${mark} `);
}
