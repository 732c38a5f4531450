import type { CheckedRemark } from "./check-remarks.ts";

/** A remark that stands for all that say nearly the same, with evidence from several of them. */
export interface RecurringRemark extends CheckedRemark {
  /** How often it was said: once per segment and run. */
  readonly times: number;
}

/** Of the words of two remarks, the share they must have in common. */
const ALIKE = 0.3;
const MOST_EVIDENCE = 4;
const COMMON = new Set(
  `the a an and or but of to in on for with is are was were be it its this that these those as at by from has have had not
  too very more some can could would may might which who while where when their his her they he she them him also into than
  does do so such there here`.split(/\s+/),
);

/**
 * Remarks that say the same, put together: what is said of many segments comes first, and each is shown once. Words are
 * compared without endings; a remark joins the first group whose founder shares enough of them.
 */
export function clusterRemarks(remarks: readonly CheckedRemark[]): RecurringRemark[] {
  const groups: { words: ReadonlySet<string>; members: CheckedRemark[] }[] = [];
  for (const remark of remarks) {
    const words = wordsOf(remark.text);
    const group = groups.find((each) => overlap(each.words, words) >= ALIKE);
    if (group) group.members.push(remark);
    else groups.push({ words, members: [remark] });
  }
  return groups
    .map(({ members }) => spokesman(members))
    .sort((left, right) => Number(isBorneOut(right)) - Number(isBorneOut(left)) || right.times - left.times);
}

/** The member with most quotations that stand in the book, with quotations of the others beside its own. */
function spokesman(members: readonly CheckedRemark[]): RecurringRemark {
  const found = ({ evidence }: CheckedRemark) => evidence.filter((each) => each.found).length;
  const best = members.reduce((chosen, member) => (found(member) > found(chosen) ? member : chosen));
  const others = members
    .filter((member) => member !== best)
    .flatMap(({ evidence }) => evidence.filter((each) => each.found));
  const room = Math.max(0, MOST_EVIDENCE - best.evidence.length);
  const evidence = [
    ...new Set([...best.evidence, ...others.filter((each) => !best.evidence.includes(each)).slice(0, room)]),
  ];
  return { ...best, evidence, times: members.length };
}

function isBorneOut({ evidence }: CheckedRemark): boolean {
  return evidence.some(({ found }) => found);
}

/** Stems for alphabets; for scripts without spaces, pairs of characters. */
function wordsOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(/[\p{Script=Latin}\p{Script=Cyrillic}]{3,}/gu) ?? [])
    .filter((word) => !COMMON.has(word))
    .map((word) => word.slice(0, 6));
  const characters = [...text].filter((character) => /\p{Script=Han}/u.test(character));
  const pairs = characters.slice(1).map((character, at) => characters[at]! + character);
  return new Set([...words, ...pairs]);
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 || right.size === 0) return 0;
  let both = 0;
  for (const word of left) if (right.has(word)) both++;
  return both / Math.min(left.size, right.size);
}
