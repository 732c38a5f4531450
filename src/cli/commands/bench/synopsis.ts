import { benchSynopsisTask } from "../../../tasks/bench/benchmark.ts";
import { showAsked } from "../../output/show-asked.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchSynopsisTask, {
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
