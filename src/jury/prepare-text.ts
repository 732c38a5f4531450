import { scanProse } from "../prose/scan-prose.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";
import { countStyle } from "../prose/style-features.ts";
import { rarityFrom, type WordRarity } from "../prose/word-rarity.ts";
import { shippedGraderModel } from "./model-file.ts";
import type { SharedCounts } from "./reading.ts";
import { codeCharacters } from "./runs/character-runs.ts";
import { hashSentences } from "./sentence-hashes.ts";

/** A text read once, for all jurors and for line notes. */
export interface PreparedText {
  readonly text: string;
  readonly prose: ScannedProse;
  readonly counts: SharedCounts;
}

let rarity: WordRarity | undefined;

/** How rare words are, by the grader's table: every juror uses it, so that style is counted once. */
function sharedRarity(): WordRarity {
  if (rarity === undefined) {
    const { model } = shippedGraderModel();
    rarity = rarityFrom(model.rarityHashes, model.rarityBands);
  }
  return rarity;
}

export function prepareText(text: string): PreparedText {
  const prose = scanProse(text);
  return {
    text,
    prose,
    counts: {
      words: hashSentences(prose),
      characters: codeCharacters(prose, text),
      style: countStyle(prose, sharedRarity()),
    },
  };
}
