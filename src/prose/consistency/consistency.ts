import { sumBy } from "../../stats/distribution.ts";
import { isOneLetterApart, soundOf } from "../characters/find-characters.ts";
import { type BookProse, type Passage, someOf, spanOfWords } from "../map/book-prose.ts";
import type { Shape } from "../pace/pace.ts";
import { CAPITAL, OPENS, type ProseText, SHOUTED } from "../prose-text.ts";
import { countQuotationMarks } from "../quotations.ts";

export interface Mixture {
  readonly mark: string;
  readonly count: number;
  readonly passages: readonly Passage[];
}

export interface Consistency {
  /** The kinds of quotation mark around dialogue, most frequent first; empty if the text uses only one. */
  readonly quotationMarks: readonly Mixture[];
  readonly dashes: readonly Mixture[];
  /** Rare names that may be slips for frequent ones. */
  readonly spellings: readonly {
    readonly usual: string;
    readonly rare: string;
    readonly counts: readonly [number, number];
    readonly passages: readonly Passage[];
  }[];
  /** Chapters whose number does not follow the previous one. */
  readonly numbering: readonly {
    readonly chapter: number;
    readonly title: string;
    readonly expected: number;
    readonly found: number;
  }[];
  /** Chapters at least this many times as long as the median one. */
  readonly longChapters: readonly { readonly chapter: number; readonly words: number; readonly times: number }[];
}

/** Below this share of all, the other kind is a slip and not a deliberate use. */
const LEAST_SHARE = 0.002;
const LONG = 3;
const RARE_SHARE = 0.1;
/** June is not a slip for Jane. */
const MONTHS = new Set(
  "march april may june july august september october november december january february".split(" "),
);

export function consistencyOf(bookProse: BookProse, shape: Shape): Consistency {
  return {
    quotationMarks: mixedQuotationMarks(bookProse),
    dashes: mixedDashes(bookProse),
    spellings: doubtfulSpellings(bookProse),
    numbering: jumpsInNumbering(shape),
    longChapters: shape.chapters.flatMap(({ chapter, words }) => {
      const times = shape.medianChapterWords ? words / shape.medianChapterWords : 0;
      return times >= LONG ? [{ chapter, words, times: Number(times.toFixed(1)) }] : [];
    }),
  };
}

function mixtures(bookProse: BookProse, kinds: readonly { mark: string; pattern: RegExp }[]): Mixture[] {
  const found = kinds.map(({ mark, pattern }) => {
    const places = [...bookProse.prose.text.matchAll(pattern)].map(({ index, 0: match }) => ({
      start: index,
      end: index + match.length,
    }));
    return { mark, count: places.length, places };
  });
  const total = sumBy(found, ({ count }) => count);
  const used = found
    .filter(({ count }) => count > 0 && count >= LEAST_SHARE * total)
    .sort((left, right) => right.count - left.count);
  if (used.length < 2) return [];
  return used.map(({ mark, count, places }) => ({ mark, count, passages: someOf(places, 5).map(bookProse.locate) }));
}

/** Straight beside curly double marks; single marks inside double ones are not a mixture. */
function mixedQuotationMarks(bookProse: BookProse): Mixture[] {
  const counts = [...countQuotationMarks(bookProse.prose.text)].filter(
    ([{ id }]) => id === "curly" || id === "straight",
  );
  if (counts.some(([, count]) => count === 0)) return [];
  return mixtures(bookProse, [
    { mark: "“ ”", pattern: /[“”]/g },
    { mark: '"', pattern: /"/g },
  ]);
}

function mixedDashes(bookProse: BookProse): Mixture[] {
  return mixtures(bookProse, [
    { mark: "—", pattern: /—/g },
    { mark: "--", pattern: /(?<!-)--(?!-)/g },
    { mark: " – ", pattern: / – /g },
    { mark: " - ", pattern: / - /g },
  ]);
}

/** Names one letter apart or with the same sound, of which one is far rarer than the other. */
function doubtfulSpellings({ prose, dialogue, locate }: BookProse): Consistency["spellings"] {
  const people = new Set(
    dialogue.cast.characters.flatMap(({ aliases }) => aliases.flatMap((alias) => alias.toLowerCase().split(/[\s.]+/))),
  );
  const uses = new Map<string, { spelling: string; words: number[] }>();
  for (let word = 0; word < prose.wordCount; word++) {
    const trait = prose.traits[word]!;
    const text = prose.words[word]!;
    const isInside = trait & CAPITAL && !(trait & (OPENS | SHOUTED));
    if (text.length < 4 || !(isInside || people.has(text))) continue;
    const use = uses.get(text) ?? { spelling: spellingAt(prose, word), words: [] };
    use.words.push(word);
    uses.set(text, use);
  }
  const all = [...uses].sort((left, right) => right[1].words.length - left[1].words.length);
  return all.flatMap(([rare, use], index) => {
    const usual = all
      .slice(0, index)
      .find(
        ([name, other]) =>
          people.has(name) &&
          /^\p{Lu}/u.test(other.spelling) &&
          !MONTHS.has(rare) &&
          use.words.length <= RARE_SHARE * other.words.length &&
          name[0] === rare[0] &&
          !isInflected(name, rare) &&
          isOneLetterApart(name, rare) &&
          soundOf(name) === soundOf(rare),
      );
    if (!usual) return [];
    const passages = someOf(use.words, 5).map((word) => locate(spanOfWords(prose, word, word + 1)));
    return [
      {
        usual: usual[1].spelling,
        rare: use.spelling,
        counts: [usual[1].words.length, use.words.length] as const,
        passages,
      },
    ];
  });
}

function spellingAt({ text, starts, ends }: ProseText, word: number): string {
  return text.slice(starts[word], ends[word]).replace(/['’]s$/, "");
}

/** "Bennet" and "Bennets" are one name and its plural. */
function isInflected(left: string, right: string): boolean {
  return `${left}s` === right || `${right}s` === left;
}

/** "Chapter 4 The Scale", "IV. The Scale", "4"; "7 July" and "I Am Born" are titles. */
const NUMBERED = /^\W*(?:chapter\s+(\d{1,3}|[IVXLC]{1,8})\b|(\d{1,3}|[IVXLC]{1,8})\s*(?:$|[.:)–—-]))/i;

function jumpsInNumbering({ chapters }: Shape): Consistency["numbering"] {
  const jumps: { chapter: number; title: string; expected: number; found: number }[] = [];
  let before: number | null = null;
  for (const { chapter, title } of chapters) {
    const number = title === null ? null : numberOf(title);
    if (number === null) {
      before = null;
      continue;
    }
    // A new part may start again from one.
    if (before !== null && number !== before + 1 && number !== 1) {
      jumps.push({ chapter, title: title!, expected: before + 1, found: number });
    }
    before = number;
  }
  return jumps;
}

function numberOf(title: string): number | null {
  const [, named, bare] = NUMBERED.exec(title) ?? [];
  const match = named ?? bare;
  if (match === undefined) return null;
  if (/^\d+$/.test(match)) return Number(match);
  const values: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
  const digits = [...match.toLowerCase()].map((digit) => values[digit]!);
  return digits.reduce((total, value, index) => (value < (digits[index + 1] ?? 0) ? total - value : total + value), 0);
}
