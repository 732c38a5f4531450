import { countWords } from "../../text/words.ts";
import { mean, median, rounded, variation } from "../map/numbers.ts";
import { type Passage, someOf } from "../map/passage.ts";
import type { Reading, SentenceSpan } from "../map/reading.ts";
import { type RepeatedPhrase, repeatedPhrases } from "./repeated-phrases.ts";

interface Cases {
  readonly count: number;
  readonly passages: readonly Passage[];
}

/** What can be counted in Chinese prose beside chapters and speech. Lengths are in characters. */
export interface ChineseMap {
  readonly sentenceLength: number | null;
  readonly sentenceVariation: number | null;
  readonly paragraphLength: number | null;
  readonly chapters: readonly { readonly chapter: number; readonly sentenceLength: number | null }[];
  /** Sentences beyond `LONG` characters, the longest first. */
  readonly longSentences: Cases;
  /** Four or more sentences in a row that begin with the same two characters. */
  readonly openings: Cases;
  /** Western commas, stops and question marks between Chinese characters, where the rest has Chinese ones. */
  readonly westernMarks: Cases;
  readonly repeats: readonly RepeatedPhrase[];
}

export const LONG = 120;
const RUN = 4;
const WESTERN = /(?<=\p{Script=Han})[,.?!;:](?=\p{Script=Han}|\s*\n|$)/gu;
const CHINESE = /[，。？！；：]/g;
/** Above this share the text is set in western marks on purpose. */
const ON_PURPOSE = 0.3;

export function chineseMap(reading: Reading): ChineseMap {
  const { prose, chapters, sentences, locate } = reading;
  const measured = sentences.map((span) => ({ span, length: countWords(prose.text, span.start, span.end) }));
  const lengths = measured.map(({ length }) => length);
  const long = measured.filter(({ length }) => length > LONG).sort((left, right) => right.length - left.length);
  return {
    sentenceLength: rounded(mean(lengths), 1),
    sentenceVariation: rounded(variation(lengths), 3),
    paragraphLength: rounded(median(prose.paragraphs.map(({ start, end }) => countWords(prose.text, start, end))), 0),
    chapters: chapters.map(({ index, start, end }) => ({
      chapter: index,
      sentenceLength: rounded(
        mean(measured.filter(({ span }) => span.start >= start && span.start < end).map(({ length }) => length)),
        1,
      ),
    })),
    longSentences: { count: long.length, passages: long.slice(0, 6).map(({ span }) => locate(span)) },
    openings: sameOpenings(reading),
    westernMarks: westernMarks(reading),
    repeats: repeatedPhrases(reading),
  };
}

function sameOpenings({ prose, sentences, locate }: Reading): Cases {
  const runs: SentenceSpan[][] = [];
  let run: SentenceSpan[] = [];
  let before = "";
  for (const sentence of sentences) {
    const opening = /^\P{L}*(\p{Script=Han}{2})/u.exec(prose.text.slice(sentence.start, sentence.start + 8))?.[1] ?? "";
    if (opening === "" || opening !== before) {
      if (run.length >= RUN) runs.push(run);
      run = [];
    }
    run.push(sentence);
    before = opening;
  }
  if (run.length >= RUN) runs.push(run);
  const spans = runs.map((each) => ({ start: each[0]!.start, end: each.at(-1)!.end }));
  return { count: runs.length, passages: someOf(spans, 6).map(locate) };
}

function westernMarks({ prose: { text }, sentences, locate }: Reading): Cases {
  const western = [...text.matchAll(WESTERN)].map(({ index }) => index);
  const chinese = text.match(CHINESE)?.length ?? 0;
  if (western.length > ON_PURPOSE * (western.length + chinese)) return { count: 0, passages: [] };
  const inSentence = western.flatMap((at) => sentences.find(({ start, end }) => start <= at && at < end) ?? []);
  return { count: western.length, passages: someOf(inSentence, 6).map(locate) };
}
