import { collectNames } from "../../judge/anonymise/collect-names.ts";
import type { Replacement } from "../../judge/anonymise/name-map.ts";
import type { Story } from "../predictor/story.ts";

/** What would give a book away, by kind. */
export const NAME_KINDS = ["title", "author", "character"] as const;
export type NameKind = (typeof NAME_KINDS)[number];
export type BookNames = Readonly<Record<NameKind, readonly string[]>>;

const STAND_INS: Readonly<Record<NameKind, string>> = {
  title: "this book",
  author: "the author",
  character: "a character",
};
const SHORTEST_NAME = 3;

/** Titles in the forms readers use, the author in full and by family name, and characters, also those no map has. */
export function bookNames(
  story: Story & { readonly author?: string | undefined },
  names: readonly Replacement[],
): BookNames {
  const described = [story.premise, story.plot_summary, story.characters].filter((text) => text !== undefined);
  const found = collectNames(described.map((text) => ({ text }))).map(({ name }) => name);
  const title = titleForms(story.title ?? "");
  const author = authorForms(story.author ?? "");
  const taken = new Set([...title, ...author]);
  const character = [...names.map(({ from }) => from), ...found].filter(
    (name) => name.length >= SHORTEST_NAME && !taken.has(name),
  );
  return { title, author, character: [...new Set(character)] };
}

/** Words that stand in small letters often enough to be ordinary: as names they are taken only with a capital. */
export function ordinaryWords(texts: Iterable<string>, least = 3): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}’'-]*/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= least).map(([word]) => word));
}

/** The text with titles, authors and characters replaced by what they are, longer names before their parts. */
export function maskBook(text: string, names: BookNames, ordinary: ReadonlySet<string>): string {
  const lower = text.toLowerCase().replaceAll("’", "'");
  let masked = text;
  for (const kind of NAME_KINDS) {
    // Most names are not in most texts: looking first is much cheaper than a pattern for each.
    const there = names[kind].filter((name) => lower.includes(wordsOf(name)[0]?.toLowerCase() ?? name));
    for (const name of there.sort((left, right) => right.length - left.length))
      masked = masked.replace(pattern(name, ordinary), STAND_INS[kind]);
  }
  return masked;
}

/** Which kinds of names a text still holds: looked for word by word, so that punctuation and line ends hide nothing. */
export function namesLeft(text: string, names: BookNames, ordinary: ReadonlySet<string>): NameKind[] {
  const words = wordsOf(text);
  const lower = words.map((word) => word.toLowerCase());
  return NAME_KINDS.filter((kind) =>
    names[kind].some((name) => {
      const parts = wordsOf(name);
      const exact = parts.length === 1 && ordinary.has(parts[0]!.toLowerCase());
      return exact
        ? includesRun(words, parts)
        : includesRun(
            lower,
            parts.map((part) => part.toLowerCase()),
          );
    }),
  );
}

function titleForms(title: string): string[] {
  const whole = title.trim();
  const plain = whole.replace(/\s*\([^)]*\)\s*$/, "");
  const main = plain.split(/:\s/)[0]!;
  const bare = main.replace(/^(?:the|a|an)\s+/i, "");
  const forms = [whole, plain, main, ...(bare.includes(" ") ? [bare] : [])];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_NAME);
}

function authorForms(author: string): string[] {
  return author
    .split(/,|&|\band\b/)
    .map((name) => name.trim())
    .flatMap((name) => [name, name.split(/\s+/).at(-1)!])
    .filter((name) => name.length >= SHORTEST_NAME);
}

/** Whole words, any white space and apostrophe inside; in any case unless it is one ordinary word. */
function pattern(name: string, ordinary: ReadonlySet<string>): RegExp {
  const source = wordsOf(name)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/['’]/g, "['’]"))
    .join("[^\\p{L}\\p{N}]{1,3}");
  const exact = !/\s/.test(name) && ordinary.has(name.toLowerCase());
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, exact ? "gu" : "giu");
}

function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    word.replaceAll("’", "'").replace(/'s$/i, ""),
  );
}

function includesRun(words: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return false;
  return words.some((word, at) => word === run[0] && run.every((part, offset) => words[at + offset] === part));
}
