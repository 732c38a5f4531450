/**
 * How long a megabyte of text takes that no writer wrote: read into chapters, language told, tokens counted.
 *
 *   npx tsx benchmarks/reading/adversarial.ts [PART OF A NAME...]
 *
 * Processor time decides, since other work on the machine slows the clock alone; beside it stands how many times that of an ordinary
 * book of a megabyte it is, measured right before. Exits 1 when a kind takes two seconds.
 */
import { loadavg } from "node:os";
import { FabulaError } from "../../src/core/errors.ts";
import { summariseBook } from "../../src/text/book-summary.ts";
import { readBookFromBytes } from "../../src/text/read-book.ts";
import { adversarialFiles } from "../support/adversarial-files.ts";
import { processorSeconds } from "../support/processor-seconds.ts";

const MOST_SECONDS = 2;

const wanted = process.argv.slice(2);
await readBookFromBytes(new TextEncoder().encode("CHAPTER I\n\nIt rained.\n\nCHAPTER II\n\nIt snowed."), "warm-up.txt");

async function outcome(bytes: Uint8Array, name: string): Promise<string> {
  try {
    const { chapters, words } = summariseBook(await readBookFromBytes(bytes, name));
    return `${chapters.length} chapters, ${words} words`;
  } catch (error) {
    if (error instanceof FabulaError) return error.message;
    throw error;
  }
}

const ordinary = new TextEncoder().encode(
  Array.from(
    { length: 40 },
    (_, chapter) => `CHAPTER ${chapter + 1}\n\n${"He went down to the river, and the rain had stopped. ".repeat(480)}`,
  ).join("\n\n"),
);
const slow: string[] = [];
let slowest = 0;
let kinds = 0;
for (const { name, make } of adversarialFiles()) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const bytes = make();
  const usual = await processorSeconds(() => outcome(ordinary, "ordinary.txt"));
  let result = "";
  const seconds = await processorSeconds(async () => {
    result = await outcome(bytes, name);
  });
  const megabytes = (bytes.length / 1e6).toFixed(2);
  console.log(
    `${seconds.toFixed(2).padStart(6)} s  ${(seconds / usual).toFixed(1).padStart(5)} times  ${megabytes.padStart(5)} MB  ${name.padEnd(38)} ${result.slice(0, 90)}`,
  );
  if (seconds >= MOST_SECONDS) slow.push(name);
  slowest = Math.max(slowest, seconds);
  kinds++;
}
console.log(
  `${kinds} kinds, slowest ${slowest.toFixed(2)} s of processor time, ${slow.length} at or over ${MOST_SECONDS} s; load average ${loadavg()[0]!.toFixed(1)}`,
);
if (slow.length > 0) process.exitCode = 1;
