import type { LineNotesPart, NotedSentence } from "../../judge/letter/parts.ts";
import { isNotable, type LineNote } from "../../jury/notes.ts";
import type { PreparedText } from "../../jury/prepare-text.ts";
import { mean, sum, sumBy } from "../../stats/distribution.ts";
import { splitSentences } from "../../text/sentences.ts";
import { countWords } from "../../text/words.ts";

/** A whole sentence with its note. */
interface NotedText extends LineNote {
  readonly words: number;
}

/** A chapter's sentences with their notes, in order. */
export interface NotedChapter {
  readonly chapter: number;
  readonly text: string;
  readonly notes: readonly NotedText[];
}

/**
 * The notes on whole sentences. The editor ends a sentence at every full stop, including "Mr.", so notes on parts of
 * one sentence become one note, the most likely of them. Headings and the like get none.
 */
export function notedChapter(chapter: number, { text }: PreparedText, notes: readonly LineNote[]): NotedChapter {
  let at = 0;
  const whole = splitSentences(text).flatMap(({ start, end }): NotedText[] => {
    let best: LineNote | null = null;
    while (at < notes.length && notes[at]!.start < end) {
      const note = notes[at++]!;
      if (note.end > start && (best === null || note.change > best.change)) best = note;
    }
    return best === null || !isNotable(text.slice(start, end))
      ? []
      : [{ start, end, change: best.change, why: best.why, words: countWords(text, start, end) }];
  });
  return { chapter, text, notes: whole };
}

/** As many as a writer can work through in one session. */
const MOST_SHOWN = 25;
const MOST_PER_CHAPTER = 3;
const MOST_STRENGTHS = 6;
/** More likely than not. */
const MARKED = 0.5;
/** Shorter sentences are not meaningful alone; longer ones are too long to quote. */
const SHORTEST = 8;
const LONGEST = 60;
const PASSAGE = { shortest: 25, longest: 75 };

/**
 * Measured on held-out texts (see the card of the editor): editors changed this share of the top tenth of sentences
 * by probability, and this share of all sentences.
 */
export const RATES = { shown: 0.63, any: 0.44 };

/** Chooses the notes worth a writer's time: the most likely ones, few per chapter, none twice. */
export function chooseNotes(chapters: readonly NotedChapter[], most: "few" | "all" = "few"): LineNotesPart {
  const marked = chapters.map(({ notes }) => notes.filter(({ change }) => change >= MARKED).length);
  return {
    sentences: sumBy(chapters, ({ notes }) => notes.length),
    marked: sum(marked),
    chapters: chapters.map(({ chapter, notes }, at) => ({ chapter, sentences: notes.length, marked: marked[at]! })),
    shown: likeliest(chapters, most),
    strengths: chapters
      .flatMap((chapter) => calmestPassage(chapter) ?? [])
      .sort((left, right) => left.change - right.change)
      .slice(0, MOST_STRENGTHS),
    rates: { ...RATES },
  };
}

function likeliest(chapters: readonly NotedChapter[], most: "few" | "all"): NotedSentence[] {
  const candidates = chapters
    .flatMap(({ chapter, text, notes }) =>
      notes.flatMap(({ start, end, change, why, words }): NotedSentence[] =>
        change >= MARKED && (most === "all" || (words >= SHORTEST && words <= LONGEST))
          ? [{ chapter, start, end, quote: text.slice(start, end), change: rounded(change), why }]
          : [],
      ),
    )
    .sort((left, right) => right.change - left.change);
  if (most === "all") return candidates;
  const shown: NotedSentence[] = [];
  const quotes = new Set<string>();
  const taken = new Map<number, number>();
  for (const note of candidates) {
    if (shown.length === MOST_SHOWN) break;
    const before = taken.get(note.chapter) ?? 0;
    if (before === MOST_PER_CHAPTER || quotes.has(note.quote)) continue;
    shown.push(note);
    quotes.add(note.quote);
    taken.set(note.chapter, before + 1);
  }
  return shown;
}

/** The consecutive sentences, within one paragraph of plain narration, that an editor is least likely to change. */
export function calmestPassage({ chapter, text, notes }: NotedChapter): NotedSentence | null {
  let best: NotedSentence | null = null;
  for (const [first, { start }] of notes.entries()) {
    let words = 0;
    let last = first;
    for (; last < notes.length && words < PASSAGE.shortest; last++) {
      const sentence = notes[last]!;
      if (sentence.words < SHORTEST || sentence.words > LONGEST) break;
      words += sentence.words;
    }
    if (words < PASSAGE.shortest || words > PASSAGE.longest) continue;
    const own = notes.slice(first, last);
    const change = mean(own.map((note) => note.change));
    const end = own.at(-1)!.end;
    if ((best !== null && change >= best.change) || !isNarration(text, start, end)) continue;
    best = { chapter, start, end, quote: text.slice(start, end), change: rounded(change), why: null };
  }
  return best;
}

/**
 * Dialogue, questions and lists are rarely edited, whatever their quality, so a passage to praise should be
 * narration.
 */
function isNarration(text: string, start: number, end: number): boolean {
  if (/\n|[?!:;]|\byou\b|\d/u.test(text.slice(start, end))) return false;
  const from = text.lastIndexOf("\n", start) + 1;
  const to = text.indexOf("\n", end);
  const paragraph = text.slice(from, to === -1 ? text.length : to);
  if (/["“”«»]/.test(paragraph)) return false;
  // An apostrophe between letters does not open dialogue.
  return !/[‘']/.test(paragraph) || !/[‘'](?=\p{L})/u.test(paragraph.replace(/\p{L}['’]\p{L}/gu, ""));
}

function rounded(change: number): number {
  return Number(change.toFixed(3));
}
