/**
 * Learns which phrases language models overuse: their chapters against published novels.
 *
 *   npx tsx training/modelPhrases/learn-modelPhrases.ts chapters.jsonl.gz FOLDER_OF_EPUBS assets/reference/model-phrases.json
 *
 * A phrase is listed when at least half of the models use it in nearly all of the stories, so that no story's subject is
 * taken for a manner, and when it is many times as frequent as in the novels. The novels are old, so single words are
 * kept only where they are verbs or adverbs: a television is no manner.
 */
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { readJsonLines } from "../../src/core/json-lines.ts";
import { type ModelPhrasesFile, modelPhrasesFileSchema } from "../../src/prose/habits/model-phrases.ts";
import { frequentPhrases, phraseFinder } from "../../src/prose/habits/phrase-counts.ts";
import { quantile } from "../../src/prose/map/numbers.ts";
import { CAPITAL, OPENS, type ProseText, readProse } from "../../src/prose/prose-text.ts";
import { epubNovels } from "./reference-novels.ts";

const FEWEST_WRITERS = 22;
const FEWEST_STORIES = 10;
const LEAST_RATIO = 6;
const MOST_PHRASES = 300;

/** A word alone is a manner when it is a verb or an adverb; a noun is what the story is about. */
const VERB_OR_ADVERB = /^\p{L}{3,}(?:ed|ing|ly)$/u;
/** Neither are contractions, which the old novels hardly print, nor an article with its noun, nor words of no meaning. */
const EMPTY = new Set(
  "the a an of to in on at by for from with and or but as if it its is was were be been had have has that this these those he she they i you we his her their my your not no so than then there what who which would could did do does him them me us into out up down one".split(
    " ",
  ),
);

function isManner(phrase: string): boolean {
  const words = phrase.split(" ");
  if (phrase.includes("'") || phrase.includes("chapter")) return false;
  if (words.length === 1) return VERB_OR_ADVERB.test(phrase);
  const meaningful = words.filter((word) => !EMPTY.has(word) && word.length > 3);
  if (meaningful.length === 0) return false;
  return words.length > 2 || !["the", "a", "an"].includes(words[0]!);
}

const [chaptersPath, folder, output] = process.argv.slice(2);
if (!chaptersPath || !folder || !output) {
  throw new Error("Usage: npx tsx training/modelPhrases/learn-modelPhrases.ts CHAPTERS FOLDER_OF_EPUBS OUTPUT");
}

const rowSchema = z.looseObject({ text: z.string(), writer: z.string(), story: z.union([z.string(), z.number()]) });

interface Use {
  count: number;
  readonly writers: Set<string>;
  readonly stories: Set<string>;
}

const rows = await readJsonLines(chaptersPath, rowSchema);
const uses = new Map<string, Use>();
const texts = new Map<string, ProseText>();
let modelWords = 0;
for (const [key, group] of grouped(rows, ({ writer, story }) => `${writer}\t${story}`)) {
  const [writer = "", story = ""] = key.split("\t");
  const prose = readProse(group.map(({ text }) => text).join("\n\n"));
  texts.set(key, prose);
  modelWords += prose.wordCount;
  const add = (phrase: string, count: number) => {
    const use = uses.get(phrase) ?? { count: 0, writers: new Set<string>(), stories: new Set<string>() };
    uses.set(phrase, use);
    use.count += count;
    use.writers.add(writer);
    use.stories.add(story);
  };
  const words = new Map<string, number>();
  for (let word = 0; word < prose.wordCount; word++) {
    const trait = prose.traits[word]!;
    if (trait & CAPITAL && !(trait & OPENS)) continue;
    words.set(prose.words[word]!, (words.get(prose.words[word]!) ?? 0) + 1);
  }
  for (const [word, count] of words) add(word, count);
  for (const { phrase, at } of frequentPhrases(prose, 2)) add(phrase, at.length);
}
// Phrases that come twice in a few stories are candidates; then every use of them is counted.
const candidates = [...uses]
  .filter(([phrase, { writers }]) => writers.size >= 5 && isManner(phrase))
  .map(([phrase]) => phrase);
const recount = candidates.map((): Use => ({ count: 0, writers: new Set(), stories: new Set() }));
const findCandidates = phraseFinder(candidates);
for (const [key, prose] of texts) {
  const [writer = "", story = ""] = key.split("\t");
  for (const { phrase } of findCandidates(prose)) {
    const use = recount[phrase]!;
    use.count++;
    use.writers.add(writer);
    use.stories.add(story);
  }
}
const common = candidates
  .map((phrase, index): [string, Use] => [phrase, recount[index]!])
  .filter(
    ([, { count, writers, stories }]) =>
      count >= 40 && writers.size >= FEWEST_WRITERS && stories.size >= FEWEST_STORIES,
  );
console.error(`${modelWords} words of ${texts.size} stories, ${common.length} phrases in common use`);

const find = phraseFinder(common.map(([phrase]) => phrase));
const inNovels = new Float64Array(common.length);
const novels: ProseText[] = [];
let novelWords = 0;
for await (const { chapters, title } of epubNovels(folder)) {
  const prose = readProse(chapters.map(({ text }) => text).join("\n\n"));
  novels.push(prose);
  novelWords += prose.wordCount;
  for (const { phrase } of find(prose)) inNovels[phrase]!++;
  console.error(title);
}

const perThousand = (count: number, words: number) => (1000 * count) / words;
const ranked = common
  .map(([phrase, { count, stories }], index) => {
    // One use is added on either side, so that a phrase the novels never have is not infinitely telling.
    const models = perThousand(count, modelWords);
    const old = perThousand(inNovels[index]! + 1, novelWords);
    const z = Math.log(models / old) / Math.sqrt(1 / count + 1 / (inNovels[index]! + 1));
    return { phrase, models, novels: old, z, stories: stories.size };
  })
  .filter(({ models, novels: old }) => models >= LEAST_RATIO * old)
  .sort((left, right) => right.z - left.z);
/** Of a phrase and a longer one that holds it, the longer stays where it makes up half of the shorter one's uses. */
const isPartOf = (part: string, whole: string) => part !== whole && ` ${whole} `.includes(` ${part} `);
const chosen = ranked
  .filter(({ phrase, models }) => !ranked.some((other) => isPartOf(phrase, other.phrase) && other.models > models / 2))
  .filter(({ phrase }, _, kept) => !kept.some((other) => isPartOf(other.phrase, phrase)))
  .slice(0, MOST_PHRASES);

const findChosen = phraseFinder(chosen.map(({ phrase }) => phrase));
const spread = (list: readonly ProseText[]) => {
  const rates = list
    .filter(({ wordCount }) => wordCount > 500)
    .map((prose) => perThousand(findChosen(prose).length, prose.wordCount));
  return {
    median: round(quantile(rates, 0.5)!),
    low: round(quantile(rates, 0.05)!),
    high: round(quantile(rates, 0.95)!),
  };
};
const file: ModelPhrasesFile = modelPhrasesFileSchema.parse({
  description: "Phrases that language models of 2024 and 2025 use far more often than published novels of 1800 to 1930",
  words: { models: modelWords, novels: novelWords },
  rates: { models: spread([...texts.values()]), novels: spread(novels) },
  phrases: chosen.map(({ phrase, models, novels: old }) => ({
    phrase,
    models: round(models, 4),
    novels: round(old, 5),
  })),
});
writeFileSync(output, `${JSON.stringify(file, null, 1)}\n`);
console.log(`${file.phrases.length} phrases: ${output}`);

function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
