import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { isAtCeiling } from "../../../bench/validity.ts";
import { leaderboard } from "../../../bench/writers/leaderboard.ts";
import { ratesInWords } from "../../../bench/writing.ts";
import { FabulaError } from "../../../core/errors.ts";
import { seededRandom } from "../../../core/random.ts";
import { countOf } from "../../../core/wording.ts";
import { csvBenchmark, markdownBenchmark, terminalBenchmark } from "../../../report/bench/benchmark-table.ts";
import { builtInWords } from "../../../report/bench/built-population.ts";
import { htmlBenchmark } from "../../../report/bench/html-benchmark.ts";
import { withShownNames } from "../../../report/bench/site/site-data.ts";
import { reportWordsIn } from "../../../report/bench/words.ts";
import { leaderboardTable } from "../../../report/tables.ts";
import {
  benchBuildScoresTask,
  benchBuildTask,
  benchLeaderboardTask,
  benchPlaceTask,
  benchPrepareTask,
  benchReportTask,
  benchRunTask,
  benchSynopsisTask,
  levelsByJudge,
  type Written,
} from "../../../tasks/bench/benchmark.ts";
import { writeTable } from "../../../tasks/tables.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showAsked, showFreePlan, showPlan } from "../../output/show-plan.ts";
import { writeReport } from "../../output/write-report.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export const prepareCommand = taskCommand(benchPrepareTask, {
  usage: "Give the novels: `fabula bench prepare corpus/*.epub --out bench/`.",
  examples: [
    "fabula bench prepare corpus/ --out bench/                         (every book in the folder)",
    "fabula bench prepare corpus/*.epub --out bench/",
    "fabula bench prepare corpus/*.txt --out bench/ --minimum-works 2",
  ],
  async present({ novels, excluded, languages, warnings }, { input, flags: { json }, terminal, show }) {
    await show(() =>
      [
        `${countOf(novels, "novel")} with ${countOf(input.chapters, "chapter")} each; ${excluded.length} left out.`,
        ...excluded.slice(0, 20).map(({ file, reason }) => `  ${file}: ${reason}`),
        ...(excluded.length > 20 ? [`  … and ${excluded.length - 20} more in manifest.json`] : []),
      ].join("\n"),
    );
    if (!json) {
      const counts = Object.entries(languages).map(([language, count]) => `${language} ${count}`);
      if (counts.length > 1)
        terminal.note(`Several languages (${counts.join(", ")}): prepare a folder for each before you compare.`);
      if (novels > 0 && !("en" in languages) && !("unknown" in languages))
        terminal.note(
          "The embedded grader reads English only: name a language model when you build, such as `--judge openai:gpt-4o`.",
        );
      for (const { file, warning } of warnings) terminal.note(`${file}: ${warning}`);
    }
    if (novels === 0) throw new FabulaError("E_BENCH_EMPTY", "No novel is left: see the reasons above.");
    return 0;
  },
});

export const synopsisCommand = taskCommand(benchSynopsisTask, {
  usage: "Give the benchmark's folder: `fabula bench synopsis bench/ --model …`.",
  examples: ["fabula bench synopsis bench/ --model openai:gpt-4o-mini --max-cost 5"],
  present: (asked, context) =>
    showAsked(asked, context, ({ chapters, failed, worstLeak }) => ({
      lines: [
        `${chapters - failed.length} of ${chapters} chapters retold; at most ${(worstLeak * 100).toFixed(1)} % of a synopsis is the original's wording.`,
        ...failed.slice(0, 5).map(({ novel, chapter, reason }) => `  ${novel}, chapter ${chapter}: ${reason}`),
      ],
      isWhole: failed.length === 0,
    })),
});

export const buildCommand = taskCommand(benchBuildTask, {
  usage: "Give the benchmark's folder: `fabula bench build bench/`.",
  shares: true,
  examples: [
    "fabula bench build bench/ --description 'English public-domain novels'",
    "fabula bench build bench/ --anchors classics/ --judge openai:gpt-4o --dry-run",
    "fabula bench build --scores human.jsonl --rubric novel-bench-zh --out population.json",
    "fabula bench build bench/ --panel openai:gpt-4o,anthropic:claude-sonnet-4-5 --max-cost 20",
  ],
  others: [
    otherWay(benchBuildScoresTask, {
      when: ({ scores }) => Array.isArray(scores) && scores.length > 0,
      flag: "--scores",
      withOperands: "--scores takes the place of a folder: leave one of them out.",
      async present({ built }, { show }) {
        await show(() => built.flatMap(builtInWords).join("\n"));
        return built.some(({ excluded }) => excluded.length > 0) ? 3 : 0;
      },
    }),
  ],
  async present(asked, context) {
    if (!asked) return 0;
    const code = await showAsked(asked, context, ({ built }) => ({
      lines: built.flatMap(builtInWords),
      isWhole: built.every(({ excluded, unscored }) => excluded.length + unscored === 0),
    }));
    const last = asked.plan || context.flags.json ? undefined : asked.result.built.at(-1);
    for (const warning of last?.population.warnings ?? []) context.terminal.note(`Warning: ${warning}`);
    for (const { novel, reason } of last?.excluded.slice(0, 10) ?? [])
      context.terminal.note(`Excluded ${novel}: ${reason}`);
    return code;
  },
});

const GRADER_CANNOT =
  "The embedded grader speaks for a language-model grader and reads no story: it cannot tell expert prose from a good imitation, and near 100 its scale ends. For a leaderboard, name language models as judges.";

export const runCommand = taskCommand(benchRunTask, {
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

const GRADER_SPEAKS =
  "These are the percentiles of a language-model grader that reads no story: a range each, and none for a text outside what it learnt from. Texts whose ranges overlap cannot be told apart. The grader cannot tell expert prose from a good imitation of it: its scale ends near 100, and a text placed there is not necessarily great.";

export const placeCommand = taskCommand(benchPlaceTask, {
  examples: [
    "fabula bench place chapter.txt                                   (among the English classics that ship)",
    "fabula bench place chapter.txt --population bench/population.grader.json",
    "fabula bench place --in texts.jsonl --population population.json --out placed.jsonl",
  ],
  async present({ result, plan, wouldDo, run }, { flags: { json }, terminal, document }) {
    if (wouldDo !== null) return showFreePlan(wouldDo, { json, terminal });
    if (plan) return showPlan(plan, json, terminal);
    if (json && result.out !== "-") terminal.print(document());
    if (result.byGrader) terminal.note(GRADER_SPEAKS);
    if (run) terminal.note(runInWords(run));
    return result.unscored > 0 ? 3 : 0;
  },
});

export const leaderboardCommand = taskCommand(benchLeaderboardTask, {
  usage: "Give the novels: `fabula bench leaderboard novels/ --writers … --judges … --out site/`.",
  examples: [
    "fabula bench leaderboard novels/ --writers writers.txt --judges openai:gpt-4o --out site/ --dry-run",
    "fabula bench leaderboard novels/ --writers writers.txt --judges openai:gpt-4o,anthropic:claude-sonnet-4-5 --out site/ --max-cost 50",
    "fabula bench leaderboard 小说/ --writers writers.txt --judges deepseek-chat@https://api.deepseek.com/v1 --out site/",
  ],
  async present(asked, context) {
    const { terminal, flags } = context;
    if (!asked.plan && !flags.json) {
      const { site, gaps } = asked.result;
      terminal.note(`The site is in ${site}: open ${site}/index.html.`);
      if (gaps > 0)
        terminal.note(
          `${gaps === 1 ? "1 chapter is" : `${gaps} chapters are`} missing or unscored: run the same command again to fill the gaps.`,
        );
    }
    return showAsked(asked, context, ({ data, gaps }) => ({
      lines: [terminalBenchmark(withShownNames(data).benchmark, { colours: terminal.colours })],
      isWhole: gaps === 0,
    }));
  },
});

export const reportCommand = taskCommand(benchReportTask, {
  usage: "Give the scores to rank: `fabula bench report scores.jsonl`.",
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "write a report: .html, .md or .json, or a table: .csv, .jsonl or .parquet",
    },
  },
  examples: [
    "fabula bench report scores.jsonl --population population.json --out leaderboard.html",
    "fabula bench report published.jsonl.gz --rubric longform --json",
  ],
  async present({ benchmark, names }, { flags: { out, json }, terminal, document, show }) {
    if (out && /\.(?:jsonl|parquet)$/i.test(out)) {
      const { columns, rows } = leaderboardTable(benchmark);
      await writeTable(out, columns, rows);
    } else if (out) {
      await writeReport(out, {
        html: () => htmlBenchmark(benchmark, names),
        md: () => markdownBenchmark(benchmark, names),
        csv: () => csvBenchmark(benchmark),
        json: () => `${document()}\n`,
      });
    }
    await show(() => terminalBenchmark(benchmark, { colours: terminal.colours }));
    if (out && !json) terminal.note(`The report is in ${out}.`);
    return benchmark.board.unplaced.length > 0 ? 3 : 0;
  },
});
