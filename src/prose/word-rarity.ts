import { HashIndex } from "./hash-index.ts";

/** Band edges: the share of training chapters a word must occur in to be at most that rare. */
const EDGES = [0.27, 0.107, 0.04, 0.0134, 0.004, 0.0011];

export const RARITY_BANDS = EDGES.length + 1;

/** The band of a word, from 0 (in every fourth chapter) to 6 (in almost none). */
export type WordRarity = (token: number) => number;

/** The band for a word that occurs in this share of chapters. */
export function rarityBand(share: number): number {
  let band = 0;
  while (band < EDGES.length && share < EDGES[band]!) band++;
  return band;
}

/** Rarity read from a table of the words that are not of the rarest band. */
export function rarityFrom(hashes: Uint32Array, bands: Uint8Array): WordRarity {
  const index = new HashIndex(hashes);
  return (token) => {
    const position = index.find(token);
    return position === -1 ? RARITY_BANDS - 1 : bands[position]!;
  };
}
