import { sum } from "../../stats/distribution/sum.ts";
import { comparable } from "../../text/near-duplicates/comparable.ts";

/** A run of this many words (or, in scripts without spaces, characters) that stands in both texts is copied, not retold. */
const RUN = { words: 6, characters: 10 };

export interface WordingLeak {
  /** Share of the synopsis that stands word for word in the original, 0–1. */
  readonly share: number;
  /** The longest copied runs, for the report. */
  readonly longest: readonly string[];
}

/**
 * How much of the original's wording leaks into a synopsis. A writer who is given the original's sentences is tested on
 * copying, so the share is measured for every synopsis and limited.
 */
export function wordingLeak(synopsis: string, original: string): WordingLeak {
  const retold = units(synopsis);
  const source = units(original);
  const run = source.spaced ? RUN.words : RUN.characters;
  if (retold.units.length < run) return { share: 0, longest: [] };
  const known = new Set<string>();
  for (let start = 0; start + run <= source.units.length; start++)
    known.add(source.units.slice(start, start + run).join(" "));
  const copied = new Uint8Array(retold.units.length);
  for (let start = 0; start + run <= retold.units.length; start++) {
    if (known.has(retold.units.slice(start, start + run).join(" "))) copied.fill(1, start, start + run);
  }
  const total = sum(copied);
  return { share: total / retold.units.length, longest: longestRuns(retold, copied) };
}

const HAN = /\p{Script=Han}/u;

interface Units {
  readonly units: readonly string[];
  readonly spaced: boolean;
}

function units(text: string): Units {
  const lower = text.toLowerCase();
  const han =
    (HAN.test(lower) ? comparable(lower) : "").match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu) ?? [];
  const words = lower.match(/[\p{L}\p{N}]+/gu) ?? [];
  return han.length > words.length ? { units: han, spaced: false } : { units: words, spaced: true };
}

/**
 * The longest passage that stands word for word in both texts, by bisection on its length: a passage that both have holds
 * shorter ones that both have.
 */
export function longestCommonPassage(left: string, right: string): { readonly length: number; readonly text: string } {
  const [one, other] = [units(left), units(right)];
  const found = (length: number): string | null => {
    if (length === 0) return "";
    const known = new Set<string>();
    for (let at = 0; at + length <= other.units.length; at++) known.add(other.units.slice(at, at + length).join(" "));
    for (let at = 0; at + length <= one.units.length; at++) {
      if (known.has(one.units.slice(at, at + length).join(" "))) {
        return one.units.slice(at, at + length).join(one.spaced ? " " : "");
      }
    }
    return null;
  };
  let low = 0;
  let high = Math.min(one.units.length, other.units.length);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (found(middle) === null) high = middle - 1;
    else low = middle;
  }
  return { length: low, text: found(low) ?? "" };
}

function longestRuns({ units, spaced }: Units, copied: Uint8Array): string[] {
  const runs: { start: number; end: number }[] = [];
  for (let start = 0; start < copied.length; start++) {
    if (copied[start] === 0) continue;
    let end = start;
    while (end < copied.length && copied[end] === 1) end++;
    runs.push({ start, end });
    start = end;
  }
  return runs
    .sort((left, right) => right.end - right.start - (left.end - left.start))
    .slice(0, 3)
    .map(({ start, end }) => units.slice(start, end).join(spaced ? " " : ""));
}
