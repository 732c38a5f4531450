import { type Finding, type Passage, SEVERITIES } from "../core/finding.ts";
import { isQuestion } from "../prose/checks/check-book.ts";

/** What concerns single lines stands after what concerns the story, whatever it weighs. */
const LINES = new Set(["overused", "marks", "dashes", "language", "style"]);
/** A letter says three times that something is used too often; a list of everything is what `fabula check` is for. */
const MOST_OVERUSED = 3;

/**
 * The findings of one letter, whoever made them, each once and in the order in which an author should deal with them. What a
 * model read and what was counted at the same passages is one finding, in the words of the one who read.
 */
export function letterFindings(read: readonly Finding[], counted: readonly Finding[]): Finding[] {
  const alsoRead = new Set(compareFindings(counted, read).still.map(({ before }) => before.id));
  let overused = 0;
  return orderFindings([...read, ...counted.filter(({ id }) => !alsoRead.has(id))]).filter(
    ({ kind }) => kind !== "overused" || ++overused <= MOST_OVERUSED,
  );
}

/**
 * What stops every reader before what stops a careful one, the story before its lines, and within that what touches most of
 * the book and is surest. Questions come last.
 */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const rank = (finding: Finding) =>
    (isQuestion(finding) ? 2 * SEVERITIES.length : 0) +
    2 * SEVERITIES.indexOf(finding.severity) +
    (LINES.has(finding.kind) ? 1 : 0);
  const weight = ({ certainty, passages }: Finding) => {
    const chapters = new Set(passages.map(({ chapter }) => chapter)).size;
    return certainty * (1 + Math.log2(chapters) / 4);
  };
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()].sort(
    (left, right) => rank(left) - rank(right) || weight(right) - weight(left),
  );
}

/** What became of the findings of an earlier draft. */
export interface FindingChanges {
  readonly fixed: readonly Finding[];
  readonly still: readonly { readonly before: Finding; readonly after: Finding }[];
  readonly new: readonly Finding[];
}

/** Two findings of a kind whose passages share at least this much of their words are one. */
const ALIKE = 0.6;
/** Titles that name somebody or quote: "Kathryn and Katharine" at other places is still the same fault. */
const NAMES_WHAT = /[“"‘「]|\s\p{Lu}/u;

/**
 * Each finding of the first draft is fixed or still there; the rest of the second draft's are new. The id holds where the
 * passages moved or the claim is worded otherwise; where their words changed a little, the most alike of the same kind are
 * taken for one.
 */
export function compareFindings(before: readonly Finding[], after: readonly Finding[]): FindingChanges {
  const pairs: { before: Finding; after: Finding }[] = [];
  const left = new Set(before);
  const right = new Set(after);
  const pair = (earlier: Finding, later: Finding) => {
    pairs.push({ before: earlier, after: later });
    left.delete(earlier);
    right.delete(later);
  };
  for (const earlier of before) {
    const same = after.find((later) => later.id === earlier.id && right.has(later));
    if (same) pair(earlier, same);
  }
  const candidates = [...left]
    .flatMap((earlier) =>
      [...right]
        .filter(({ kind }) => kind === earlier.kind)
        .map((later) => ({ earlier, later, alike: likeness(earlier, later) })),
    )
    .filter(
      ({ earlier, later, alike }) => alike >= ALIKE || (earlier.title === later.title && NAMES_WHAT.test(later.title)),
    )
    .sort((one, other) => other.alike - one.alike);
  for (const { earlier, later } of candidates) if (left.has(earlier) && right.has(later)) pair(earlier, later);
  const order = new Map(after.map((finding, at) => [finding, at]));
  return {
    fixed: [...left],
    still: pairs.sort((one, other) => order.get(one.after)! - order.get(other.after)!),
    new: [...right],
  };
}

/** How much of the words two findings have in common: the mean over all passages of what the most alike one shares. */
function likeness(one: Finding, other: Finding): number {
  const [ones, others] = [one, other].map(({ passages }) => passages.map(wordsOf));
  const best = (words: readonly string[], among: readonly (readonly string[])[]) =>
    Math.max(0, ...among.map((theirs) => sharedWords(words, theirs)));
  const shares = [...ones!.map((words) => best(words, others!)), ...others!.map((words) => best(words, ones!))];
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function wordsOf({ quote }: Passage): string[] {
  return quote.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}

/** Dice's coefficient of two bags of words. */
function sharedWords(one: readonly string[], other: readonly string[]): number {
  if (one.length + other.length === 0) return 0;
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared++;
    left.set(word, count - 1);
  }
  return (2 * shared) / (one.length + other.length);
}
