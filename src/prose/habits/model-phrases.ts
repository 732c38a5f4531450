import { readFileSync } from "node:fs";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { type BookProse, type Passage, someOf, spanOfWords } from "../map/book-prose.ts";
import { mean, rate, rounded } from "../map/numbers.ts";
import { phraseFinder } from "./phrase-counts.ts";

/** How similar the ends of chapters are. */
interface ChapterEndings {
  /** The share of chapters that end in a paragraph of one short sentence. */
  readonly shortShare: number | null;
  /** Mean overlap of the words of two last paragraphs, 0 to 1 (Jaccard, words of at least four letters). */
  readonly likeness: number | null;
  readonly passages: readonly Passage[];
}

const SHORT = 15;
const FEWEST_CHAPTERS = 4;

function chapterEndings({ prose, chapters, locate, wordsBetween }: BookProse): ChapterEndings {
  const endings = chapters.flatMap((chapter) => {
    const last = prose.paragraphs.findLast(({ start, end }) => start >= chapter.start && end <= chapter.end);
    return last ? [last] : [];
  });
  if (endings.length < FEWEST_CHAPTERS) return { shortShare: null, likeness: null, passages: endings.map(locate) };
  const short = endings.filter(({ start, end }) => wordsBetween(start, end) <= SHORT).length;
  const sets = endings.map(
    ({ start, end }) =>
      new Set(
        prose.text
          .slice(start, end)
          .toLowerCase()
          .match(/\p{L}{4,}/gu) ?? [],
      ),
  );
  const overlaps = sets.flatMap((left, index) => sets.slice(index + 1).map((right) => jaccard(left, right)));
  return {
    shortShare: rounded(short / endings.length, 3),
    likeness: rounded(mean(overlaps)),
    passages: endings.map(locate),
  };
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let both = 0;
  for (const word of left) if (right.has(word)) both++;
  const all = left.size + right.size - both;
  return all === 0 ? 0 : both / all;
}

export const modelPhrasesFileSchema = z.object({
  description: z.string(),
  /** The number of words in each group. */
  words: z.object({ models: z.number(), novels: z.number() }),
  /** All listed phrases together, per 1,000 words: the median and the middle 90 % of texts of each group. */
  rates: z.object({
    models: z.object({ median: z.number(), low: z.number(), high: z.number() }),
    novels: z.object({ median: z.number(), low: z.number(), high: z.number() }),
  }),
  /** Each phrase with its rate per 1,000 words in both groups. */
  phrases: z.array(z.object({ phrase: z.string(), models: z.number(), novels: z.number() })),
});

export type ModelPhrasesFile = z.infer<typeof modelPhrasesFileSchema>;

/** Phrases that language models of 2024 and 2025 overuse. They describe a style, and never prove who wrote a text. */
export interface ModelPhrases {
  readonly count: number;
  readonly rate: number | null;
  readonly rates: ModelPhrasesFile["rates"];
  readonly phrases: readonly {
    readonly phrase: string;
    readonly count: number;
    readonly rate: number;
    readonly models: number;
    readonly novels: number;
    readonly passages: readonly Passage[];
  }[];
  readonly endings: ChapterEndings;
}

const FILE = "model-phrases.json";
let loaded: ModelPhrasesFile | null = null;

export function loadModelPhrases(): ModelPhrasesFile {
  loaded ??= modelPhrasesFileSchema.parse(JSON.parse(readFileSync(assetPath("reference", FILE), "utf8")));
  return loaded;
}

export function modelPhrasesOf(bookProse: BookProse, file: ModelPhrasesFile): ModelPhrases {
  const { prose, locate } = bookProse;
  const matches = phraseFinder(file.phrases.map(({ phrase }) => phrase))(prose);
  const byPhrase = new Map<number, Passage[]>();
  for (const { phrase, first, end } of matches) {
    const passages = byPhrase.get(phrase) ?? [];
    passages.push(locate(spanOfWords(prose, first, end)));
    byPhrase.set(phrase, passages);
  }
  const used = [...byPhrase].map(([index, passages]) => ({
    ...file.phrases[index]!,
    count: passages.length,
    rate: rounded(rate(passages.length, prose.wordCount)!, 4),
    passages: someOf(passages, 6),
  }));
  return {
    count: matches.length,
    rate: rounded(rate(matches.length, prose.wordCount), 3),
    rates: file.rates,
    phrases: used
      .sort((left, right) => right.rate / right.novels - left.rate / left.novels || right.count - left.count)
      .slice(0, 60),
    endings: chapterEndings(bookProse),
  };
}
