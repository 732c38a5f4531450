import { type Finding, findingId } from "../core/finding.ts";
import { metadataText } from "../judge/material.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { Book } from "../text/book.ts";

/**
 * What is known about a book before it is read: its title, genres and premise, and what its author said about earlier readings. Notes on
 * single chapters are taken without the latter, so that a word of the author does not make every chapter be paid again.
 */
export function knownAbout(book: Book, language: PromptLanguage): string {
  return [metadataText(book, language), ...authorSays(book, language)].join("\n");
}

function authorSays({ storyCorrections, characterCorrections }: Book, language: PromptLanguage): string[] {
  const { author, meant, onePerson, called } = WORDS[language];
  const { intended = [], facts = [] } = storyCorrections ?? {};
  const { merge = [], rename = [] } = characterCorrections ?? {};
  return [
    ...facts,
    ...intended.flatMap(({ passage, why }) => (passage === undefined ? [] : [meant(passage, why)])),
    ...merge.map(onePerson),
    ...rename.map(({ from, to }) => called(from, to)),
  ].map((line) => `${author}${line}`);
}

const WORDS = {
  en: {
    author: "The author says: ",
    meant: (passage: string, why = "") => `this is meant: “${passage}”${why && ` (${why})`}`,
    onePerson: (names: readonly string[]) => `these are one person: ${names.join(", ")}`,
    called: (from: string, to: string) => `${from} is to be called ${to}`,
  },
  zh: {
    author: "作者说明：",
    meant: (passage: string, why = "") => `这是有意的：“${passage}”${why && `（${why}）`}`,
    onePerson: (names: readonly string[]) => `以下是同一个人：${names.join("、")}`,
    called: (from: string, to: string) => `${from}应称为${to}`,
  },
} as const satisfies Record<PromptLanguage, object>;

/** Whether the author has said of this finding that it is meant. */
export function isIntended(
  { kind, passages }: Pick<Finding, "kind" | "passages">,
  { storyCorrections }: Book,
): boolean {
  const id = findingId(kind, passages);
  return (storyCorrections?.intended ?? []).some(
    ({ finding, passage }) =>
      finding === id || (passage !== undefined && passages.some(({ quote }) => touches(quote, passage))),
  );
}

function touches(quote: string, passage: string): boolean {
  const [one, other] = [quote, passage].map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim(),
  );
  return one!.includes(other!) || other!.includes(one!);
}
