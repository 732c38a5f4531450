import { z } from "zod";
import { asJson, ask } from "../models/ask.ts";
import type { ChatModel } from "../models/chat-model.ts";
import type { PromptSource } from "../prompts/own-prompts.ts";
import { renderPrompt } from "../prompts/render-prompt.ts";
import { sum } from "../stats/distribution.ts";
import { comparable } from "../text/near-duplicates.ts";

/**
 * A passage of this many words (or characters, in scripts without spaces) that occurs in both texts is copied, not
 * retold.
 */
const RUN = { words: 6, characters: 10 };

export interface WordingLeak {
  /** Share of the synopsis that is copied verbatim from the original, 0–1. */
  readonly share: number;
  /** The longest copied passages, for the report. */
  readonly longest: readonly string[];
}

/**
 * Measures how much of the original's wording is in a synopsis. With the original's sentences, a writer would be
 * tested on copying, so the share is measured for every synopsis and limited.
 */
export function wordingLeak(synopsis: string, original: string): WordingLeak {
  return wordingOf(original).leakInto(synopsis);
}

/** A text to compare others with: it is indexed once, and every other text is compared in linear time. */
export interface Wording {
  leakInto(text: string): WordingLeak;
  /** The longest passage that occurs verbatim in both; the first of several equally long ones. */
  longestIn(text: string): { readonly length: number; readonly text: string };
}

export function wordingOf(original: string): Wording {
  const source = units(original);
  const run = source.spaced ? RUN.words : RUN.characters;
  let automaton: readonly Passages[] | null = null;
  // The last result is cached, because the same text is queried twice.
  let last: { readonly text: string; readonly shared: Shared } | null = null;
  const sharedWith = (text: string): Shared => {
    automaton ??= suffixAutomaton(source.units);
    if (last?.text !== text) last = { text, shared: sharedPassages(units(text), automaton) };
    return last.shared;
  };
  return {
    leakInto(text) {
      const { of: retold, lengths } = sharedWith(text);
      if (retold.units.length < run) return { share: 0, longest: [] };
      const copied = new Uint8Array(retold.units.length);
      for (let end = 0; end < lengths.length; end++) {
        if (lengths[end]! >= run) copied.fill(1, end + 1 - run, end + 1);
      }
      return { share: sum(copied) / retold.units.length, longest: longestRuns(retold, copied) };
    },
    longestIn(text) {
      const { of: one, lengths } = sharedWith(text);
      const length = lengths.reduce((longest, here) => Math.max(longest, here), 0);
      const end = lengths.indexOf(length) + 1;
      return { length, text: one.units.slice(end - length, end).join(one.spaced ? " " : "") };
    },
  };
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

/** A text, with the length of the longest shared passage that ends at each of its units. */
interface Shared {
  readonly of: Units;
  readonly lengths: Uint32Array;
}

/** The suffix automaton represents all passages of its text in linear space, and reads the other text once. */
function sharedPassages(of: Units, automaton: readonly Passages[]): Shared {
  const lengths = new Uint32Array(of.units.length);
  let state = 0;
  let length = 0;
  for (const [at, unit] of of.units.entries()) {
    while (state > 0 && !automaton[state]!.next.has(unit)) {
      state = automaton[state]!.link;
      length = automaton[state]!.length;
    }
    const followed = automaton[state]!.next.get(unit);
    if (followed !== undefined) {
      state = followed;
      length++;
    }
    lengths[at] = length;
  }
  return { of, lengths };
}

/** The passages of a text that end at the same places: the longest of them, and the state of a shorter one. */
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

/** Separates the passages that also end elsewhere from the longer ones of their state. */
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

/** What a writer gets instead of the chapter: characters, events in order, scenes. */
export const synopsisSchema = z.object({
  characters: z.array(z.object({ name: z.string(), about: z.string() })).min(1),
  plot: z.array(z.string().min(1)).min(1),
  scenes: z.array(z.string().min(1)).min(1),
});

export type Synopsis = z.infer<typeof synopsisSchema>;

export type SynopsisResult =
  | { readonly kind: "made"; readonly synopsis: Synopsis; readonly leak: WordingLeak; readonly attempts: number }
  | { readonly kind: "failed"; readonly reason: string; readonly attempts: number };

export interface SynopsisOptions {
  readonly language: string | null;
  /** The largest share of the original's wording that a synopsis may contain. */
  readonly leakLimit: number;
  readonly attempts: number;
  readonly prompts: PromptSource;
}

/** Asks until a synopsis is readable and retells rather than copies; each attempt is a separate call. */
export async function makeSynopsis(
  model: ChatModel,
  chapter: string,
  options: SynopsisOptions,
  signal: AbortSignal,
): Promise<SynopsisResult> {
  const template = await options.prompts("bench-synopsis", options.language);
  const messages = renderPrompt(template, { chapter });
  let reason = "no attempt was made";
  for (let sample = 0; sample < options.attempts; sample++) {
    const question = {
      purpose: "synopsis",
      messages,
      temperature: sample === 0 ? 0 : 0.7,
      sample,
      attempts: options.attempts - sample,
      askAgain: false,
      ...asJson("synopsis", synopsisSchema),
    } as const;
    const answer = await ask(model, question, signal);
    if (answer.kind === "unanswered") {
      // Without a reply the call itself failed, after all the retries of the runner.
      if (answer.attempts.length === 0) return { kind: "failed", reason: answer.reason, attempts: sample + 1 };
      reason = answer.reason;
      continue;
    }
    const leak = wordingLeak(synopsisText(answer.value), chapter);
    if (leak.share <= options.leakLimit) return { kind: "made", synopsis: answer.value, leak, attempts: sample + 1 };
    reason = `${Math.round(leak.share * 100)} % of the synopsis repeats the original word for word (the limit is ${Math.round(options.leakLimit * 100)} %)`;
  }
  return { kind: "failed", reason, attempts: options.attempts };
}

function synopsisText({ characters, plot, scenes }: Synopsis): string {
  return [...characters.map(({ about }) => about), ...plot, ...scenes].join("\n");
}
