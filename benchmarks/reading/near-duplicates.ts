/**
 * How finding near-duplicates grows with the corpus, and how many it finds.
 *
 *   npx tsx benchmarks/reading/near-duplicates.ts [1000 10000 100000]
 *
 * Synthetic books of 3,000 characters, every twentieth a changed copy of another: letters replaced here and there, or a
 * passage cut and another put in, so that their exact similarity lies between 0.85 and 1. Recall is measured over the
 * copies whose exact similarity is at least 0.9. The last table: retellings of one story of 180,000 characters.
 */
import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import { comparable, findNearDuplicates, matchingRatio } from "../../src/text/near-duplicates.ts";

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(1000, 10_000, 100_000);

const LENGTH = 3000;
const COPY_EVERY = 20;
const random = seededRandom(20);
const vocabulary = Array.from({ length: 6000 }, () =>
  Array.from({ length: 2 + randomInteger(random, 8) }, () => String.fromCharCode(97 + randomInteger(random, 26))).join(
    "",
  ),
);

function story(length: number): string {
  const words: string[] = [];
  let written = 0;
  while (written < length) {
    // Squared twice: a few words are frequent and most are rare, roughly as in prose.
    const word = vocabulary[Math.floor(vocabulary.length * random() ** 4)]!;
    words.push(word);
    written += word.length + 1;
  }
  return words.join(" ").slice(0, length);
}

function scattered(text: string, share: number, source: Random): string {
  const letters = [...text];
  for (let at = 0; at < letters.length; at++) {
    if (source() < share) letters[at] = String.fromCharCode(97 + randomInteger(source, 26));
  }
  return letters.join("");
}

function replacedPassage(text: string, share: number, source: Random): string {
  const length = Math.floor(text.length * share);
  const from = randomInteger(source, text.length - length);
  return text.slice(0, from) + story(length) + text.slice(from + length);
}

/** Of every letter, with spaces set aside as they are when books are compared. */
function exactSimilarity(left: string, right: string): number {
  return matchingRatio(comparable(left), comparable(right));
}

interface Measurement {
  readonly books: number;
  readonly seconds: string;
  readonly memory: string;
  readonly pairs: number;
  readonly recall: string;
}

function measure(count: number): Measurement {
  const texts: string[] = [];
  const copies: [number, number][] = [];
  while (texts.length < count) {
    if (texts.length % COPY_EVERY === COPY_EVERY - 1) {
      const original = randomInteger(random, texts.length);
      const change = random() < 0.5 ? scattered : replacedPassage;
      copies.push([original, texts.length]);
      texts.push(change(texts[original]!, random() * 0.15, random));
    } else texts.push(story(LENGTH));
  }
  const started = performance.now();
  const pairs = findNearDuplicates(count, (index) => texts[index]!);
  const seconds = (performance.now() - started) / 1000;
  const found = new Set(pairs.map(({ left, right }) => `${left} ${right}`));
  const due = copies.filter(([left, right]) => exactSimilarity(texts[left]!, texts[right]!) >= 0.9);
  const kept = due.filter(([left, right]) => found.has(`${left} ${right}`));
  return {
    books: count,
    seconds: seconds.toFixed(2),
    memory: `${Math.round(process.memoryUsage().rss / 1e6)} MB`,
    pairs: pairs.length,
    recall: `${kept.length}/${due.length} = ${(kept.length / due.length).toFixed(4)}`,
  };
}

/** Every pair of a small corpus compared exactly: nothing above the threshold may be missing. */
function compareWithAllPairs(count: number): string {
  const texts: string[] = [];
  while (texts.length < count) {
    const original = texts[randomInteger(random, Math.max(1, texts.length))];
    const isCopy = original !== undefined && random() < 0.3;
    texts.push(isCopy ? scattered(original, random() * 0.12, random) : story(LENGTH));
  }
  const found = new Set(
    findNearDuplicates(count, (index) => texts[index]!).map(({ left, right }) => `${left} ${right}`),
  );
  let due = 0;
  let kept = 0;
  for (let left = 0; left < count; left++) {
    for (let right = left + 1; right < count; right++) {
      if (exactSimilarity(texts[left]!, texts[right]!) < 0.9) continue;
      due++;
      if (found.has(`${left} ${right}`)) kept++;
    }
  }
  return `${kept} of ${due} pairs at 0.9 or above, of ${(count * (count - 1)) / 2} compared exactly`;
}

/** Retellings of one story, of which none is a copy: what takes longest, since everything resembles everything. */
function measureRetellings(count: number): { retellings: number; seconds: string; compared: number } {
  const sentences = Array.from({ length: 3000 }, () => story(60));
  const texts = Array.from({ length: count }, () =>
    sentences.map((sentence) => (random() < 0.35 ? story(60) : sentence)).join(". "),
  );
  let reads = 0;
  const started = performance.now();
  findNearDuplicates(count, (index) => {
    reads++;
    return texts[index]!;
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  return { retellings: count, seconds, compared: reads - 2 * count };
}

console.log(`All pairs of 200 books: ${compareWithAllPairs(200)}`);
console.table(sizes.map(measure));
console.table([30, 60, 120].map(measureRetellings));
