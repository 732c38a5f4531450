/**
 * How long forecasts take, from a JSONL file to a JSONL file.
 *
 *   npx tsx benchmarks/forecast.ts [10000]
 *
 * Made-up books of the size that rated collections have: a premise of 150 words, a plot summary of 350 and characters of
 * 250, in words the forecast knows.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeJsonLines } from "../src/core/json-lines.ts";
import { seededRandom } from "../src/core/random.ts";
import { loadForecaster } from "../src/forecast/load-forecaster.ts";
import { forecastLines } from "../src/tasks/books/forecast-books.ts";
import { storyMaker } from "./support/made-library.ts";

const count = Number(process.argv[2] ?? 10_000);
const random = seededRandom(4);
const story = storyMaker(random);
const folder = await mkdtemp(join(tmpdir(), "forecast-benchmark-"));
try {
  const books = Array.from({ length: count }, (_, id) => ({ id, ...story() }));
  await writeJsonLines(join(folder, "books.jsonl"), books);
  const started = performance.now();
  const forecast = loadForecaster({ reasons: 5 });
  const loaded = performance.now();
  const signal = new AbortController().signal;
  await writeJsonLines(
    join(folder, "forecasts.jsonl"),
    forecastLines(join(folder, "books.jsonl"), forecast, () => {}, signal),
  );
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(2);
  const ended = performance.now();
  console.log(
    `${count} books in ${seconds(started, ended)} s, of which loading the weights ${seconds(started, loaded)} s`,
  );
  console.log(`memory ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
