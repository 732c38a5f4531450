import type { QuotedPassage } from "../../judge/letter/quoted-passage.ts";
import type { Passage } from "../../prose/map/passage.ts";
import { type Sentence, splitSentences } from "../../text/sentences.ts";

interface ChapterText {
  readonly index: number;
  readonly text: string;
}

/** Turns places in a book into quotations of it, word for word. */
export interface Quoter {
  /** The sentence or sentences around a place, cut to a length that can be read; null where nothing stands there. */
  quote(passage: Passage): QuotedPassage | null;
}

/** As much as a reader takes in beside a remark. */
const LONGEST = 260;

export function quoterOf(chapters: readonly ChapterText[]): Quoter {
  const texts = new Map(chapters.map(({ index, text }) => [index, text]));
  const known = new Map<string, Sentence[]>();
  const textOf = (chapter: number) => texts.get(chapter) ?? "";
  // No sentence runs over a blank line, so only the paragraphs around a place are split.
  const sentencesAround = ({ chapter, start, end }: Passage) => {
    const text = textOf(chapter);
    const from = Math.max(0, text.lastIndexOf("\n\n", start));
    const after = text.indexOf("\n\n", Math.max(start, end));
    const key = `${chapter} ${from} ${after}`;
    let split = known.get(key);
    if (split === undefined) {
      split = splitSentences(text.slice(from, after === -1 ? text.length : after)).map((sentence) => ({
        start: sentence.start + from,
        end: sentence.end + from,
      }));
      known.set(key, split);
    }
    return split;
  };
  return {
    quote({ chapter, start, end }) {
      const text = textOf(chapter);
      const around = sentencesAround({ chapter, start, end }).filter(
        (sentence) => sentence.start < end && sentence.end > start,
      );
      const whole = {
        start: Math.min(start, around[0]?.start ?? start),
        end: Math.max(end, around.at(-1)?.end ?? end),
      };
      const paragraph = onOneLine(text, whole, start);
      const cut = shortened(text, paragraph, { start, end: Math.min(end, paragraph.end) });
      const quote = text.slice(cut.start, cut.end);
      if (quote.trim() === "") return null;
      const isPart = start > cut.start || end < cut.end;
      const mark: QuotedPassage["mark"] = isPart ? [start - cut.start, Math.min(end, cut.end) - cut.start] : null;
      return { chapter, start: cut.start, end: cut.end, quote, mark };
    },
  };
}

/** The part of a span that stands in the paragraph where the words meant begin. */
function onOneLine(text: string, span: Sentence, at: number): Sentence {
  const before = text.lastIndexOf("\n", Math.max(span.start, at) - 1);
  const after = text.indexOf("\n", at);
  return {
    start: before >= span.start ? before + 1 : span.start,
    end: after !== -1 && after < span.end ? after : span.end,
  };
}

/** At most `LONGEST` characters around the words meant, cut between words and never inside them. */
function shortened(text: string, { start, end }: Sentence, meant: Sentence): Sentence {
  if (end - start <= LONGEST) return { start, end };
  const room = Math.max(0, LONGEST - (meant.end - meant.start));
  const from =
    meant.start - start <= room / 2 ? start : nextWord(text, Math.floor(meant.start - room / 2), meant.start);
  const to = Math.min(end, from + LONGEST);
  return { start: from, end: to === end ? end : lastWord(text, to, from) };
}

function nextWord(text: string, from: number, limit: number): number {
  const space = text.indexOf(" ", from);
  return space === -1 || space >= limit ? limit : space + 1;
}

function lastWord(text: string, to: number, limit: number): number {
  const space = text.lastIndexOf(" ", to);
  if (space > limit) return space;
  // Text without spaces is cut anywhere but inside a character.
  return /[\udc00-\udfff]/.test(text[to] ?? "") ? to - 1 : to;
}
