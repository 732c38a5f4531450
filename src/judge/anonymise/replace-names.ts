import type { Book } from "../../text/book.ts";
import type { Replacement } from "./name-map.ts";

/**
 * Replaces names in one pass, so that a new name is never replaced again. Whole words only, possessives and plurals kept
 * (`Holland’s`, `the Hollands`), names in capitals stay in capitals. Names in Chinese, Japanese and Korean have no spaces
 * around them and are replaced wherever they stand.
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
    // Spaces inside a name may be a line break in the text; a plural adds its own s.
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

/** A book under other names: text, titles of chapters, premise; its own title and author are gone. */
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
