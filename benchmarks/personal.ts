/**
 * How long personal predictions take, from a JSONL file to a JSONL file: three earlier reviews and a story in each line. Every
 * line asks about another story, and the reviews are of any of them; or, with --unseen, no story occurs twice in the whole
 * file, so that nothing that was read before helps.
 *
 *   npx tsx benchmarks/personal.ts [10000] [--unseen]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { predictRatings } from "../src/workflows/readers/predict.ts";
import { storyMaker } from "./support/made-library.ts";
import { promptText } from "./support/prompts.ts";

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
