import { terminalBenchmark } from "../../../report/bench/terminal-benchmark.ts";
import { benchLeaderboardTask } from "../../../tasks/bench/benchmark.ts";
import { showAsked } from "../../output/show-asked.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchLeaderboardTask, {
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
      lines: [terminalBenchmark(data.benchmark, { colours: terminal.colours })],
      isWhole: gaps === 0,
    }));
  },
});
