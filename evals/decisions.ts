import { seededRandom } from "../src/core/random.ts";
import type { BookEvaluation } from "../src/judge/evaluation.ts";
import { type Meeting, tally } from "../src/judge/pairwise.ts";
import { alternativeAnnotator } from "../src/stats/agreement.ts";
import { applyIsotonic, calibrate } from "../src/stats/calibration.ts";
import { spearman } from "../src/stats/correlation.ts";
import { differenceOfMeans, judgeNoise, meanOfRuns, rangeOfMean } from "../src/stats/error-model.ts";
import { drawPositions, percentileBootstrap } from "../src/stats/resampling.ts";
import { checkBaseline, checkLimits } from "../src/tasks/books/quality-gate.ts";
import { judgeDrift } from "../src/tasks/trust/calibration.ts";
import { sampleEvaluation } from "../test/fixtures/sample-evaluation.ts";

/**
 * How often Fabula says "better" or "worse" of equal texts, how often it tells texts that differ, and how often ranges hold
 * the truth, by simulation: `npx tsx evals/decisions.ts [rounds]`. Judges are made up: whole numbers or steps of five, aspects that
 * move together, aspects that are unequally noisy.
 */
const ROUNDS = Number(process.argv[2] ?? 1000);
const ASPECTS = 8;
const RUNS = [1, 3, 5] as const;
const JUDGES = [
  { name: "steady, whole numbers", noise: 1, unequal: 0, together: 0.5, step: 1 },
  { name: "usual, whole numbers", noise: 4, unequal: 0.3, together: 0.5, step: 1 },
  { name: "usual, steps of five", noise: 4, unequal: 0.3, together: 0.7, step: 5 },
  { name: "noisy, aspects unequal", noise: 8, unequal: 0.5, together: 0.5, step: 1 },
  { name: "almost never varies", noise: 0.2, unequal: 0, together: 0.5, step: 1 },
] as const;
type Judge = (typeof JUDGES)[number];

const random = seededRandom(20);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** What a judge would say of a text if asked for ever, and how much one run of each aspect varies. */
function madeText({ noise, unequal }: Judge) {
  return Array.from({ length: ASPECTS + 1 }, (_, at) => ({
    measure: at === 0 ? "overall" : `aspect-${at}`,
    truth: 40 + 30 * random(),
    deviation: noise * Math.exp(unequal * normal()),
  }));
}
type Text = ReturnType<typeof madeText>;

function judged(text: Text, { together, step }: Judge, runs: number, shift = 0) {
  const moods = Array.from({ length: runs }, normal);
  return text.map(({ measure, truth, deviation }) => ({
    measure,
    truth: truth + shift,
    scores: moods.map((mood) => {
      const said = truth + shift + deviation * (together * mood + Math.sqrt(1 - together ** 2) * normal());
      return Math.round(said / step) * step;
    }),
  }));
}
type Judged = ReturnType<typeof judged>;

function evaluationOf(scores: Judged): BookEvaluation {
  const sample = sampleEvaluation();
  const noise = judgeNoise(scores.map(({ measure, scores: own }) => ({ text: "", measure, scores: own })));
  const of = ({ scores: own }: Judged[number]) => {
    const known = meanOfRuns(own, noise);
    const interval = rangeOfMean(known);
    return {
      verdict: { kind: "scored" as const, score: known.value, ...(interval && { interval }) },
      repeats: { scores: own, standardDeviation: null, unscored: 0 },
    };
  };
  const [overall, ...aspects] = scores;
  const { verdict, repeats } = of(overall!);
  return {
    ...sample,
    scale: { minimum: 0, maximum: 100 },
    overall: verdict,
    repeats,
    overallCourse: [],
    aspects: aspects.map((aspect) => ({ ...sample.aspects[0]!, id: aspect.measure, course: [], ...of(aspect) })),
  };
}

const percent = (count: number, of: number) => (of === 0 ? "–" : `${((100 * count) / of).toFixed(1)} %`);

function drafts(judge: Judge, runs: number, shift: number) {
  let [told, wrong, all] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const text = madeText(judge);
    const [before, after] = [judged(text, judge, runs), judged(text, judge, runs, shift)];
    const noise = judgeNoise([
      ...before.map((one) => ({ text: "before", ...one })),
      ...after.map((one) => ({ text: "after", ...one })),
    ]);
    before.forEach(({ scores }, at) => {
      const { outcome } = differenceOfMeans(meanOfRuns(scores, noise), meanOfRuns(after[at]!.scores, noise));
      all++;
      if (outcome === "worse") told++;
      if (outcome !== "cannot be told") wrong++;
    });
  }
  return { wrong: percent(wrong, all), told: percent(told, all) };
}

function gates(judge: Judge, runs: number, shift: number) {
  let [baseline, limit] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const text = madeText(judge);
    const before = evaluationOf(judged(text, judge, runs));
    const after = evaluationOf(judged(text, judge, runs, shift));
    if (checkBaseline(after, [before]).some(({ failure }) => failure !== null)) baseline++;
    // The text is exactly as good as the limit asks, or better by what the shift takes away.
    const limits = [{ measure: "overall", side: "below" as const, value: text[0]!.truth }];
    if (checkLimits(after, limits).some(({ failure }) => failure !== null)) limit++;
  }
  return { baseline: percent(baseline, ROUNDS), limit: percent(limit, ROUNDS) };
}

function coverage(judge: Judge, runs: number) {
  let [held, all] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const scores = judged(madeText(judge), judge, runs);
    const noise = judgeNoise(scores.map((one) => ({ text: "", ...one })));
    for (const { truth, scores: own } of scores) {
      const range = rangeOfMean(meanOfRuns(own, noise));
      if (!range) continue;
      all++;
      if (range[0] <= truth && truth <= range[1]) held++;
    }
  }
  return percent(held, all);
}

/** A judge that prefers the left book this often, and the book shown first by so much more. */
function compared(preference: number, first: number, runs: number) {
  let [named, right] = [0, 0];
  for (let round = 0; round < 4 * ROUNDS; round++) {
    const meetings = Array.from({ length: 2 * runs }, (_, at): Meeting => {
      const leftFirst = at % 2 === 0;
      const outcome = random() < preference + (leftFirst ? first : -first) ? "left" : "right";
      return {
        left: "a",
        right: "b",
        leftFirst,
        run: Math.floor(at / 2),
        choices: { overall: { outcome, reason: "" } },
      };
    });
    const { better } = tally(meetings, "overall");
    if (better === "left" || better === "right") named++;
    if (better === "left") right++;
  }
  return { named: percent(named, 4 * ROUNDS), right: percent(right, 4 * ROUNDS) };
}

console.log(
  `${ROUNDS} rounds. Equal texts: every “better” or “worse” is wrong. Power: texts that are 10 points worse.`,
);
console.log(
  "| judge | runs | range holds the truth | drafts: wrong | drafts: told | baseline: wrong | baseline: told | limit: wrong | limit: told |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const judge of JUDGES) {
  for (const runs of RUNS) {
    const [equal, worse] = [drafts(judge, runs, 0), drafts(judge, runs, -10)];
    const [same, ruined] = [gates(judge, runs, 0), gates(judge, runs, -10)];
    const cells = [
      coverage(judge, runs),
      equal.wrong,
      worse.told,
      same.baseline,
      ruined.baseline,
      same.limit,
      ruined.limit,
    ];
    console.log(`| ${judge.name} | ${runs} | ${cells.join(" | ")} |`);
  }
}
console.log("\n| compare: judge | runs | equal books: a winner is named | left preferred 9 times in 10: told |");
console.log("| --- | --- | --- | --- |");
for (const [name, first] of [
  ["no position bias", 0],
  ["prefers the first by 20 %", 0.2],
] as const) {
  for (const runs of RUNS) {
    const share = Math.min(0.9, 1 - first);
    console.log(`| ${name} | ${runs} | ${compared(0.5, first, runs).named} | ${compared(share, first, runs).right} |`);
  }
}

/**
 * A judge calibrated on some texts that three people rated from 1 to 5: how often the interval holds what three people say of a
 * new text. The judge is bent, coarse and of any quality; noise grows with the score.
 */
function calibrated(texts: number, quality: number) {
  const made = () => {
    const worth = normal();
    const said = 60 + 15 * Math.tanh(quality * worth + (1 - quality) * normal()) + (3 + worth) * normal();
    const rating = () => Math.min(5, Math.max(1, Math.round(3 + worth + 0.8 * normal())));
    return { score: Math.round(said), people: (rating() + rating() + rating()) / 3 };
  };
  let [held, width, rounds] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const known = Array.from({ length: texts }, made);
    const { model, halfWidth } = calibrate(
      known.map(({ score }) => score),
      known.map(({ people }) => people),
      0.95,
      random,
    );
    if (halfWidth.value === null) continue;
    for (let fresh = 0; fresh < 10; fresh++) {
      const { score, people } = made();
      rounds++;
      width += halfWidth.value;
      if (Math.abs(people - applyIsotonic(model, score)) <= halfWidth.value) held++;
    }
  }
  return { held: percent(held, rounds), width: rounds === 0 ? "–" : (width / rounds).toFixed(2) };
}

/** Pinned texts judged again, by the same judge or by one that has moved: how often drift is told. */
function drifted(texts: number, runs: number, shift: number) {
  const judge = JUDGES[1];
  let told = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const pinned = Array.from({ length: texts }, () => {
      const text = madeText(judge);
      const [then, now] = [judged(text, judge, runs), judged(text, judge, runs, shift)];
      const { scores } = then[0]!;
      const people = { verdict: { kind: "scored" as const, score: 3 }, texts, raters: 3, level: 0.95, isBeyond: false };
      return { ...evaluationOf(now), people: { ...people, pinned: { scores, people: 3 } } };
    });
    if (judgeDrift(pinned)?.difference.outcome !== "cannot be told") told++;
  }
  return percent(told, ROUNDS);
}

console.log("\n| calibration: texts | judge | interval (95 %) holds what people say | its half width on 1 to 5 |");
console.log("| --- | --- | --- | --- |");
for (const texts of [20, 40, 100, 300]) {
  for (const [name, quality] of [
    ["close", 0.9],
    ["loose", 0.4],
  ] as const) {
    const { held, width } = calibrated(texts, quality);
    console.log(`| ${texts} | ${name} | ${held} | ${width} |`);
  }
}
console.log("\n| drift: pinned texts | runs | same judge: alarm | 5 points lower: alarm |");
console.log("| --- | --- | --- | --- |");
for (const texts of [3, 5, 10]) {
  for (const runs of RUNS) {
    console.log(`| ${texts} | ${runs} | ${drifted(texts, runs, 0)} | ${drifted(texts, runs, -5)} |`);
  }
}

/** Three people rate from 1 to 5 with a noise of 0.6; a judge does with its own. */
function rated(texts: number, noise: number) {
  const rating = (worth: number, off: number) => Math.min(5, Math.max(1, Math.round(3 + worth + off * normal())));
  const worths = Array.from({ length: texts }, normal);
  return {
    raters: [0, 1, 2].map(() => worths.map((worth) => rating(worth, 0.6))),
    judge: worths.map((worth) => rating(worth, noise)),
  };
}

/** How often the alternative-annotator test says that a judge may stand in for a person, and that it may not. */
function standsIn(texts: number, noise: number) {
  let [yes, no] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const { raters, judge } = rated(texts, noise);
    const outcome = alternativeAnnotator(judge, raters, 0.1)?.outcome;
    if (outcome === "passes") yes++;
    if (outcome === "fails") no++;
  }
  return `${percent(yes, ROUNDS)} / ${percent(no, ROUNDS)}`;
}

const MANY_TEXTS = 100_000;
const DRAWN = 200;

/** How often the interval of a judge's rank correlation with the mean of three people holds what many texts give. */
function correlationHeld(texts: number, noise: number) {
  const study = ({ raters, judge }: ReturnType<typeof rated>) => {
    const people = judge.map((_, at) => raters.reduce((sum, own) => sum + own[at]!, 0));
    return (rows: ArrayLike<number>) =>
      spearman(
        Array.from(rows, (row) => people[row]!),
        Array.from(rows, (row) => judge[row]!),
      );
  };
  const all = (count: number) => Array.from({ length: count }, (_, at) => at);
  const truth = study(rated(MANY_TEXTS, noise))(all(MANY_TEXTS)).value!;
  let [held, known] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const { interval } = percentileBootstrap({
      draw: drawPositions(texts),
      statistic: study(rated(texts, noise)),
      random,
      resamples: DRAWN,
    });
    if (!interval) continue;
    known++;
    if (interval[0] <= truth && truth <= interval[1]) held++;
  }
  return percent(held, known);
}

console.log("\n| trust: texts | stands in for a person, yes / no: as good as people | half as good | reads nothing |");
console.log("| --- | --- | --- | --- |");
for (const texts of [30, 60, 120, 250]) {
  const cells = [0.6, 1.2, 9].map((noise) => standsIn(texts, noise));
  console.log(`| ${texts} | ${cells.join(" | ")} |`);
}
console.log("\n| trust: texts | interval of ρ holds the truth: as good as people | half as good | reads nothing |");
console.log("| --- | --- | --- | --- |");
for (const texts of [15, 30, 60]) {
  const cells = [0.6, 1.2, 9].map((noise) => correlationHeld(texts, noise));
  console.log(`| ${texts} | ${cells.join(" | ")} |`);
}
