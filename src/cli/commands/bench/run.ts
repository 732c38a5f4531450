import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { isAtCeiling } from "../../../bench/validity.ts";
import { leaderboard } from "../../../bench/writers/leaderboard.ts";
import { ratesInWords } from "../../../bench/writing.ts";
import { seededRandom } from "../../../core/random.ts";
import { reportWordsIn } from "../../../report/bench/words.ts";
import { benchRunTask, levelsByJudge, type Written } from "../../../tasks/bench/benchmark.ts";
import { showAsked } from "../../output/show-asked.ts";
import { taskCommand } from "../../task-command.ts";

const GRADER_CANNOT =
  "The embedded grader speaks for a language-model grader and reads no story: it cannot tell expert prose from a good imitation, and near 100 its scale ends. For a leaderboard, name language models as judges.";

export default taskCommand(benchRunTask, {
  usage: "Give the benchmark's folder: `fabula bench run bench/ --writer …`.",
  shares: true,
  examples: [
    "fabula bench run bench/ --writer openai:gpt-4o --max-cost 10",
    "fabula bench run bench/ --writer ollama:llama3 --dry-run",
    "fabula bench run bench/ --writer openai:gpt-4o,anthropic:claude-sonnet-4-5 --max-cost 20",
    "fabula bench run bench/ --writer openai:gpt-4o --panel anthropic:claude-sonnet-4-5,google:gemini-2.5-pro",
  ],
  async present(asked, context) {
    if (!asked) return 0;
    const { input, flags, terminal } = context;
    if (!asked.plan && !flags.json) {
      const files = asked.result.writers.flatMap(({ scores }) => scores);
      terminal.note(`Scores are in ${files.join(", ")}: rank writers with \`fabula bench report\`.`);
    }
    if (!asked.plan && asked.result.byGrader) terminal.note(GRADER_CANNOT);
    return showAsked(asked, context, ({ writers, population, byGrader }) => ({
      lines: [
        ...writers.flatMap((written) => [...inWords(written, byGrader, population.language)]),
        ...(writers.length > 1 ? tiesInWords(writers, population, input.seed) : []),
      ],
      isWhole: writers.every(({ level, unwritten, unscored }) => level && unwritten + unscored === 0),
    }));
  },
});

/** Which of the writers can be told apart, over the novels they share. */
function* tiesInWords(written: readonly Written[], population: ReferencePopulation, seed: number): Generator<string> {
  const chapters = written.flatMap((one) => one.chapters);
  const { comparisons } = leaderboard(chapters, population, seededRandom(seed));
  const words = reportWordsIn(population.language).run;
  for (const { first, second, adjusted, difference } of comparisons.pairs) {
    const apart = adjusted !== null && adjusted < comparisons.significance;
    const [better, worse] = difference >= 0 ? [first, second] : [second, first];
    yield apart
      ? words.above(better, worse, Math.abs(difference).toFixed(2), adjusted.toFixed(4))
      : words.tied(first, second);
  }
  yield comparisons.method;
}

function* inWords(result: Written, isEmbeddedAlone: boolean, language: string | undefined): Generator<string> {
  const { name, level, unscored, rates } = result;
  const words = reportWordsIn(language).run;
  const range = (interval: readonly number[]) => interval.map((end) => end.toFixed(1)).join("–");
  const speaking = isEmbeddedAlone ? `${words.byGrader}${name}` : name;
  yield level
    ? words.level(speaking, level.level.toFixed(1), range(level.interval), level.novels)
    : words.unplaced(name);
  if (level && isAtCeiling(level)) yield `  ${words.ceiling(level.composite.toFixed(2))}`;
  for (const { judge, level: own, interval } of levelsByJudge(result))
    yield `  ${judge}: ${own.toFixed(1)} (${range(interval)})`;
  const kept = ratesInWords(name, rates, language);
  if (kept) yield kept;
  if (unscored > 0) yield words.unscored(unscored);
}
