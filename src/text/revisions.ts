import { diffArrays } from "diff";
import { sum } from "../stats/distribution.ts";
import { anchorsOf } from "./anchors.ts";
import type { Chapter } from "./book.ts";
import type { DraftPlace, TextChange, TextChanges, WordRun } from "./text-changes.ts";
import { countWords } from "./words.ts";

/** With more word edits than this, a paragraph counts as replaced: a word-by-word diff would be unreadable. */
const MOST_EDITS = 2000;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** What was added and removed between two versions of a paragraph, word by word; Chinese words too. */
function wordRuns(before: string, after: string): WordRun[] {
  const parts = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_EDITS });
  if (!parts) return [removed(before), added(after)];
  return readable(
    parts.map(({ value, added: isNew, removed: isGone }) => ({
      kind: isNew ? "added" : isGone ? "removed" : "same",
      text: value.join(""),
    })),
  );
}

const added = (text: string): WordRun => ({ kind: "added", text });
const removed = (text: string): WordRun => ({ kind: "removed", text });

function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** A space that stayed between two changed words belongs to the change: "red house" → "blue barn" is one change, not two. */
function readable(runs: readonly WordRun[]): WordRun[] {
  const result: WordRun[] = [];
  let removedText = "";
  let addedText = "";
  /** Closes a change; white space that both versions end in stays outside of it. */
  const close = (): string => {
    const shared = /\s+$/.exec(removedText)?.[0] ?? "";
    const isShared = shared !== "" && addedText.endsWith(shared);
    const cut = (text: string) => (isShared ? text.slice(0, -shared.length) : text);
    if (removedText !== "") result.push(removed(cut(removedText)));
    if (addedText !== "") result.push(added(cut(addedText)));
    removedText = "";
    addedText = "";
    return isShared ? shared : "";
  };
  for (const [position, { kind, text }] of runs.entries()) {
    if (kind === "removed") removedText += text;
    else if (kind === "added") addedText += text;
    else if (removedText !== "" && addedText !== "" && text.trim() === "" && position < runs.length - 1) {
      removedText += text;
      addedText += text;
    } else {
      const before = close();
      result.push({ kind, text: before + text });
    }
  }
  const end = close();
  return end === "" ? result : [...result, { kind: "same", text: end }];
}

/** The words of a paragraph and how often each occurs. */
interface WordBag {
  readonly size: number;
  readonly counts: ReadonlyMap<string, number>;
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}’']+/gu;

function wordBag(text: string): WordBag {
  const counts = new Map<string, number>();
  let size = 0;
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    size++;
  }
  return { size, counts };
}

/** The share of their words that two paragraphs have in common (the Dice coefficient): 1 for the same words, 0 for none. */
function likeness(left: WordBag, right: WordBag): number {
  if (left.size + right.size === 0) return 0;
  const [small, large] = left.counts.size < right.counts.size ? [left, right] : [right, left];
  let common = 0;
  for (const [word, count] of small.counts) common += Math.min(count, large.counts.get(word) ?? 0);
  return (2 * common) / (left.size + right.size);
}

/** Paragraphs less alike than this are two paragraphs. */
const REWRITTEN = 0.4;
/** A paragraph is not searched further than this from its expected place; that is what `moved` is for. */
const REACH = 40;
/** The table of one part of a gap has at most this many rows. */
const ROWS = 500;

/** Which old paragraph between two matched ones became which new one: the pairing in order with the most words in common. */
function pairRewritten(
  before: readonly number[],
  after: readonly number[],
  bags: { readonly before: readonly WordBag[]; readonly after: readonly WordBag[] },
): [number, number][] {
  const parts = Math.ceil(Math.max(before.length, after.length) / ROWS);
  const part = (list: readonly number[], index: number) =>
    list.slice(Math.floor((list.length * index) / parts), Math.floor((list.length * (index + 1)) / parts));
  return Array.from({ length: parts }, (_, index) => bestPairs(part(before, index), part(after, index), bags)).flat();
}

function bestPairs(
  before: readonly number[],
  after: readonly number[],
  bags: { readonly before: readonly WordBag[]; readonly after: readonly WordBag[] },
): [number, number][] {
  const width = after.length + 1;
  const total = new Float64Array((before.length + 1) * width);
  const alike = new Float64Array((before.length + 1) * width);
  for (let row = 1; row <= before.length; row++) {
    for (let column = 1; column <= after.length; column++) {
      const at = row * width + column;
      const isNear = Math.abs(column - (row * after.length) / before.length) <= REACH;
      const own = isNear ? likeness(bags.before[before[row - 1]!]!, bags.after[after[column - 1]!]!) : 0;
      alike[at] = own >= REWRITTEN ? own : 0;
      const paired = alike[at]! > 0 ? total[at - width - 1]! + alike[at]! : 0;
      total[at] = Math.max(total[at - width]!, total[at - 1]!, paired);
    }
  }
  const pairs: [number, number][] = [];
  for (let row = before.length, column = after.length; row > 0 && column > 0; ) {
    const at = row * width + column;
    if (alike[at]! > 0 && total[at] === total[at - width - 1]! + alike[at]!) {
      pairs.push([before[row - 1]!, after[column - 1]!]);
      row--;
      column--;
    } else if (total[at] === total[at - width]) row--;
    else column--;
  }
  return pairs.reverse();
}

/** A shorter paragraph ("“Yes.”") that also occurs elsewhere does not count as moved. */
const MOVED_WORDS = 6;
/** A paragraph that moved and changed must be longer, and this much alike, to be recognised. */
const MOVED_AND_CHANGED = { words: 15, likeness: 0.6, mostPairs: 250_000 };

type Draft = readonly Pick<Chapter, "index" | "text">[];

interface Paragraph extends DraftPlace {
  readonly text: string;
  /** The text without differences of white space. */
  readonly key: string;
}

/** What was added, removed, moved and rewritten between two drafts. */
export function compareTexts(before: Draft, after: Draft): TextChanges {
  const [old, now] = [paragraphsOf(before), paragraphsOf(after)];
  const same = matchParagraphs(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  );
  const bags = { before: old.map(({ key }) => wordBag(key)), after: now.map(({ key }) => wordBag(key)) };
  const rewritten = gapsBetween(same, old.length, now.length).flatMap(([left, right]) =>
    left.length > 0 && right.length > 0 ? pairRewritten(left, right, bags) : [],
  );
  const isEqual = ([left, right]: Match) => old[left]!.key === now[right]!.key;
  const inPlace = [...same, ...rewritten];
  const moved = movedPairs(
    rest(old.length, new Set(inPlace.map(([left]) => left))),
    rest(now.length, new Set(inPlace.map(([, right]) => right))),
    { old, now, bags },
  );
  const paired = [...inPlace, ...moved];
  const change = (kind: TextChange["kind"], left: number | null, right: number | null): Ordered => {
    const [from, to] = [left === null ? null : old[left]!, right === null ? null : now[right]!];
    const place = (paragraph: Paragraph | null) =>
      paragraph && { chapter: paragraph.chapter, start: paragraph.start, end: paragraph.end };
    const order = right ?? nextAfter(inPlace, left!) - 0.5;
    return { order, change: { kind, before: place(from), after: place(to), runs: runsOf(from, to) } };
  };
  const changes = [
    ...rewritten.filter((pair) => !isEqual(pair)).map(([left, right]) => change("rewritten", left, right)),
    ...moved.map(([left, right]) => change("moved", left, right)),
    ...rest(old.length, new Set(paired.map(([left]) => left))).map((left) => change("removed", left, null)),
    ...rest(now.length, new Set(paired.map(([, right]) => right))).map((right) => change("added", null, right)),
  ]
    .sort((left, right) => left.order - right.order)
    .map((each) => each.change);
  const count = (kind: TextChange["kind"]) => changes.filter((each) => each.kind === kind).length;
  const words = (kind: WordRun["kind"]) =>
    sum(changes.flatMap(({ runs }) => runs.filter((run) => run.kind === kind).map(({ text }) => countWords(text))));
  return {
    paragraphs: {
      same: same.length + rewritten.filter(isEqual).length,
      added: count("added"),
      removed: count("removed"),
      moved: count("moved"),
      rewritten: count("rewritten"),
    },
    words: { added: words("added"), removed: words("removed") },
    changes,
  };
}

interface Ordered {
  readonly order: number;
  readonly change: TextChange;
}

function paragraphsOf(draft: Draft): Paragraph[] {
  return draft.flatMap(({ index, text }) =>
    [...text.matchAll(/\S[^\n]*(?:\n(?!\s*\n)[^\n]*)*/g)].map((match): Paragraph => {
      const own = match[0].trimEnd();
      const place = { chapter: index, start: match.index, end: match.index + own.length };
      return { ...place, text: own, key: own.replace(/\s+/g, " ") };
    }),
  );
}

/** The paragraphs of both drafts between two that stayed. */
function gapsBetween(same: readonly Match[], old: number, now: number): [number[], number[]][] {
  const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  let last: Match = [-1, -1];
  return [...same, [old, now] as const].map((next) => {
    const gap: [number[], number[]] = [range(last[0] + 1, next[0]), range(last[1] + 1, next[1])];
    last = next;
    return gap;
  });
}

function movedPairs(
  left: readonly number[],
  right: readonly number[],
  { old, now, bags }: { old: readonly Paragraph[]; now: readonly Paragraph[]; bags: Bags },
): Match[] {
  const long = (list: readonly number[], own: readonly WordBag[], words: number) =>
    list.filter((position) => own[position]!.size >= words);
  const waiting = new Map<string, number[]>();
  for (const position of long(right, bags.after, MOVED_WORDS)) {
    const { key } = now[position]!;
    waiting.set(key, [...(waiting.get(key) ?? []), position]);
  }
  const equal = long(left, bags.before, MOVED_WORDS).flatMap((position): Match[] => {
    const to = waiting.get(old[position]!.key)?.shift();
    return to === undefined ? [] : [[position, to]];
  });
  const froms = long(left, bags.before, MOVED_AND_CHANGED.words).filter((at) => !equal.some(([own]) => own === at));
  const tos = new Set(long(right, bags.after, MOVED_AND_CHANGED.words));
  for (const [, to] of equal) tos.delete(to);
  if (froms.length * tos.size > MOVED_AND_CHANGED.mostPairs) return equal;
  const changed = froms.flatMap((from): Match[] => {
    let best: number | null = null;
    let most = MOVED_AND_CHANGED.likeness;
    for (const to of tos) {
      const own = likeness(bags.before[from]!, bags.after[to]!);
      if (own >= most) [best, most] = [to, own];
    }
    if (best === null) return [];
    tos.delete(best);
    return [[from, best]];
  });
  return [...equal, ...changed];
}

interface Bags {
  readonly before: readonly WordBag[];
  readonly after: readonly WordBag[];
}

function rest(length: number, taken: ReadonlySet<number>): number[] {
  return Array.from({ length }, (_, position) => position).filter((position) => !taken.has(position));
}

/** Where a removed paragraph would be now: before the successor of its predecessor. */
function nextAfter(inPlace: readonly Match[], left: number): number {
  let next = 0;
  for (const [from, to] of inPlace) if (from < left) next = Math.max(next, to + 1);
  return next;
}

function runsOf(from: Paragraph | null, to: Paragraph | null): WordRun[] {
  if (from === null) return [added(to?.text ?? "")];
  if (to === null) return [removed(from.text)];
  return from.key === to.key ? [{ kind: "same", text: to.text }] : wordRuns(from.text, to.text);
}

/** Pairs of positions with the same paragraph, in the order of both drafts. */
type Match = readonly [before: number, after: number];

/**
 * The paragraphs that stayed where they were. Paragraphs that occur once in each draft are matched first, as many as keep
 * their order (the patience diff of Bram Cohen); from these, equal neighbours are matched in both directions. It takes
 * n log n steps however much was rewritten.
 */
function matchParagraphs(before: readonly string[], after: readonly string[]): Match[] {
  const anchors = anchorsOf(before, after);
  const matched = new Map<number, number>();
  const taken = new Set<number>();
  const take = (left: number, right: number): boolean => {
    if (before[left] === undefined || before[left] !== after[right] || matched.has(left) || taken.has(right))
      return false;
    matched.set(left, right);
    taken.add(right);
    return true;
  };
  const borders: Match[] = [[-1, -1], ...anchors, [before.length, after.length]];
  for (const [left, right] of anchors) take(left, right);
  for (const [left, right] of borders) for (let step = 1; take(left + step, right + step); step++);
  for (const [left, right] of borders) for (let step = 1; take(left - step, right - step); step++);
  return [...matched].sort(([left], [right]) => left - right);
}
