/**
 * How the novelist benchmark grows with its corpus: prepare, build and place with the pocket judge on synthetic novels of
 * ten chapters of 3,000 characters, each size in a process of its own so that its peak of memory is its own.
 *
 *   npx tsx benchmarks/bench-growth.ts [1000 4000 16000]      100000 is the test of growth; it writes 3 GB twice
 *   npx tsx benchmarks/bench-growth.ts 100000 --characters 1000    short chapters: memory grows with novels, not with text
 *
 * Every hundredth novel repeats the one before it, and prepare must find it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pocketScorer } from "../src/bench/scoring/pocket-scorer.ts";
import { assetPath } from "../src/core/assets.ts";
import { type Random, randomInteger, seededRandom } from "../src/core/random.ts";
import { loadJury } from "../src/jury/jury.ts";
import { loadPocketJudge } from "../src/jury/pocket-judge.ts";
import { buildPopulations } from "../src/workflows/bench/build.ts";
import { corpusFiles } from "../src/workflows/bench/corpus.ts";
import { textPlacer } from "../src/workflows/bench/place.ts";
import { prepareBench } from "../src/workflows/bench/prepare.ts";

const CHAPTERS = 10;
const COPY_EVERY = 100;
const PLACED = 2000;
const STORY = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8").split("---\n").at(-1)!;
const SENTENCES = (STORY.replace(/^#.*$/gm, "").match(/[^.!?]+[.!?]+["”]?/g) ?? []).map((sentence) =>
  sentence.trim().replace(/\s+/g, " "),
);
const WORDS = [...new Set(STORY.toLowerCase().match(/[a-z]{4,}/g))];
/** Of the longer words: enough that no two chapters are alike, and few enough that the judge still reads them as prose. */
const EXCHANGED = 0.85;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { one: { type: "boolean", default: false }, characters: { type: "string", default: "3000" } },
});
const characters = Number(values.characters);

/** Sentences of the bundled story with other words in them: the judge refuses random words. */
function chapterText(random: Random): string {
  let text = "";
  while (text.length < characters) {
    const sentence = SENTENCES[randomInteger(random, SENTENCES.length)]!;
    text += ` ${sentence.replace(/\b[a-z]{3,}\b/g, (word) => (random() < EXCHANGED ? WORDS[randomInteger(random, WORDS.length)]! : word))}`;
  }
  return text.trim();
}

function novelText(number: number): string {
  const random = seededRandom(number % COPY_EVERY === 1 ? number - 1 : number);
  return Array.from({ length: CHAPTERS }, (_, index) => `# Chapter ${index + 1}\n\n${chapterText(random)}\n`).join(
    "\n",
  );
}

async function measure(novels: number): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "fabula-growth-"));
  const corpus = join(root, "corpus");
  const folder = join(root, "bench");
  const signal = new AbortController().signal;
  try {
    mkdirSync(corpus);
    for (let number = 0; number < novels; number++) writeFileSync(join(corpus, `${number}.md`), novelText(number));
    const seconds = stopwatch();
    const files = await corpusFiles([corpus]);
    const prepared = await prepareBench({
      ...{ files, folder, chapters: CHAPTERS, minimumWorks: 1, similarity: 0.9, seed: 1, signal },
    });
    const preparing = seconds();
    const memoryOfPrepare = peak();
    const scorer = pocketScorer(await loadPocketJudge(), (await loadJury()).jurors.grader);
    const [built] = await buildPopulations([scorer], {
      ...{ folder, id: "synthetic", description: "synthetic novels", repeats: 1, check: { texts: 0, repeats: 2 } },
      ...{ anchors: null, concurrency: 1, dryRun: false, signal },
    });
    const building = seconds();
    const place = textPlacer([scorer], built!.population);
    const random = seededRandom(7);
    const texts = Array.from({ length: PLACED }, () => chapterText(random));
    seconds();
    for (const text of texts) await place("text", text, signal);
    const rate = PLACED / seconds();
    return [
      String(novels).padStart(7),
      `${prepared.excluded.length}`.padStart(7),
      preparing.toFixed(1).padStart(10),
      String(memoryOfPrepare).padStart(11),
      building.toFixed(1).padStart(8),
      String(peak()).padStart(9),
      rate.toFixed(0).padStart(14),
    ].join("  ");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Seconds since it was last asked. */
function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const before = last;
    last = performance.now();
    return (last - before) / 1000;
  };
}

function peak(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

if (values.one) console.log(await measure(Number(positionals[0])));
else {
  const sizes = positionals.length === 0 ? ["1000", "4000", "16000"] : positionals;
  console.log(" novels   copies  prepare s  prepare MB  build s  build MB  place texts/s");
  for (const size of sizes) {
    const self = fileURLToPath(import.meta.url);
    process.stdout.write(
      execFileSync(process.execPath, ["--import", "tsx", self, "--one", size, "--characters", values.characters]),
    );
  }
}
