/**
 * The site of a leaderboard: how long it takes to build with every text, how large it is, how soon its first page is open, and what
 * the checks for contamination take as chapters grow. Made-up writers and one judge who gives a reason for every score.
 *
 *   npm run build && npx tsx benchmarks/leaderboard-site.ts [--writers 24] [--novels 100] [--chapters 10] [--words 1000] [--keep FOLDER]
 *
 * The texts are sentences of the bundled story with other words in them, which compress about as well as published prose does.
 */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { deflateRawSync } from "node:zlib";
import { benchFiles, type ScoreRow, type WrittenRow } from "../src/bench/bench-folder.ts";
import { buildPopulation } from "../src/bench/population/build-population.ts";
import { wordingOf } from "../src/bench/synopsis.ts";
import { writingRates } from "../src/bench/writing.ts";
import { assetPath } from "../src/core/assets.ts";
import { type Random, randomInteger, seededRandom } from "../src/core/random.ts";
import { scored } from "../src/core/verdict.ts";
import { loadRubric } from "../src/criteria/load-rubric.ts";
import { rubricHash } from "../src/criteria/rubric.ts";
import { loadPrices } from "../src/models/prices.ts";
import { shippedPrompts } from "../src/prompts/own-prompts.ts";
import { median } from "../src/stats/distribution.ts";
import { collectSite } from "../src/tasks/bench/leaderboard/collect-site.ts";
import type { MadeLeaderboard } from "../src/tasks/bench/leaderboard/make-leaderboard.ts";
import { writeSite } from "../src/tasks/bench/leaderboard/write-site.ts";
import { launchChromium } from "../test/support/chromium.ts";

const { values } = parseArgs({
  options: {
    writers: { type: "string", default: "24" },
    novels: { type: "string", default: "100" },
    chapters: { type: "string", default: "10" },
    words: { type: "string", default: "1000" },
    keep: { type: "string" },
  },
});
const [WRITERS, NOVELS, CHAPTERS, WORDS] = [values.writers, values.novels, values.chapters, values.words].map(
  Number,
) as [number, number, number, number];
const STORY = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8").split("---\n").at(-1)!;
const SENTENCES = (STORY.replace(/^#.*$/gm, "").match(/[^.!?]+[.!?]+["”]?/g) ?? []).map((sentence) =>
  sentence.trim().replace(/\s+/g, " "),
);
const VOCABULARY = [...new Set(STORY.toLowerCase().match(/[a-z]{4,}/g))];
const JUDGE = "made-up judge";
const SIGNAL = new AbortController().signal;
const root = values.keep ?? (await mkdtemp(join(tmpdir(), "fabula-site-")));
const [folder, site] = [join(root, "bench"), join(root, "site")];
try {
  await contamination();
  const made = await makeBench();
  await build("first", made);
  await build("again, with what the checks found kept", made);
  await opening();
} finally {
  if (values.keep === undefined) await rm(root, { recursive: true, force: true });
}

/** Of the longer words; the rest is as it was, so that a text compresses as prose does. */
function prose(words: number, random: Random): string {
  const parts: string[] = [];
  for (let written = 0; written < words; ) {
    const sentence = SENTENCES[randomInteger(random, SENTENCES.length)]!.replace(/\b[a-z]{4,}\b/g, (word) =>
      random() < 0.7 ? VOCABULARY[randomInteger(random, VOCABULARY.length)]! : word,
    );
    written += sentence.split(" ").length;
    parts.push(sentence, random() < 0.15 ? "\n\n" : " ");
  }
  return parts.join("").trim();
}

async function makeBench(): Promise<MadeLeaderboard> {
  const rubric = await loadRubric("novel-bench-en");
  const random = seededRandom(7);
  await mkdir(folder, { recursive: true });
  const files = benchFiles(folder);
  const names = Array.from({ length: NOVELS }, (_, index) => `novel-${index + 1}`);
  const level = () => 2 + 2 * random();
  const { population } = buildPopulation(
    names.map((novel) => {
      const around = level();
      return {
        novel,
        writer: `author of ${novel}`,
        chapter: 1,
        words: WORDS,
        scores: rubric.criteria.map(() => around + random() - 0.5),
      };
    }),
    {
      id: "made-up",
      description: "made-up novels",
      judge: { id: JUDGE, version: "1" },
      rubric: { id: rubric.id, version: rubric.version, hash: rubricHash(rubric) },
      dimensions: rubric.criteria.map(({ id }) => id),
    },
  );
  await writeFile(
    files.manifest,
    `{"format":1,"seed":1,"chaptersPerNovel":${CHAPTERS},"novels":[\n${names
      .map((novel) =>
        JSON.stringify({ novel, file: novel, title: novel, author: null, language: "en", sha256: "", chapters: [] }),
      )
      .join(",\n")}\n],"excluded":[]}\n`,
  );
  const numbers = Array.from({ length: CHAPTERS }, (_, index) => index + 1);
  const originals = names.flatMap((novel) =>
    numbers.map((chapter) => ({
      novel,
      writer: "",
      title: novel,
      language: "en",
      chapter,
      words: WORDS,
      sha256: "",
      text: prose(WORDS, random),
    })),
  );
  await writeFile(files.chapters, originals.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const runs: MadeLeaderboard["runs"][number][] = [];
  let [plain, deflated] = [0, 0];
  for (let writer = 1; writer <= WRITERS; writer++) {
    const name = `writer-${writer}`;
    const own = 2.5 + writer / WRITERS;
    const written: WrittenRow[] = names.flatMap((novel) =>
      numbers.map((chapter) => ({
        novel,
        writer: name,
        chapter,
        language: "en",
        text: prose(WORDS, random),
        cutOff: false,
        reason: null,
      })),
    );
    const rows: ScoreRow[] = written.map(({ novel, chapter }) => ({
      ...{ novel, chapter, writer: name, judge: JUDGE, rubric: rubric.id, words: WORDS, repeat: 0 },
      scores: Object.fromEntries(rubric.criteria.map(({ id }) => [id, scored(own + random() - 0.5)])),
      reasons: Object.fromEntries(rubric.criteria.map(({ id }) => [id, prose(12, random)])),
    }));
    const file = files.writerScores(name, JUDGE);
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const first = written
      .slice(0, CHAPTERS)
      .map(({ text }) => text)
      .join("\n");
    plain += first.length;
    deflated += deflateRawSync(first, { level: 9 }).length;
    runs.push({
      ...{
        name,
        written,
        unwritten: 0,
        unscored: 0,
        scores: [file],
        listed: { model: name, cutOff: null, name: `Writer ${writer}` },
      },
      rates: writingRates(written, WORDS),
      chapters: rows.map(({ scores, ...row }) => ({
        ...{ novel: row.novel, writer: name, chapter: row.chapter, words: WORDS },
        scores: rubric.criteria.map(({ id }) => (scores[id]!.kind === "scored" ? scores[id]!.score : null)),
      })),
    });
  }
  console.log(
    `${WRITERS} writers × ${NOVELS} novels × ${CHAPTERS} chapters of ${WORDS} words; a novel deflates to ${(deflated / plain).toFixed(2)} of its size`,
  );
  return { rubric: rubric.id, populations: [population], runs, renamed: [], recognised: new Map(), records: new Map() };
}

async function build(label: string, made: MadeLeaderboard): Promise<void> {
  const started = { wall: performance.now(), processor: process.cpuUsage() };
  const options = {
    ...{ folder, synopsisModel: "nobody", wholeNumbers: false, chapters: CHAPTERS, repeats: 1, maximumTokens: 4096 },
    ...{
      temperature: 0.6,
      words: WORDS,
      seed: 1,
      title: "Made-up writers",
      date: "2026-01-01",
      prompts: shippedPrompts,
    },
    prices: await loadPrices(),
    signal: SIGNAL,
  };
  const data = await collectSite(made, options);
  const collected = performance.now();
  await writeSite(site, data, made, { ...options, keepsFindings: true });
  const { user, system } = process.cpuUsage(started.processor);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  const files = (await readdir(site, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  console.log(
    `built ${label}: ${seconds(performance.now() - started.wall)} s (statistics and contamination ${seconds(collected - started.wall)} s), ${seconds((user + system) / 1000)} s of processor time, ${files.length} files, ${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(1)} MB`,
  );
}

async function opening(): Promise<void> {
  const browser = await launchChromium();
  try {
    for (const file of ["index.html", join("writers", "writer-1.html"), join("novels", "novel-1.html")]) {
      const times: number[] = [];
      const threads: number[] = [];
      for (let repeat = 0; repeat < 5; repeat++) {
        const page = await (await browser.newContext()).newPage();
        const session = await page.context().newCDPSession(page);
        // What the page's own thread takes, which waiting for a busy machine does not lengthen.
        await session.send("Performance.enable", { timeDomain: "threadTicks" });
        await page.goto(pathToFileURL(join(site, file)).href, { waitUntil: "load" });
        times.push(await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"));
        const { metrics } = await session.send("Performance.getMetrics");
        threads.push(1000 * metrics.find(({ name }) => name === "TaskDuration")!.value);
        if (file !== "index.html" && repeat === 4) {
          const started = performance.now();
          await page.locator("details.work > summary").first().click();
          await page.locator(".work-text").first().waitFor();
          console.log(`  a text is shown ${(performance.now() - started).toFixed(0)} ms after it is opened`);
        }
        await page.context().close();
      }
      const { size } = await stat(join(site, file));
      console.log(
        `${file} is open after ${median(times).toFixed(0)} ms, ${median(threads).toFixed(0)} ms of its thread's time (medians of 5), ${(size / 1e6).toFixed(2)} MB`,
      );
    }
  } finally {
    await browser.close();
  }
}

/** Twice the words should take about twice the time. */
async function contamination(): Promise<void> {
  for (const words of [1000, 2000, 4000, 8000]) {
    const random = seededRandom(words);
    const pairs = Array.from({ length: 20 }, () => [prose(words, random), prose(words, random)] as const);
    const processor = process.cpuUsage();
    for (const [written, original] of pairs) {
      const wording = wordingOf(original);
      wording.leakInto(written);
      wording.longestIn(written);
    }
    const { user, system } = process.cpuUsage(processor);
    console.log(
      `contamination of a chapter of ${words} words: ${((user + system) / 1000 / pairs.length).toFixed(1)} ms`,
    );
  }
}
