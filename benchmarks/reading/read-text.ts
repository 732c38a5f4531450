/**
 * How fast plain text becomes chapters, on one core, and how that grows with the length.
 *
 *   npx tsx benchmarks/reading/read-text.ts [MEGABYTES...]
 *
 * The text is made up: chapters of hard-wrapped paragraphs with dialogue, as Project Gutenberg sets them. Processor time is
 * measured beside the clock, since other work on the machine slows only the clock; and beside it that of counting the words of the same
 * bytes, decoded and split into lines, without looking for anything.
 */
import { randomInteger, seededRandom } from "../../src/core/random.ts";
import { readBookFromBytes } from "../../src/text/read-book.ts";
import { countWords } from "../../src/text/words.ts";
import { processorSeconds } from "../support/processor-seconds.ts";

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(1, 4, 16, 40);

const random = seededRandom(3);
const vocabulary = Array.from({ length: 5000 }, () =>
  Array.from({ length: 2 + randomInteger(random, 8) }, () => String.fromCharCode(97 + randomInteger(random, 26))).join(
    "",
  ),
);

function sentence(): string {
  const words = Array.from(
    { length: 6 + randomInteger(random, 18) },
    () => vocabulary[Math.floor(5000 * random() ** 3)]!,
  );
  const text = words.join(" ");
  const closed = `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  return random() < 0.3 ? `“${closed}”` : closed;
}

function wrapped(paragraph: string): string {
  return paragraph.replace(/(.{50,71})\s/g, "$1\n");
}

function novel(megabytes: number): Uint8Array {
  const parts: string[] = [];
  let length = 0;
  for (let chapter = 1; length < megabytes * 1e6; chapter++) {
    parts.push(`CHAPTER ${chapter}`);
    for (let count = 0; count < 60 && length < megabytes * 1e6; count++) {
      const paragraph = wrapped(Array.from({ length: 1 + randomInteger(random, 7) }, sentence).join(" "));
      parts.push(paragraph);
      length += paragraph.length + 2;
    }
  }
  return new TextEncoder().encode(parts.join("\n\n"));
}

await readBookFromBytes(novel(4), "warm-up.txt");
const rows = [];
for (const size of sizes) {
  const bytes = novel(size);
  const clock = performance.now();
  let chapters = 0;
  const reading = await processorSeconds(async () => {
    chapters = (await readBookFromBytes(bytes, "novel.txt")).chapters.length;
  });
  const elapsed = performance.now() - clock;
  const counting = await processorSeconds(() => {
    for (const line of new TextDecoder().decode(bytes).split("\n")) countWords(line);
  });
  rows.push({
    megabytes: (bytes.length / 1e6).toFixed(1),
    chapters,
    "MB per processor second": (bytes.length / 1e6 / reading).toFixed(1),
    "MB per second": (bytes.length / 1000 / elapsed).toFixed(1),
    "times counting words alone": (reading / counting).toFixed(1),
  });
}
console.table(rows);
