import { z } from "zod";
import { type Answer, asJson } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { Book, Chapter } from "../text/book.ts";
import { askPrompt } from "./ask.ts";

export interface FoundName {
  readonly name: string;
  readonly count: number;
}

const CAPITALISED =
  /(?<![\p{L}\p{N}’'])\p{Lu}[\p{L}’'-]*\p{L}(?:[ \t]+(?:(?:de|von|van|of|la|le|du|der|den|di|da|bin|al|el)[ \t]+)?\p{Lu}[\p{L}’'-]*\p{L}\.?)*/gu;
const SENTENCE_START = /(?:^|[.!?…:;“"‘'「『—–(\n][”"’')\]]*\s*)$/;
/**
 * Words capitalised inside sentences that are nobody's name. The list is short, since a word that also occurs in
 * lower case is dropped anyway.
 */
const NO_NAMES = new Set(
  `I I'm I'll I'd I've Mr Mrs Ms Miss Dr Sir Madam Lady Lord Monsieur Madame God Heaven Chapter Monday Tuesday Wednesday
  Thursday Friday Saturday Sunday January February March April May June July August September October November December
  English French German American Christmas Easter`.split(/\s+/),
);
const TITLES =
  /^(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Captain|Colonel|Professor|Uncle|Aunt|Count|Countess|Prince|Princess|King|Queen|Monsieur|Madame|Mademoiselle|Señor|Señora|Herr|Frau|Father|Mother|Brother|Sister|Saint|St)\.?\s+/;

/**
 * Finds names of people and places without a model: words capitalised inside sentences that the book hardly ever
 * writes in lower case, with the longer forms they are part of. The model that invents new names is shown this list
 * and skips what is not a name.
 */
export function collectNames(chapters: readonly Pick<Chapter, "text">[], most = 120): FoundName[] {
  const counts = new Map<string, number>();
  const lower = new Map<string, number>();
  for (const { text } of chapters) {
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}’'-]*/gu))
      lower.set(word, (lower.get(word) ?? 0) + 1);
    for (const match of text.matchAll(CAPITALISED)) {
      // Every word is capitalised at the start of a sentence, so only the words after it count.
      const opens = SENTENCE_START.test(text.slice(Math.max(0, match.index - 4), match.index));
      const name = (opens ? match[0].replace(/^\S+\s*/, "") : match[0])
        .replace(/[’']s$/, "")
        .replace(TITLES, "")
        .replace(/\.$/, "");
      if (name.length > 1) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .filter(({ name, count }) => {
      if (NO_NAMES.has(name)) return false;
      const asWord = Math.max(...name.split(/\s+/).map((part) => lower.get(part.toLowerCase()) ?? 0));
      return count >= 2 && (name.includes(" ") || asWord < count / 4);
    })
    .sort((left, right) => right.count - left.count || (left.name < right.name ? -1 : 1))
    .slice(0, most);
}

/** A model's list of new names for old ones. */
export const nameMapSchema = z.object({
  names: z.array(z.object({ from: z.string(), to: z.string(), kind: z.enum(["character", "place"]) })),
});
export type NameMap = z.infer<typeof nameMapSchema>;

/** A replacement, for whole words only. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

const SMALL_WORDS = new Set([
  "of",
  "the",
  "de",
  "von",
  "van",
  "la",
  "le",
  "du",
  "der",
  "den",
  "di",
  "da",
  "and",
  "bin",
  "al",
  "el",
]);

/**
 * Completes a model's map and makes it consistent: parts of full names follow the full name (`Glenn Holland` →
 * `William Thompson` gives `Glenn` → `William` and `Holland` → `Thompson`), members of a family keep one family name,
 * and nothing is mapped to a name that the book already uses. Longest first, so that whole names are replaced before
 * their parts.
 */
export function completeNameMap({ names }: NameMap): Replacement[] {
  const taken = new Set(names.map(({ from }) => from.trim()));
  const parts = new Map<string, string>();
  const whole = new Map<string, string>();
  const sorted = [...names].sort((left, right) => right.from.length - left.from.length);
  for (const { from: source, to: target } of sorted) {
    const from = source.trim();
    const to = target.trim();
    if (from.length < 2 || to === "" || whole.has(from) || taken.has(to) || from === to) continue;
    const fromParts = from.split(/\s+/);
    const toParts = to.split(/\s+/);
    // The first family member in the map determines the new family name for all of them.
    const consistent =
      fromParts.length === toParts.length
        ? fromParts.map((part, at) => (SMALL_WORDS.has(part.toLowerCase()) ? part : (parts.get(part) ?? toParts[at]!)))
        : null;
    whole.set(from, consistent?.join(" ") ?? to);
    if (!consistent || fromParts.length < 2) continue;
    fromParts.forEach((part, at) => {
      if (part.length > 1 && !SMALL_WORDS.has(part.toLowerCase()) && !parts.has(part)) parts.set(part, consistent[at]!);
    });
  }
  // A part that the map lists separately follows the full name it belongs to.
  for (const [from, to] of parts) whole.set(from, to);
  return [...whole]
    .map(([from, to]) => ({ from, to }))
    .sort((left, right) => right.from.length - left.from.length || (left.from < right.from ? -1 : 1));
}

const PASSAGE_CHARACTERS = 2400;
const REPLY_TOKENS = 4096;

/**
 * Gives a book new names in two steps (PerSE, appendix A.1): a model makes the map, and code replaces the names. A
 * model asked to rewrite the text would change the plot as well.
 */
export async function makeNameMap(
  model: ChatModel,
  book: Pick<Book, "chapters">,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Answer<Replacement[]>> {
  const names = collectNames(book.chapters);
  const passage = passageWith(book, names[0]?.name ?? null);
  const answer = await askPrompt(
    model,
    {
      prompt: "probe-names",
      language,
      values: { names: names.map(({ name, count }) => `${name}: ${count}`).join("\n") || "–", passage },
      purpose: "probe",
      ...asJson("names", nameMapSchema),
      maximumTokens: REPLY_TOKENS,
      temperature: 0,
      sample: 0,
    },
    signal,
  );
  return answer.kind === "answered" ? { ...answer, value: completeNameMap(answer.value) } : answer;
}

/** A passage around the most frequent name. */
function passageWith({ chapters }: Pick<Book, "chapters">, name: string | null): string {
  const text =
    chapters.find((chapter) => name !== null && chapter.text.includes(name))?.text ?? chapters[0]?.text ?? "–";
  const at = Math.max(0, (name === null ? 0 : text.indexOf(name)) - 400);
  return text.slice(at, at + PASSAGE_CHARACTERS) || "–";
}

/**
 * Replaces names in one pass, so that a new name is never replaced again. Only whole words are replaced; possessives
 * and plurals stay (`Holland’s`, `the Hollands`), and names in capitals stay in capitals. Names in Chinese, Japanese
 * and Korean have no spaces around them and are replaced wherever they occur.
 */
export function replaceNames(text: string, replacements: readonly Replacement[]): string {
  if (replacements.length === 0) return text;
  const targets = new Map<string, string>();
  for (const { from, to } of replacements) {
    targets.set(from, to);
    if (/\p{Lu}\p{Ll}/u.test(from)) targets.set(from.toUpperCase(), to.toUpperCase());
  }
  const alternatives = [...targets.keys()].sort((left, right) => right.length - left.length).map(pattern);
  const names = new RegExp(alternatives.join("|"), "gu");
  return text.replace(names, (found) => {
    const exact = targets.get(found);
    if (exact !== undefined) return exact;
    // A space inside a name may be a line break in the text; a plural adds its own s.
    const spaced = found.replace(/\s+/g, " ");
    const singular = spaced.replace(/s$/, "");
    return targets.get(spaced) ?? (targets.has(singular) ? `${targets.get(singular)}s` : found);
  });
}

function pattern(name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}·]+$/u.test(name)) return escaped;
  return `(?<![\\p{L}\\p{N}])${escaped}s?(?![\\p{L}\\p{N}])`;
}

/** A book with other names in the text, chapter titles and premise, and without its own title and author. */
export function anonymiseBook(book: Book, replacements: readonly Replacement[], title: string): Book {
  const replaced = (text: string) => replaceNames(text, replacements);
  return {
    ...book,
    title,
    author: null,
    premise: book.premise === null ? null : replaced(book.premise),
    chapters: book.chapters.map((chapter) => ({
      ...chapter,
      title: chapter.title === null ? null : replaced(chapter.title),
      text: replaced(chapter.text),
    })),
  };
}
