import type { Removal } from "../book.ts";
import type { RawChapter } from "../chapters/raw-chapter.ts";
import { countWords } from "../words.ts";
import { AUTHORS_NOTE } from "./html-treatments.ts";

/** How many paragraphs at either end of a chapter a site may add. */
const REACH = 8;
/** Longer paragraphs are story, however often they come. */
const MOST_WORDS = 25;
const FEWEST_CHAPTERS = 4;
/** The share of chapters that must have the line. */
const SHARE = 0.6;
const NAVIGATION =
  /^\W*(?:(?:next|previous|prev|last|first)(?: chapter| part| page)?|table of contents|contents|index|chapter list|continue reading(?: next part)?|support (?:the )?(?:author|"?[^"]{1,40}"?)|report(?: chapter)?|donate|share|vote|comments?(?: \(#\))?|add (?:a )?(?:comment|to library)|follow|favou?rite|(?:views?|reads?|votes?|words?|likes?|followers|stars?)\s*:?\s*#.*|#[\s#.,km]*(?:views?|reads?|votes?|comments?|words?|likes?)?)(?:\W{1,3}(?:next|previous|index|contents|chapter|#)\b.*)?\W*$/i;
/** What writers of serials call a note to their readers; a novel may have an "author's note" of its own. */
const SITE_NOTE = /^\W{0,3}(?:A\/N\b|A note from \S.{0,40}$)/;
const NOTE = /^\W{0,3}(?:(?:A\/N|Author['’]?s['’]? Notes?|Note from the author)\b\s*[:：–—-]?|A note from \S.{0,40}$)/i;
/** More than this may be a chapter that only calls itself a note. */
const LONGEST_NOTE_WORDS = 250;

interface Cleaned {
  readonly chapters: readonly RawChapter[];
  readonly removed: readonly Removal[];
}

/**
 * What a site sets around every chapter of a story copied from it: counters, "Next Chapter", notes to the readers. The same short
 * line at the ends of most chapters is the evidence; a refrain is a sentence, and stays.
 */
export function withoutSiteFurniture(chapters: readonly RawChapter[]): Cleaned {
  if (chapters.length < FEWEST_CHAPTERS) return { chapters, removed: [] };
  const ends = chapters.map(({ text }) => endsOf(text));
  const times = new Map<string, number>();
  let notes = 0;
  let named = 0;
  for (const { head, tail } of ends) {
    for (const key of new Set([...head, ...tail].map(keyOf))) times.set(key, (times.get(key) ?? 0) + 1);
    if ([...head, ...tail].some((paragraph) => SITE_NOTE.test(paragraph))) notes++;
    if ([...head, ...tail].some((paragraph) => NOTE.test(paragraph))) named++;
  }
  const isCommon = (key: string) => key !== "" && times.get(key)! >= chapters.length * SHARE;
  const isFromSite = [...times.keys()].some((key) => isCommon(key) && NAVIGATION.test(key));
  if (!isFromSite && notes < 2) return { chapters, removed: [] };
  // Once a site has shown itself, its other lines go too; without one, a line that comes again is a signature or a refrain.
  const isFurniture = (paragraph: string) =>
    isFromSite && isCommon(keyOf(paragraph)) && paragraph !== "* * *" && !/[.!?…。！？"”’」』]$/u.test(paragraph);
  const isNoted = notes >= 2 || (isFromSite && named >= 2);
  const removed: Removal[] = [];
  const cleaned = chapters.map((chapter, at) => {
    const { head, middle, tail } = ends[at]!;
    const take = (rule: string, text: string) => {
      const words = countWords(text);
      removed.push({
        rule,
        where: chapter.title ?? `chapter ${at + 1}`,
        text,
        ...(words > 40 && { words, mayBeStory: true }),
      });
    };
    const keep = (paragraphs: readonly string[]) =>
      paragraphs.filter((paragraph) => {
        const isGone = isFurniture(paragraph);
        if (isGone) take("site notice", paragraph);
        return !isGone;
      });
    const note = isNoted ? tail.findIndex((paragraph) => NOTE.test(paragraph)) : -1;
    if (note >= 0 && countWords(tail.slice(note).join(" ")) <= LONGEST_NOTE_WORDS) {
      take(AUTHORS_NOTE, tail.splice(note).join("\n\n"));
    }
    const [first, last] = [keep(head), keep(tail)];
    if (isNoted && NOTE.test(first[0] ?? "") && countWords(first[0]!) <= LONGEST_NOTE_WORDS)
      take(AUTHORS_NOTE, first.shift()!);
    const text = [...first, ...(middle === "" ? [] : [middle]), ...last].join("\n\n").replace(/(?:\n\n\* \* \*)+$/, "");
    return text.trim() === "" || text.length === chapter.text.length ? chapter : { ...chapter, text };
  });
  return { chapters: cleaned, removed };
}

/** Counters differ from chapter to chapter in their numbers only. */
function keyOf(paragraph: string): string {
  return paragraph.length > 200 || countWords(paragraph) > MOST_WORDS
    ? ""
    : paragraph.replace(/\d[\d.,]*[km]?/gi, "#").toLowerCase();
}

/** The first and the last paragraphs of a chapter; the whole of a long one need not be taken apart. */
function endsOf(text: string): { head: string[]; middle: string; tail: string[] } {
  const head: string[] = [];
  const tail: string[] = [];
  let [from, to] = [0, text.length];
  // Turn by turn, so that a short chapter has both ends.
  while (tail.length < REACH) {
    const start = text.lastIndexOf("\n\n", to - 1);
    if (start < from) return { head, middle: "", tail: from < to ? [text.slice(from, to), ...tail] : tail };
    tail.unshift(text.slice(start + 2, to));
    to = start;
    const end = text.indexOf("\n\n", from);
    if (end < 0 || end >= to) return { head: from < to ? [...head, text.slice(from, to)] : head, middle: "", tail };
    head.push(text.slice(from, end));
    from = end + 2;
  }
  return { head, middle: text.slice(from, to), tail };
}
