import type { AspectResult, Evidence } from "../../judge/evaluation.ts";
import type { LineNotes } from "../../jury/line-notes.ts";
import { isNotable } from "../../jury/notable-sentence.ts";
import type { PreparedText } from "../../jury/prepare-text.ts";

/** Of the sentences in the data that line notes learnt from, this share was changed by the editor. */
export const CHANGED_SENTENCES = 0.44;

export interface PreparedChapter {
  readonly index: number;
  readonly prepared: PreparedText;
}

interface NotedSentence {
  readonly chapter: number;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly change: number;
  readonly why: string | null;
}

const SHOWN = 6;
/** Shorter sentences say nothing by themselves; longer ones are no quotation. */
const SHORTEST = 8;
const LONGEST = 60;

/** The sentences an editor is most and least likely to change, as the weaknesses and strengths of the writing. */
export function notedPassages(
  chapters: readonly PreparedChapter[],
  notes: LineNotes,
): Pick<AspectResult, "strengths" | "weaknesses" | "evidence"> {
  const sentences = chapters
    .flatMap(({ index, prepared }) => sentencesOf(index, prepared, notes))
    .sort((left, right) => right.change - left.change);
  const most = spread(sentences.filter(({ change }) => change > CHANGED_SENTENCES));
  const least = spread(sentences.filter(({ change }) => change < CHANGED_SENTENCES).reverse());
  return {
    evidence: [...least, ...most].map(evidenceOf),
    strengths: least.map((_, position) => ({ text: "", evidence: [position] })),
    weaknesses: most.map((_, position) => ({ text: "", evidence: [least.length + position] })),
  };
}

function sentencesOf(chapter: number, prepared: PreparedText, notes: LineNotes): NotedSentence[] {
  return notes.read(prepared).flatMap(({ start, end, change, why }, sentence) => {
    const words = prepared.prose.words[sentence]!;
    const quote = prepared.text.slice(start, end);
    if (words < SHORTEST || words > LONGEST || !isNotable(quote)) return [];
    return [{ chapter, quote, start, end, change, why }];
  });
}

/** The first few, from different chapters as long as there are any, and none twice: a refrain is one passage. */
function spread(sentences: readonly NotedSentence[]): NotedSentence[] {
  const chosen = new Set<NotedSentence>();
  const quotes = new Set<string>();
  const chapters = new Set<number>();
  for (const rule of ["one per chapter", "any"] as const) {
    for (const sentence of sentences) {
      if (chosen.size === SHOWN) break;
      if (quotes.has(sentence.quote) || (rule === "one per chapter" && chapters.has(sentence.chapter))) continue;
      chosen.add(sentence);
      quotes.add(sentence.quote);
      chapters.add(sentence.chapter);
    }
  }
  return [...chosen];
}

function evidenceOf({ chapter, quote, start, end, change, why }: NotedSentence): Evidence {
  return { chapter, quote, start, end, found: true, match: "exact", similarity: 1, change, why };
}
