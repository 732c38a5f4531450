import { readFileSync } from "node:fs";
import { assetPath } from "../../core/assets.ts";
import { HashIndex } from "../hashing.ts";

/** Band limits: the share of training chapters in which a word must occur to be at most that rare. */
const EDGES = [0.27, 0.107, 0.04, 0.0134, 0.004, 0.0011];

export const RARITY_BANDS = EDGES.length + 1;

/** The band of a word, from 0 (in every fourth chapter) to 6 (in hardly any). */
export type WordRarity = (token: number) => number;

/** The band for a word that occurs in this share of chapters. */
export function rarityBand(share: number): number {
  let band = 0;
  while (band < EDGES.length && share < EDGES[band]!) band++;
  return band;
}

/** Rarity from a table of all words that are not in the rarest band. */
export function rarityFrom(hashes: Uint32Array, bands: Uint8Array): WordRarity {
  const index = new HashIndex(hashes);
  return (token) => {
    const position = index.find(token);
    return position === -1 ? RARITY_BANDS - 1 : bands[position]!;
  };
}

/** How often words and phrases occur in the reference novels. Only counts are stored, no sentences. */
export interface ReferenceWords {
  /** The total number of words in the novels. */
  readonly total: number;
  /** The count assumed for a word, or a phrase, that is too rare to be listed. */
  readonly unlisted: { readonly word: number; readonly phrase: number };
  readonly counts: ReadonlyMap<string, number>;
  /** Per 1,000 words: the rate below which 95 % of the novels stay. */
  readonly high: ReadonlyMap<string, number>;
}

const FILE = "prose-words.txt";

let loaded: ReferenceWords | null = null;

/**
 * The first line holds the total and the lowest counts listed, of words and of phrases. Every other line holds a
 * count, the rate per million words below which 95 % of the novels stay, and the words.
 */
export function loadReferenceWords(): ReferenceWords {
  loaded ??= parseReferenceWords(readFileSync(assetPath("reference", FILE), "utf8"));
  return loaded;
}

export function parseReferenceWords(text: string): ReferenceWords {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const [total = 0, word = 0, phrase = 0] = head.split(" ").map(Number);
  const counts = new Map<string, number>();
  const high = new Map<string, number>();
  for (const line of lines) {
    const space = line.indexOf(" ");
    const next = line.indexOf(" ", space + 1);
    const listed = line.slice(next + 1);
    counts.set(listed, Number(line.slice(0, space)));
    high.set(listed, Number(line.slice(space + 1, next)) / 1000);
  }
  return { total, unlisted: { word: word / 2, phrase: phrase / 2 }, counts, high };
}
