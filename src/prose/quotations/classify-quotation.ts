import { type ProseText, wordAt } from "../reading/prose-text.ts";
import type { QuotedSpan } from "./find-quotations.ts";
import { isLetterOpening, isPostscript } from "./letters.ts";
import { isUnspoken } from "./unspoken.ts";

/**
 * What stands in a pair of quotation marks. Only speech is dialogue: a letter is read, a thought is silent, a summary
 * puts somebody's words into the third person, a mention quotes a word or a title, and what is unspoken is only looked,
 * wished or imagined.
 */
export type QuotationKind = "speech" | "thought" | "letter" | "summary" | "mention" | "unspoken";

const FIRST_OR_SECOND = new Set(
  "i me my mine myself i'm i'll i've i'd we us our ours you your yours you're you'll you've you'd thou thee thy ye let's".split(
    " ",
  ),
);
const THIRD = new Set("he she his her him they their them hers himself herself".split(" "));
const PRESENT = new Set(
  "is are am do does don't doesn't isn't aren't has have haven't will won't shall can can't cannot may it's that's there's he's she's what's let i'm".split(
    " ",
  ),
);
const PAST = new Set(
  "was were had did could would should might wasn't weren't hadn't didn't couldn't wouldn't".split(" "),
);
const SHORTEST_SUMMARY = 8;
const LONGEST_MENTION = 80;
/** Of a summary's words, what may be in the first person or the present: a phrase the speaker's own. */
const OWN_WORDS = 1 / 40;
/** Whether the words put a speech into the third person and the past: "she had been afraid it would rain". */
export function isSummary(prose: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  // A speech begins its paragraph or follows words that lead to it, and its second half stands in the same paragraph; a
  // summary follows a finished sentence of the narrator's.
  const before = prose.text.slice(prose.paragraphs[paragraph]!.start, start - 1);
  if (/^["“«'‘]/.test(before)) return false;
  if (!/(?:[.!?;—-]|\b\p{L}+)\s*$/u.test(before)) return false;
  let third = 0;
  let past = 0;
  let own = 0;
  let words = 0;
  for (let word = wordAt(prose, start); word < prose.wordCount && prose.starts[word]! < end; word++) {
    const text = prose.words[word]!;
    // "To do" and "to have" have no tense.
    if (FIRST_OR_SECOND.has(text) || (PRESENT.has(text) && prose.words[word - 1] !== "to")) own++;
    if (THIRD.has(text)) third++;
    if (PAST.has(text)) past++;
    words++;
  }
  return words >= SHORTEST_SUMMARY && third > 0 && past > 0 && own <= OWN_WORDS * words;
}

/** A word or a title in quotation marks, inside a sentence that goes on: the "poor little boys". */
export function isMention(prose: ProseText, { start, end }: QuotedSpan): boolean {
  const before = prose.text.slice(Math.max(0, start - 40), start - 1);
  const precededByWord = /[\p{L}\p{N}]\s*$/u.test(before);
  if (!precededByWord) return false;
  const lead = /(\p{L}+)\s*$/u.exec(before)?.[1]?.toLowerCase() ?? "";
  if (SPEAKING_LEADS.test(lead)) return false;
  if (end - start > LONGEST_MENTION) return false;
  const text = prose.text.slice(start, end);
  const lowerCase = /^[\s_]*\p{Ll}/u.test(text);
  return lowerCase || ARTICLES.has(lead) || !/[.!?,—-]$/.test(text.trimEnd());
}

const ARTICLES = new Set("the a an of his her their my your our this that these those".split(" "));
const SPEAKING_LEADS =
  /^(?:said|says|say|saying|cried|crying|cry|asked|asking|replied|answered|exclaimed|exclaiming|whispered|murmured|muttered|added|repeated|called|calling|shouted|shouting)$/;

/**
 * The kind of every quotation, in order. A letter goes on through its paragraphs; `isThought` says which quotations a verb
 * of thinking is attached to.
 */
export function classifyQuotations(
  prose: ProseText,
  quotations: readonly QuotedSpan[],
  isThought: (quotation: number) => boolean,
): QuotationKind[] {
  const kinds: QuotationKind[] = [];
  for (const [index, quotation] of quotations.entries()) {
    const before = quotations[index - 1];
    const goesOn = before?.continues && before.paragraph === quotation.paragraph - 1;
    if (goesOn && kinds[index - 1] === "letter") kinds.push("letter");
    else if (before && kinds[index - 1] === "letter" && isPostscript(prose, before, quotation)) kinds.push("letter");
    else if (!goesOn && isLetterOpening(prose, quotation)) kinds.push("letter");
    else if (isThought(index)) kinds.push("thought");
    else if (isMention(prose, quotation)) kinds.push("mention");
    else if (isUnspoken(prose, quotation)) kinds.push("unspoken");
    else if (isSummary(prose, quotation)) kinds.push("summary");
    else kinds.push("speech");
  }
  return kinds;
}
