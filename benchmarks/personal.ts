/**
 * How long personal predictions take, from a JSONL file to a JSONL file: three earlier reviews and a story in each line. Every
 * line asks about another story, and the reviews are of any of them; or, with --unseen, no story occurs twice in the whole
 * file, so that nothing that was read before helps.
 *
 *   npx tsx benchmarks/personal.ts [10000] [--unseen]
 *
 * With --shelf, from a Goodreads export of 400 books to the ranked to-read shelf, by the built command in a process of its own:
 *
 *   npm run build && npx tsx benchmarks/personal.ts --shelf [400]
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { predictRatings } from "../src/tasks/readers/predict.ts";
import { storyMaker } from "./support/made-library.ts";
import { promptText } from "./support/prompts.ts";

if (process.argv.includes("--shelf")) {
  await rankShelf(Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 400));
  process.exit();
}

const REVIEWS = 3;
const WORDS_OF_A_REVIEW = 180;
const isUnseen = process.argv.includes("--unseen");
const count = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10_000);
const random = seededRandom(4);

let ofStory = seededRandom(0);
const makeStory = storyMaker(() => ofStory());

/** The story of a number is made again whenever it is asked for, so that the benchmark itself keeps none. */
function storyOf(number: number) {
  ofStory = seededRandom(number);
  return makeStory();
}

function* pairs() {
  for (let id = 0; id < count; id++) {
    const history = Array.from({ length: REVIEWS }, (_, past) => ({
      ...storyOf(isUnseen ? count + id * REVIEWS + past : randomInteger(random, count)),
      rating: 1 + randomInteger(random, 5),
      review: promptText(id * REVIEWS + past, WORDS_OF_A_REVIEW),
    }));
    yield { id, history, query: storyOf(id) };
  }
}

const folder = await mkdtemp(join(tmpdir(), "personal-benchmark-"));
try {
  await writeJsonLines(join(folder, "pairs.jsonl"), pairs());
  const started = performance.now();
  const before = process.cpuUsage();
  const { predicted } = await predictRatings({
    input: join(folder, "pairs.jsonl"),
    output: join(folder, "predictions.jsonl"),
    onProgress: () => {},
  });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${predicted} predictions from ${isUnseen ? count * (REVIEWS + 1) : count} different stories in ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time), peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A quarter of the books are still to be read; of the others a third were reviewed in words. */
async function rankShelf(books: number): Promise<void> {
  const random = seededRandom(6);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const shelves = ["fantasy", "romance", "mystery", "science-fiction", "2023-reads", "library"];
  const lines = Array.from({ length: books }, (_, book) => {
    const isToRead = book % 4 === 0;
    const shelf = shelves[randomInteger(random, shelves.length)]!;
    const words = !isToRead && book % 3 === 0 ? promptText(book, 120) : "";
    const stars = isToRead ? 0 : 1 + randomInteger(random, 5);
    const average = (3.2 + 1.3 * random()).toFixed(2);
    const date = isToRead ? "" : `2023/0${1 + (book % 9)}/1${book % 9}`;
    const exclusive = isToRead ? "to-read" : "read";
    return [book, `Book ${book}`, "A. Writer", stars, average, date, shelf, exclusive, quoted(words)].join(",");
  });
  const heads = "Book Id,Title,Author,My Rating,Average Rating,Date Read,Bookshelves,Exclusive Shelf,My Review";
  const folder = await mkdtemp(join(tmpdir(), "shelf-benchmark-"));
  try {
    const file = join(folder, "goodreads_library_export.csv");
    await writeFile(file, [heads, ...lines].join("\n"));
    const command = ["dist/cli/main.js", "reader", "rank", "--books", file, "--json"];
    const started = performance.now();
    const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 28 });
    const seconds = (performance.now() - started) / 1000;
    const ranked: { readonly books: readonly unknown[] } = JSON.parse(stdout);
    console.log(`${ranked.books.length} books of a shelf ranked from an export of ${books} in ${seconds.toFixed(1)} s`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
