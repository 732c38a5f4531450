/**
 * Does comparing writers head to head find their order with a third of the calls that scoring takes? Simulated writers of known
 * quality, and the same judges for both: what a judge sees of a text is its quality and the same noise.
 *
 *   npx tsx evals/duels.ts [BOARDS=100] [WORDS OF A CASE, such as "3 judges"]
 *
 * Prints, for scoring and for head to head with a third and with all of its calls: the share of true differences that are
 * found, boards with a false difference, and Kendall's τ with the true order.
 */
import { type Decided, duelBoard } from "../src/bench/duels/duel-board.ts";
import { DuelSchedule } from "../src/bench/duels/schedule.ts";
import { buildPopulation } from "../src/bench/population/build-population.ts";
import { compareWriters, toldApart } from "../src/bench/writers/compare-writers.ts";
import { judgeSample } from "../src/bench/writers/judge-sample.ts";
import { placedNovels } from "../src/bench/writers/placed-novels.ts";
import { type Random, seededRandom } from "../src/core/random.ts";
import { kendallTau as kendall } from "../src/stats/correlation.ts";
import { mean, wilsonInterval } from "../src/stats/distribution.ts";
import { normalDraw } from "../src/stats/resampling.ts";
import { panelOfHumans, panelOfWriters, SIMULATED_NOISE } from "../src/testing/simulated-writers.ts";

const boards = Number(process.argv[2] ?? 100);
const wanted = process.argv[3] ?? "";
const CHAPTERS = 5;
const HUMANS = 200;
/** A judge's noise when it reads a text, and how far it favours the text shown first. */
const JUDGE_NOISE = 0.4;
const FIRST = 0.2;

interface Case {
  readonly label: string;
  readonly qualities: readonly number[];
  readonly novels: number;
  readonly judges: number;
  readonly bias: number;
}

const LADDER = Array.from({ length: 8 }, (_, at) => at * 0.35);
const EQUAL = Array.from({ length: 8 }, () => 0);
const TEAMS = Array.from({ length: 8 }, (_, at) => (at % 2) * 0.5);
const CASES: readonly Case[] = [
  { label: "8 equal writers, 1 judge", qualities: EQUAL, novels: 30, judges: 1, bias: 0 },
  { label: "8 equal writers, 3 judges with biases of 0.3", qualities: EQUAL, novels: 30, judges: 3, bias: 0.3 },
  { label: "a ladder of 8, steps of 0.35, 1 judge", qualities: LADDER, novels: 30, judges: 1, bias: 0 },
  {
    label: "a ladder of 8, steps of 0.35, 3 judges with biases of 0.15",
    qualities: LADDER,
    novels: 30,
    judges: 3,
    bias: 0.15,
  },
  { label: "two teams of 4, 0.5 apart, 1 judge", qualities: TEAMS, novels: 60, judges: 1, bias: 0 },
];

interface Found {
  readonly calls: number;
  /** Of the true differences. */
  readonly power: number | null;
  readonly isWrong: boolean;
  readonly order: number | null;
}

function outcome(
  writers: readonly string[],
  qualities: readonly number[],
  calls: number,
  strengths: ReadonlyMap<string, number>,
  differ: (one: string, other: string) => boolean,
): Found {
  let [found, real, isWrong] = [0, 0, false];
  for (const [at, one] of writers.entries()) {
    for (const [offset, other] of writers.slice(at + 1).entries()) {
      const truth = qualities[at]! - qualities[at + 1 + offset]!;
      if (truth === 0) isWrong ||= differ(one, other);
      else {
        real++;
        const said = (strengths.get(one) ?? 0) - (strengths.get(other) ?? 0);
        if (differ(one, other) && said * truth > 0) found++;
        else if (differ(one, other)) isWrong = true;
      }
    }
  }
  const tau = kendall(
    writers.map((writer) => strengths.get(writer) ?? 0),
    [...qualities],
  );
  return { calls, power: real === 0 ? null : found / real, isWrong, order: tau.value };
}

/** Every judge scores every chapter. */
function byScores({ qualities, novels, judges, bias }: Case, random: Random): Found {
  const names = qualities.map((_, at) => `writer ${at}`);
  const panel = { judges, common: bias, bias, noise: JUDGE_NOISE };
  const size = { novels: HUMANS, chapters: CHAPTERS, dimensions: judges };
  const ids = Array.from({ length: judges }, (_, index) => `judge ${index}`);
  const rubric = { id: "simulated", version: 1, hash: "0" };
  const built = buildPopulation(panelOfHumans(size, SIMULATED_NOISE, panel, random), {
    ...{ id: "simulated", description: "simulated novels", judge: { id: "panel", version: "1" }, rubric },
    dimensions: ids,
    weighting: "equal",
  }).population;
  const members = ids.map((id) => ({
    ...{ judge: { id }, rubric, dimensions: ["composite"], means: [0], deviations: [1], weights: [1] },
  }));
  const population = judges > 1 ? { ...built, panel: members } : built;
  const known = Object.fromEntries(names.map((name, at) => [name, qualities[at]!]));
  const placed = placedNovels(panelOfWriters(known, { ...size, novels }, SIMULATED_NOISE, panel, random), population);
  const compared = compareWriters(placed, random, "en", judgeSample(placed, population));
  const strengths = new Map(
    placed.map(({ writer, novels: own }) => [writer, mean(own.map(({ composite }) => composite))]),
  );
  return outcome(names, qualities, names.length * novels * CHAPTERS * judges, strengths, toldApart(compared));
}

/** Meetings as the schedule chooses them, until the calls are spent. */
function byDuels({ qualities, novels, judges, bias }: Case, calls: number, random: Random): Found {
  const names = qualities.map((_, at) => `writer ${at}`);
  const { writer: luck, chapter } = SIMULATED_NOISE;
  const texts = new Map<string, number>();
  const items = Array.from({ length: novels * CHAPTERS }, (_, item) => ({
    novel: `prompt ${Math.floor(item / CHAPTERS)}`,
    chapter: (item % CHAPTERS) + 1,
    writers: new Set(names),
  }));
  for (const [at, name] of names.entries()) {
    for (let novel = 0; novel < novels; novel++) {
      const own = qualities[at]! + luck * normalDraw(random);
      for (let number = 1; number <= CHAPTERS; number++)
        texts.set(`${name}\nprompt ${novel}\n${number}`, own + chapter * normalDraw(random));
    }
  }
  const ids = Array.from({ length: judges }, (_, index) => `judge ${index}`);
  const liking = new Map(ids.flatMap((id) => names.map((name) => [`${id}\n${name}`, bias * normalDraw(random)])));
  const answers: Decided[] = [];
  const schedule = new DuelSchedule({ writers: names, items, judges: ids, mayJudge: () => true }, random);
  for (let asked = 0; asked < calls; ) {
    const round = schedule.next(Math.min(names.length, Math.ceil((calls - asked) / 2)));
    if (round.length === 0) break;
    for (const meeting of round) {
      const worth = (name: string) =>
        texts.get(`${name}\n${meeting.novel}\n${meeting.chapter}`)! + liking.get(`${meeting.judge}\n${name}`)!;
      const gap = worth(meeting.left) - worth(meeting.right);
      for (const leftFirst of [true, false]) {
        const seen = gap + Math.SQRT2 * JUDGE_NOISE * normalDraw(random) + (leftFirst ? FIRST : -FIRST);
        const answer: Decided = { ...meeting, leftFirst, better: seen > 0 ? "left" : "right" };
        answers.push(answer);
        schedule.add(answer);
        asked++;
      }
    }
  }
  const board = duelBoard(answers)!;
  const apart = new Set(
    board.pairs.flatMap(({ first, second, adjusted }) =>
      adjusted !== null && adjusted < board.significance ? [`${first}\n${second}`, `${second}\n${first}`] : [],
    ),
  );
  const strengths = new Map(board.rows.map(({ writer, strength }) => [writer, strength]));
  return outcome(names, qualities, answers.length, strengths, (one, other) => apart.has(`${one}\n${other}`));
}

function inWords(name: string, found: readonly Found[]): string {
  const wrong = found.filter(({ isWrong }) => isWrong).length;
  const [low, high] = wilsonInterval(wrong, found.length, 0.95).map((end) => (100 * end).toFixed(1));
  const power = found.flatMap((one) => one.power ?? []);
  const order = found.flatMap((one) => one.order ?? []);
  return [
    `  ${name.padEnd(28)} ${String(Math.round(mean(found.map(({ calls }) => calls)))).padStart(5)} calls`,
    `false differences ${((100 * wrong) / found.length).toFixed(1)} % (${low}–${high})`,
    ...(power.length > 0 ? [`power ${(100 * mean(power)).toFixed(1)} %`] : []),
    ...(order.length > 0 && power.length > 0 ? [`τ with the true order ${mean(order).toFixed(3)}`] : []),
  ].join(", ");
}

console.log(
  `${boards} boards each; target: the power of scoring with a third of its calls, false differences at most 5 %`,
);
const reached: string[] = [];
for (const one of CASES.filter(({ label }) => label.includes(wanted))) {
  console.log(`\n${one.label}, ${one.novels} novels of ${CHAPTERS} chapters`);
  const scored = Array.from({ length: boards }, (_, board) => byScores(one, seededRandom(board + 1)));
  console.log(inWords("scoring", scored));
  const calls = scored[0]!.calls;
  for (const [name, share] of [
    ["head to head, a third", 1 / 3],
    ["head to head, as many", 1],
  ] as const) {
    const found = Array.from({ length: boards }, (_, board) =>
      byDuels(one, Math.floor((calls * share) / 2) * 2, seededRandom(board + 1)),
    );
    console.log(inWords(name, found));
    const power = (all: readonly Found[]) => mean(all.flatMap((each) => each.power ?? []));
    if (name.endsWith("a third") && scored[0]!.power !== null)
      reached.push(
        `${one.label}: ${power(found) >= power(scored) ? "reached" : "not reached"} (${(100 * power(found)).toFixed(1)} % against ${(100 * power(scored)).toFixed(1)} %)`,
      );
  }
}
if (reached.length > 0)
  console.log(`\nThe power of scoring with a third of its calls:\n${reached.map((line) => `  ${line}`).join("\n")}`);
