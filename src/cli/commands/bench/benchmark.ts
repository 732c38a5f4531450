import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { terminalBenchmark } from "../../../report/bench/benchmark-table.ts";
import { builtInWords } from "../../../report/bench/built-population.ts";
import { withShownNames } from "../../../report/bench/site/site-data.ts";
import {
  benchBuildScoresTask,
  benchBuildTask,
  benchLeaderboardTask,
  benchPrepareTask,
  benchSynopsisTask,
} from "../../../tasks/bench/benchmark.ts";
import { showAsked } from "../../output/show-plan.ts";
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
