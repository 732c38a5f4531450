/**
 * How long personal predictions take, from a JSONL file to a JSONL file: three earlier reviews and a story in each line, and no
 * story twice in the whole file, so that nothing that was read before helps.
 *
 *   npx tsx benchmarks/personal.ts [10000]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { predictRatings } from "../src/workflows/readers/predict.ts";
import { storyMaker } from "./support/made-stories.ts";
import { promptText } from "./support/prompts.ts";

const REVIEWS = 3;
const WORDS_OF_A_REVIEW = 180;
const count = Number(process.argv[2] ?? 10_000);
const random = seededRandom(4);
const story = storyMaker(random);

function* pairs() {
  for (let id = 0; id < count; id++) {
    const history = Array.from({ length: REVIEWS }, (_, past) => ({
      ...story(),
      rating: 1 + randomInteger(random, 5),
      review: promptText(id * REVIEWS + past, WORDS_OF_A_REVIEW),
    }));
    yield { id, history, query: story() };
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
    `${predicted} predictions from ${count * (REVIEWS + 1)} different stories in ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of processor time), peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
