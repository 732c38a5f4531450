import { type ProseText, wordAt } from "../reading/prose-text.ts";
import type { QuotedSpan } from "./find-quotations.ts";

/**
 * What stands in a pair of quotation marks. Only speech is dialogue: a letter is read, a thought is silent, a summary
 * puts somebody's words into the third person, and a mention quotes a word or a title.
 */
export type QuotationKind = "speech" | "thought" | "letter" | "summary" | "mention";

const SALUTATION =
  /^[\s_]*(?:(?:MY|My|my) (?:VERY |very |own )?)?(?:DEAR|Dear|dear|DEAREST|Dearest|dearest)(?:EST|est)? [^.!?]{0,60}?[,:;—-]/;
const LETTER =
  /\b(?:letter|letters|note|wrote|written|lines|telegram|message|contents|postscript|journal|diary|epistle|following words|packet|envelope|postmark|read)\b/i;
const FIRST_OR_SECOND = new Set(
  "i me my mine myself i'm i'll i've i'd we us our ours you your yours you're you'll you've you'd thou thee thy ye let's".split(
    " ",
  ),
);
const THIRD = new Set("he she his her him they their them hers himself herself".split(" "));
const PRESENT = new Set(
  "is are am do does don't doesn't isn't aren't has have haven't will won't shall can can't cannot may must it's that's there's he's she's what's let i'm".split(
    " ",
  ),
);
const PAST = new Set(
  "was were had did could would should might wasn't weren't hadn't didn't couldn't wouldn't".split(" "),
);
const SHORTEST_SUMMARY = 8;
const LONGEST_MENTION = 80;
const SHORTEST_LETTER = 150;
/** So long, at the start of a paragraph and just after a letter was spoken of, it is the letter. */
const LONG_LETTER = 400;
/** Of a summary's words, what may be in the first person or the present: a phrase the speaker's own. */
const OWN_WORDS = 1 / 40;
const SIGNATURE = /\b(?:Yours|yours|affectionately|faithfully|sincerely|truly|etc\.)\b[^.!?]{0,60}[.,]?[\s_]*$/;

/** Whether the words put a speech into the third person and the past: "she had been afraid it would rain". */
export function isSummary(prose: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  // A speech begins its paragraph or follows words that lead to it; a summary follows a finished sentence.
  const before = prose.text.slice(prose.paragraphs[paragraph]!.start, start - 1);
  if (!/(?:[.!?;]|\b\p{L}+)\s*$/u.test(before)) return false;
  let third = 0;
  let past = 0;
  let own = 0;
  let words = 0;
  for (let word = wordAt(prose, start); word < prose.wordCount && prose.starts[word]! < end; word++) {
    const text = prose.words[word]!;
    if (FIRST_OR_SECOND.has(text) || PRESENT.has(text)) own++;
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

export function isLetterOpening(prose: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  if (start - 1 !== prose.paragraphs[paragraph]!.start) return false;
  const text = prose.text.slice(start, Math.min(end, start + 120));
  const before = prose.paragraphs[paragraph - 1];
  if (before === undefined || end - start < SHORTEST_LETTER) return false;
  const lead = prose.text.slice(Math.max(before.start, before.end - 300), before.end);
  if (/["”]$/.test(lead)) return false;
  if (SALUTATION.test(lead.slice(lead.lastIndexOf("\n") + 1))) return true;
  if (!LETTER.test(lead)) return false;
  const isLong = end - start >= LONG_LETTER && LETTER.test(lead.slice(-150));
  return isLong || /[:—-]\s*$/.test(lead) || SALUTATION.test(text);
}

/** After the signature, the next paragraph still in quotation marks belongs to the letter. */
function isPostscript(
  { text, paragraphs }: ProseText,
  before: QuotedSpan | undefined,
  { start, paragraph }: QuotedSpan,
  kindBefore: QuotationKind | undefined,
): boolean {
  if (before === undefined || kindBefore !== "letter" || before.paragraph !== paragraph - 1) return false;
  return start - 1 === paragraphs[paragraph]!.start && SIGNATURE.test(text.slice(before.start, before.end));
}

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
    else if (isPostscript(prose, before, quotation, kinds[index - 1])) kinds.push("letter");
    else if (!goesOn && isLetterOpening(prose, quotation)) kinds.push("letter");
    else if (isThought(index)) kinds.push("thought");
    else if (isMention(prose, quotation)) kinds.push("mention");
    else if (isSummary(prose, quotation)) kinds.push("summary");
    else kinds.push("speech");
  }
  return kinds;
}
