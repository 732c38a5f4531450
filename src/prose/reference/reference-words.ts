import { readFileSync } from "node:fs";
import { assetPath } from "../../core/assets.ts";

/** How often words and phrases occur in the reference novels. Counts only: no sentence of them is kept. */
export interface ReferenceWords {
  /** All words of the novels together. */
  readonly total: number;
  /** What stands for the count of a word, or of a phrase, that is too rare to be listed. */
  readonly unlisted: { readonly word: number; readonly phrase: number };
  readonly counts: ReadonlyMap<string, number>;
}

const FILE = "prose-words.txt";

let loaded: ReferenceWords | null = null;

/** The first line holds the total and the lowest counts listed, of words and of phrases; every other line a count and its words. */
export function loadReferenceWords(): ReferenceWords {
  loaded ??= parseReferenceWords(readFileSync(assetPath("reference", FILE), "utf8"));
  return loaded;
}

export function parseReferenceWords(text: string): ReferenceWords {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const [total = 0, word = 0, phrase = 0] = head.split(" ").map(Number);
  const counts = new Map<string, number>();
  for (const line of lines) {
    const space = line.indexOf(" ");
    counts.set(line.slice(space + 1), Number(line.slice(0, space)));
  }
  return { total, unlisted: { word: word / 2, phrase: phrase / 2 }, counts };
}
