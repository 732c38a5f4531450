import { countOf } from "../../../core/wording.ts";
import { benchExtendTask } from "../../../tasks/bench/frozen.ts";
import { showAsked } from "../../output/show-asked.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchExtendTask, {
  usage: "Give a frozen benchmark: `fabula bench extend board-v1 --writer openai:gpt-4o`.",
  examples: [
    "fabula bench extend board-v1 --writer openai:gpt-4o --max-cost 20",
    "fabula bench extend board-v1 --judge anthropic:claude-sonnet-4-5 --originals site.bench --max-cost 50",
  ],
  present: (asked, context) =>
    showAsked(asked, context, ({ folder, version, judges, writers }) => ({
      lines: [
        `${folder}: version ${version}, ${countOf(writers.length, "writer")}, judged by ${judges.join(", ")}.`,
        ...writers.flatMap(({ writer, unwritten, unscored }) =>
          unwritten + unscored === 0 ? [] : [`  ${writer}: ${unwritten} not written, ${unscored} not scored`],
        ),
      ],
      isWhole: writers.every(({ unwritten, unscored }) => unwritten + unscored === 0),
    })),
});
