import type { ProseText } from "../reading/prose-text.ts";
import type { QuotedSpan } from "./find-quotations.ts";

const SALUTATION =
  /^[\s_]*(?:(?:MY|My|my) (?:VERY |very |own )?)?(?:DEAR|Dear|dear|DEAREST|Dearest|dearest)(?:EST|est)? [^.!?]{0,60}?[,:;—-]/;
const WRITING =
  "letters?|notes?|lines|telegram|message|contents|postscript|journal|diary|epistle|packet|envelope|postmark|document|card|writer";
const LETTER = new RegExp(`\\b(?:${WRITING}|wrote|written|following words|read)\\b`, "i");
/** Words that lead straight to what is written: "the envelope and read:", "The note ran as follows:". */
const LEADS_TO_LETTER =
  /\b(?:read|ran|runs|wrote|written|indited|scrawled|as follows|these words|this postscript|this sentence)\b[^.!?"“]{0,15}[:.—-]+\s*$/;
const TAG_OF_LETTER = new RegExp(
  `\\b(?:${WRITING})\\b(?: had| then)? (?:ran|read|began|said|continued|concluded|ended|went on)\\b`,
  "i",
);
const DATE_LINE =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Street|Place|Square|Building|House|\d{4})\b/;
const SIGNATURE = /\b(?:Yours|yours|affectionately|faithfully|sincerely|truly|etc\.|&c\.?)\b[^.!?]{0,60}[.,]?[\s_]*$/;
/** A letter's last words: initials or a name, alone after a stop or as a whole paragraph. */
const SIGNED_NAME =
  /(?:^|[.,!?;—-]|\bin)\s*(?:\p{Lu}\.?\s?){1,3}$|(?:^|[.!?—-])\s*\p{Lu}\p{L}+(?:\s\p{Lu}[\p{L}.]*){0,2}[.—-]*$/u;
/** Words that lead to speech, not to a letter, even where a letter was just spoken of. */
const LEADS_TO_SPEECH =
  /\b(?:say|says|said|saying|cried|asked|replied|answered|added|exclaimed|began|continued)\b[^.!?"”]{0,40}[,:—-]+\s*$/;
const SHORTEST_LETTER = 150;
/** So long, at the start of a paragraph and just after a letter was spoken of, it is the letter. */
const LONG_LETTER = 400;
const LONGEST_DATE_LINE = 60;

/** Whether a letter begins here: what stands before it speaks of one, and it looks like one. */
export function isLetterOpening(prose: ProseText, quotation: QuotedSpan): boolean {
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

/** The end of the paragraph before; a line with the letter's date or place, which may be quoted too, is passed over. */
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
export function isPostscript(
  { text, paragraphs }: ProseText,
  before: QuotedSpan,
  { start, paragraph }: QuotedSpan,
): boolean {
  if (before.paragraph !== paragraph - 1 || start - 1 !== paragraphs[paragraph]!.start) return false;
  const words = text.slice(before.start, before.end).trimEnd();
  return SIGNATURE.test(words) || SIGNED_NAME.test(words);
}
