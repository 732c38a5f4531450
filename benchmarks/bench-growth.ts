import { pocketScorer } from "../src/bench/scoring/pocket-scorer.ts";
import { seededRandom } from "../src/core/random.ts";
import { loadPocketJudge } from "../src/pocket/pocket-judge.ts";
import { textPlacer } from "../src/workflows/bench-place.ts";
import { populationFromScores } from "../src/workflows/bench-population.ts";
import { scoredChapters, scoreTexts } from "../src/workflows/bench-scoring.ts";

/**
 * How building a population and placing texts grow with the corpus, with the pocket judge on synthetic novels of ten
 * chapters of 3,000 characters. `npx tsx benchmarks/bench-growth.ts 250 1000 4000`
 */
const CHAPTERS = 10;
const CHARACTERS = 3000;
const WORDS =
  "the a of and to in that it was he she had they her his with for as on at but not be said there were from which one all would when what up out if so no an them then could who into some time now over down man woman hand door house night water light road table window looked turned went came thought knew little old long again before after away still only never".split(
    " ",
  );

function chapter(random: () => number): string {
  let text = "";
  let left = 0;
  while (text.length < CHARACTERS) {
    if (left === 0) {
      left = 6 + Math.floor(random() * 16);
      text += text === "" ? "The" : ". The";
    }
    text += ` ${WORDS[Math.floor(random() * random() * WORDS.length)]}`;
    left--;
  }
  return `${text}.`;
}

const sizes = process.argv.slice(2).map(Number);
const scorer = pocketScorer(await loadPocketJudge());
const signal = new AbortController().signal;
console.log("novels  build s  per novel ms  place texts/s  peak MB");
for (const novels of sizes.length > 0 ? sizes : [250, 1000, 4000]) {
  const random = seededRandom(novels);
  const texts = Array.from({ length: novels * CHAPTERS }, (_, index) => ({
    novel: `novel ${Math.floor(index / CHAPTERS)}`,
    writer: "somebody",
    chapter: (index % CHAPTERS) + 1,
    text: chapter(random),
  }));
  const started = performance.now();
  const rows = await scoreTexts(texts, scorer, { repeats: 1, concurrency: 1, signal });
  const { population } = populationFromScores(scoredChapters(rows, scorer), {
    id: "synthetic",
    description: "synthetic novels",
    judge: { id: scorer.id, version: scorer.version },
    rubric: scorer.rubric,
  });
  const built = (performance.now() - started) / 1000;
  const place = textPlacer(scorer, population);
  const sample = texts.slice(0, 2000);
  const placing = performance.now();
  for (const { novel, text } of sample) await place(novel, text, signal);
  const rate = sample.length / ((performance.now() - placing) / 1000);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${String(novels).padStart(6)}  ${built.toFixed(1).padStart(7)}  ${((built * 1000) / novels).toFixed(1).padStart(12)}  ${rate.toFixed(0).padStart(13)}  ${peak}`,
  );
}
