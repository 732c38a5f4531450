import { sum } from "../../stats/distribution/sum.ts";
import type { Chapter } from "../book.ts";
import { countWords } from "../words.ts";
import { type Match, matchParagraphs } from "./match-paragraphs.ts";
import { pairRewritten } from "./pair-rewritten.ts";
import type { DraftPlace, TextChange, TextChanges, WordRun } from "./text-change.ts";
import { likeness, type WordBag, wordBag } from "./word-bag.ts";
import { added, removed, wordRuns } from "./word-runs.ts";

/** A shorter paragraph ("“Yes.”") that stands elsewhere as well was not moved there. */
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

/** The paragraphs of both drafts that stand between two that stayed. */
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

/** Where a removed paragraph would stand now: before the successor of its predecessor. */
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
