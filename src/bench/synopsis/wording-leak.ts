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
 * The longest passage that stands word for word in both texts, the first of equals: the second text's suffix automaton, which
 * knows every passage of it in linear space, reads the first text once.
 */
export function longestCommonPassage(left: string, right: string): { readonly length: number; readonly text: string } {
  const one = units(left);
  const automaton = suffixAutomaton(units(right).units);
  let state = 0;
  let length = 0;
  let best = { length: 0, end: 0 };
  for (const [at, unit] of one.units.entries()) {
    while (state > 0 && !automaton[state]!.next.has(unit)) {
      state = automaton[state]!.link;
      length = automaton[state]!.length;
    }
    const followed = automaton[state]!.next.get(unit);
    if (followed !== undefined) {
      state = followed;
      length++;
    }
    if (length > best.length) best = { length, end: at + 1 };
  }
  const { end } = best;
  return { length: best.length, text: one.units.slice(end - best.length, end).join(one.spaced ? " " : "") };
}

/** The passages of a text that end at the same places: the longest of them, and where a shorter one goes on. */
interface Passages {
  length: number;
  link: number;
  next: Map<string, number>;
}

/** Blumer and others, The smallest automaton recognizing the subwords of a text, 1985. */
function suffixAutomaton(text: readonly string[]): readonly Passages[] {
  const states: Passages[] = [{ length: 0, link: -1, next: new Map() }];
  let last = 0;
  for (const unit of text) {
    const current = states.push({ length: states[last]!.length + 1, link: 0, next: new Map() }) - 1;
    let at = last;
    while (at >= 0 && !states[at]!.next.has(unit)) {
      states[at]!.next.set(unit, current);
      at = states[at]!.link;
    }
    if (at >= 0) {
      const follower = states[at]!.next.get(unit)!;
      const isNext = states[follower]!.length === states[at]!.length + 1;
      states[current]!.link = isNext ? follower : split(states, at, unit, follower);
    }
    last = current;
  }
  return states;
}

/** Parts the passages that also end elsewhere from the longer ones of their state. */
function split(states: Passages[], from: number, unit: string, follower: number): number {
  const { link, next } = states[follower]!;
  const clone = states.push({ length: states[from]!.length + 1, link, next: new Map(next) }) - 1;
  for (let at = from; at >= 0 && states[at]!.next.get(unit) === follower; at = states[at]!.link)
    states[at]!.next.set(unit, clone);
  states[follower]!.link = clone;
  return clone;
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
