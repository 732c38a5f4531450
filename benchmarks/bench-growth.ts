/**
 * How the novelist benchmark grows with its corpus: `fabula bench prepare` and `fabula bench build` with the embedded grader on
 * synthetic novels of ten chapters of 3,000 characters, as they ship, each a process of its own.
 *
 *   npm run build && npx tsx benchmarks/bench-growth.ts [1000 4000 16000]      100000 is the test of growth; it writes 3 GB twice
 *   npx tsx benchmarks/bench-growth.ts 100000 --characters 1000    short chapters: memory grows with novels, not with text
 *   npx tsx benchmarks/bench-growth.ts 100000 --steps prepare      one step alone
 *
 * Every hundredth novel repeats the one before it, and prepare must find it. Beside the seconds that passed stand those of
 * processor time, which waiting for a busy machine does not lengthen: the command's own, without the processes that parse files for it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { assetPath } from "../src/core/assets.ts";
import { type Random, randomInteger, seededRandom } from "../src/core/random.ts";

const CHAPTERS = 10;
const COPY_EVERY = 100;
const STORY = readFileSync(assetPath("examples", "the-inspector-of-weights.md"), "utf8").split("---\n").at(-1)!;
const SENTENCES = (STORY.replace(/^#.*$/gm, "").match(/[^.!?]+[.!?]+["”]?/g) ?? []).map((sentence) =>
  sentence.trim().replace(/\s+/g, " "),
);
const WORDS = [...new Set(STORY.toLowerCase().match(/[a-z]{4,}/g))];
/** Of the longer words: enough that no two chapters are alike, and few enough that the judge still reads them as prose. */
const EXCHANGED = 0.85;
const MAIN = join(import.meta.dirname, "..", "dist", "cli", "main.js");
const REPORT_USAGE = join(import.meta.dirname, "support", "report-usage.cjs");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { characters: { type: "string", default: "3000" }, steps: { type: "string", default: "prepare,build" } },
});
const characters = Number(values.characters);
const steps = values.steps.split(",");

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

interface Step {
  readonly passed: number;
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
  readonly document: string;
}

function fabula(...words: readonly string[]): Step {
  const began = performance.now();
  const { status, output } = spawnSync(process.execPath, ["--require", REPORT_USAGE, MAIN, ...words, "--json"], {
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(output[2] ?? "");
  return { passed: (performance.now() - began) / 1000, ...JSON.parse(output[3]!), document: output[1]! };
}

function measure(novels: number): string {
  const root = mkdtempSync(join(tmpdir(), "fabula-growth-"));
  const [corpus, folder] = [join(root, "corpus"), join(root, "bench")];
  try {
    mkdirSync(corpus);
    for (let number = 0; number < novels; number++) writeFileSync(join(corpus, `${number}.md`), novelText(number));
    const prepared = fabula("bench", "prepare", corpus, "--out", folder);
    const built = steps.includes("build") ? fabula("bench", "build", folder, "--judge", "grader") : null;
    const copies = String(JSON.parse(prepared.document).excluded.length);
    return [String(novels).padStart(7), copies.padStart(7), columns(prepared), built && columns(built)].join("  ");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function columns({ passed, processorSeconds, peakMegabytes }: Step): string {
  return [passed.toFixed(1), processorSeconds.toFixed(1), peakMegabytes.toFixed(0)]
    .map((cell) => cell.padStart(9))
    .join("  ");
}

console.log(" novels   copies  prepare s  processor         MB    build s  processor         MB");
for (const size of positionals.length === 0 ? ["1000", "4000", "16000"] : positionals)
  console.log(measure(Number(size)));
