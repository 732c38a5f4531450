import { builtInWords } from "../../../report/bench/built-population.ts";
import { benchBuildScoresTask, benchBuildTask } from "../../../tasks/bench/benchmark.ts";
import { showAsked } from "../../output/show-asked.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export default taskCommand(benchBuildTask, {
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
