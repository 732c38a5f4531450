import { type ProseText, type Span, wordAt } from "./prose-text.ts";

/**
 * One style of quotation marks. `pattern` matches an opening in group 1 or a closing in group 2; if both look alike,
 * neither.
 */
export interface QuotationMarks {
  readonly id: "curly" | "straight" | "single-curly" | "single-straight" | "guillemets" | "corner";
  readonly open: string;
  readonly close: string;
}

const STYLES: readonly QuotationMarks[] = [
  { id: "curly", open: "“", close: "”" },
  { id: "straight", open: '"', close: '"' },
  { id: "single-curly", open: "‘", close: "’" },
  { id: "single-straight", open: "'", close: "'" },
  { id: "guillemets", open: "«", close: "»" },
  { id: "corner", open: "「", close: "」" },
];

/**
 * How often each kind of mark closes a speech, counting only those after a stop or a comma, so that apostrophes do
 * not count.
 */
export function countQuotationMarks(text: string): Map<QuotationMarks, number> {
  return new Map(STYLES.map((style) => [style, occurrences(text, closing(style.close))]));
}

/**
 * The quotation marks of this text: those that close most often. If a text has both, single marks inside double ones
 * are quotations within speech, and double inside single ones too, so the more frequent kind is the outer one.
 */
export function mainQuotationMarks(text: string): QuotationMarks | null {
  let best: QuotationMarks | null = null;
  let most = 0;
  for (const [style, count] of countQuotationMarks(text)) {
    if (count > most) {
      best = style;
      most = count;
    }
  }
  return best;
}

function closing(mark: string): RegExp {
  return new RegExp(`[.,!?…—。，！？-]${mark}(?=[\\s\\p{P}]|$|\\p{Script=Han})`, "gu");
}

function occurrences(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count++;
  return count;
}

/** Text between quotation marks, without the marks. */
export interface QuotedSpan extends Span {
  readonly paragraph: number;
  /**
   * Whether the paragraph ended before the mark closed, and the next one begins with an opening mark: one continued
   * speech.
   */
  readonly continues: boolean;
}

/**
 * Finds the text in quotation marks, paragraph by paragraph, so that a forgotten mark affects only its own paragraph.
 * A speech that is not closed extends to the paragraph's end, as is usual for speeches of several paragraphs.
 */
export function findQuotedSpans(
  text: string,
  paragraphs: readonly Span[],
  marks: QuotationMarks | null = mainQuotationMarks(text),
): QuotedSpan[] {
  if (marks === null) return [];
  const found: QuotedSpan[] = [];
  const next = nextMark(marks);
  for (const [index, paragraph] of paragraphs.entries()) {
    let open = -1;
    for (let at = next(text, paragraph.start, false); at < paragraph.end; at = next(text, at + 1, open !== -1)) {
      if (open === -1) {
        if (text[at] === marks.open) open = at;
      } else if (text[at] === marks.close) {
        if (at > open + 1) found.push({ start: open + 1, end: at, paragraph: index, continues: false });
        open = -1;
      }
    }
    if (open === -1 || open + 1 >= paragraph.end) continue;
    const following = paragraphs[index + 1];
    const continues = following !== undefined && text[following.start] === marks.open;
    found.push({ start: open + 1, end: paragraph.end, paragraph: index, continues });
  }
  return found;
}

type NextMark = (text: string, from: number, isInside: boolean) => number;

/** The next position that can open (outside) or close (inside) a quotation; the text's length if there is none. */
function nextMark(marks: QuotationMarks): NextMark {
  const pattern = (source: string) => new RegExp(source, "gu");
  const find = (regular: RegExp, text: string, from: number) => {
    regular.lastIndex = from;
    return regular.exec(text)?.index ?? text.length;
  };
  if (marks.id === "single-straight" || marks.id === "single-curly") {
    // Distinguishes quotation marks from apostrophes: an opening mark does not follow a letter, a closing one does
    // not precede one.
    const opening = pattern(`(?<![\\p{L}\\p{N}.,!?])${marks.open}(?=[\\p{L}\\p{N}“"…—-])`);
    const closing = pattern(
      `(?<=[.,!?…—-]["”]?)${marks.close}(?![\\p{L}\\p{N}])|(?<=\\p{L})${marks.close}(?=[?!.,;:)—-])`,
    );
    return (text, from, isInside) => find(isInside ? closing : opening, text, from);
  }
  return (text, from, isInside) => {
    const at = text.indexOf(isInside ? marks.close : marks.open, from);
    return at === -1 ? text.length : at;
  };
}

const SALUTATION =
  /^[\s_]*(?:(?:MY|My|my) (?:VERY |very |own )?)?(?:DEAR|Dear|dear|DEAREST|Dearest|dearest)(?:EST|est)? [^.!?]{0,60}?[,:;—-]/;
const WRITING =
  "letters?|notes?|lines|telegram|message|contents|postscript|journal|diary|epistle|packet|envelope|postmark|document|card|writer";
const LETTER = new RegExp(`\\b(?:${WRITING}|wrote|written|following words|read)\\b`, "i");
/** Words that introduce a written text: "the envelope and read:", "The note ran as follows:". */
const LEADS_TO_LETTER =
  /\b(?:read|ran|runs|wrote|written|indited|scrawled|as follows|these words|this postscript|this sentence)\b[^.!?"“]{0,15}[:.—-]+\s*$/;
const TAG_OF_LETTER = new RegExp(
  `\\b(?:${WRITING})\\b(?: had| then)? (?:ran|read|began|said|continued|concluded|ended|went on)\\b`,
  "i",
);
const DATE_LINE =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Street|Place|Square|Building|House|\d{4})\b/;
const SIGNATURE = /\b(?:Yours|yours|affectionately|faithfully|sincerely|truly|etc\.|&c\.?)\b[^.!?]{0,60}[.,]?[\s_]*$/;
/** The end of a letter: initials or a name, alone after a full stop or as a whole paragraph. */
const SIGNED_NAME =
  /(?:^|[.,!?;—-]|\bin)\s*(?:\p{Lu}\.?\s?){1,3}$|(?:^|[.!?—-])\s*\p{Lu}\p{L}+(?:\s\p{Lu}[\p{L}.]*){0,2}[.—-]*$/u;
/** Words that introduce speech, not a letter, even if a letter was just mentioned. */
const LEADS_TO_SPEECH =
  /\b(?:say|says|said|saying|cried|asked|replied|answered|added|exclaimed|began|continued)\b[^.!?"”]{0,40}[,:—-]+\s*$/;
const SHORTEST_LETTER = 150;
/** A quotation this long, at the start of a paragraph and just after a letter was mentioned, is the letter. */
const LONG_LETTER = 400;
const LONGEST_DATE_LINE = 60;

/** Whether a letter begins here: the text before it mentions one, and it looks like one. */
function isLetterOpening(prose: ProseText, quotation: QuotedSpan): boolean {
  const { text, paragraphs } = prose;
  const { start, end, paragraph } = quotation;
  if (isReadInside(prose, quotation)) return true;
  if (start - 1 !== paragraphs[paragraph]!.start || end - start < SHORTEST_LETTER) return false;
  const opening = text.slice(start, Math.min(end, start + 120));
  const lead = leadOf(prose, paragraph);
  if (lead === null || /["”]$/.test(lead)) return false;
  if (SALUTATION.test(lead.slice(lead.lastIndexOf("\n") + 1))) return true;
  if (!LETTER.test(lead) || LEADS_TO_SPEECH.test(lead)) return false;
  const isLong = end - start >= LONG_LETTER && LETTER.test(lead.slice(-150));
  return isLong || /[:—-]\s*$/.test(lead) || SALUTATION.test(opening);
}

/** The end of the previous paragraph; a line with the letter's date or place, which may be quoted too, is skipped. */
function leadOf({ text, paragraphs }: ProseText, paragraph: number): string | null {
  for (let place = paragraph - 1; place >= Math.max(0, paragraph - 3); place--) {
    const { start, end } = paragraphs[place]!;
    if (end - start <= LONGEST_DATE_LINE && DATE_LINE.test(text.slice(start, end))) continue;
    return text.slice(Math.max(start, end - 300), end);
  }
  return null;
}

/** In the middle of a paragraph: 'opened it and read: "…"', or '"…," the document ran, "…"'. */
function isReadInside({ text, paragraphs }: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  const before = text.slice(Math.max(paragraphs[paragraph]!.start, start - 201), start - 1);
  if (LEADS_TO_LETTER.test(before)) return true;
  const tagBefore = /["”]([^"“”]{0,80})$/.exec(before)?.[1] ?? "";
  const tagAfter = /^["”]([^"“”.\n]{0,80})/.exec(text.slice(end, end + 80))?.[1] ?? "";
  return TAG_OF_LETTER.test(tagBefore) || TAG_OF_LETTER.test(tagAfter);
}

/** After the signature, the next paragraph still in quotation marks belongs to the letter. */
function isPostscript({ text, paragraphs }: ProseText, before: QuotedSpan, { start, paragraph }: QuotedSpan): boolean {
  if (before.paragraph !== paragraph - 1 || start - 1 !== paragraphs[paragraph]!.start) return false;
  const words = text.slice(before.start, before.end).trimEnd();
  return SIGNATURE.test(words) || SIGNED_NAME.test(words);
}

const SIGNS =
  "eyes?|eyebrows?|looks?|glance|smile|gaze|face|expression|manner|attitude|gesture|shrug|nod|silence|motion";
const SAY =
  "say|says|said|saying|ask|asked|answer|answered|cry|reply|replied|express|expressed|tell|told|mean|meant|implore|implored";
/**
 * Words before quotation marks that express a look, a wish or a thought: "her eyes said:", "he felt like shouting:".
 */
const BEFORE = new RegExp(
  [
    `\\b(?:as if|as though)(?: \\w+ (?:would|were))? (?:to )?(?:${SAY})`,
    `\\bseem(?:ed|s|ing) to (?:${SAY})`,
    `\\b(?:${SIGNS})\\b[^.!?"“]{0,40}\\b(?:${SAY})`,
    "\\bit (?:all )?meant",
    "\\bfelt like \\w+ing(?: \\w+)?",
    `\\b(?:longed|wanted|wished|meant|was going|were going|tempted|ready|about) to (?:${SAY})`,
    `\\b(?:could|would|might|should) (?:never |almost |well |not )?have (?:${SAY})`,
    `\\btongue to (?:${SAY})`,
    `\\b(?:fancied|imagined|fancy|imagine|imagining)\\b[^.!?"“]{0,50}\\b(?:${SAY}|adding|crying|thinking)`,
  ]
    .map((part) => `(?:${part})`)
    .join("|")
    .replace(/^/, "(?:")
    .concat(')[^.!?"“]{0,30}[,:;—-]*\\s*$'),
  "i",
);
const AFTER = new RegExp(
  `^["”'’][\\s,;:—-]*(?:(?:he|she|i|they|\\p{Lu}\\p{L}+) (?:felt like|wanted to|longed to|would have|might have|could (?:almost )?(?:fancy|imagine))|(?:his|her|their|the|its)(?: \\p{Ll}+){0,2} (?:${SIGNS}) (?:seemed to )?(?:${SAY}))\\b`,
  "iu",
);
const NEAR = 140;

/** Whether the words are only implied by a look, wished or imagined, and nobody in the story says them. */
function isUnspoken({ text, paragraphs }: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  const before = text.slice(Math.max(paragraphs[paragraph]!.start, start - 1 - NEAR), start - 1);
  return BEFORE.test(before) || AFTER.test(text.slice(end, end + NEAR));
}

/**
 * The kind of a quotation. Only speech is dialogue: a letter is read, a thought is silent, a summary puts somebody's
 * words into the third person, a mention quotes a word or a title, and unspoken words are only implied by a look,
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
const LONGEST_WORD = 200;
/** The largest share of a summary's words in the first person or the present, which may be the speaker's own phrase. */
const OWN_WORDS = 1 / 40;
/** Whether the words put a speech into the third person and the past: "she had been afraid it would rain". */
export function isSummary(prose: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  // A speech begins its paragraph or follows words that introduce it, and its second half is in the same paragraph; a
  // summary follows a finished sentence of the narrator's.
  const before = prose.text.slice(prose.paragraphs[paragraph]!.start, start - 1);
  if (/^["“«'‘]/.test(before)) return false;
  // Only its end counts; otherwise the rest of a long paragraph would be searched again for every quotation in it.
  if (!/(?:[.!?;—-]|\b\p{L}+)$/u.test(before.trimEnd().slice(-LONGEST_WORD))) return false;
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
 * The kind of every quotation, in order. A letter continues through its paragraphs; `isThought` says which quotations
 * have a verb of thinking attached.
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
