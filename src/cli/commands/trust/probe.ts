import { probeTask } from "../../../tasks/trust/probe.ts";
import type { ContaminationReport } from "../../../workflows/trust/probe-contamination.ts";
import { showAsked } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const probeCommand = taskCommand(probeTask, {
  usage: "Name one book: `fabula probe novel.epub --judge …`.",
  examples: ["fabula probe novel.epub --judge openai:gpt-4.1 --max-cost 2"],
  present: (asked, context) =>
    showAsked(asked, context, (result) => ({
      lines: reportInWords(result),
      isWhole: result.variants.every(({ overall }) => overall.kind === "scored"),
    })),
});

function* reportInWords({ title, judge, names, variants, gaps }: ContaminationReport): Generator<string> {
  yield `${title}, probed with ${judge}; ${names} names were replaced.`;
  for (const { variant, recognition, overall } of variants) {
    const known =
      recognition === null
        ? "no answer"
        : recognition.recognised
          ? `recognised as “${recognition.title}”`
          : recognition.title === null
            ? "not recognised"
            : `taken for “${recognition.title}”`;
    yield `  ${variant.padEnd(11)} ${overall.kind === "scored" ? overall.score.toFixed(1) : `unscored: ${overall.reason}`}, ${known}`;
  }
  for (const { against, points, interval, beyondNoise } of gaps) {
    const range = interval ? ` [${interval[0].toFixed(1)}, ${interval[1].toFixed(1)}]` : "";
    const meaning = beyondNoise ? "more than the judge's own noise" : "within the judge's own noise";
    yield `  original minus ${against}: ${points.toFixed(1)} points${range}, ${meaning}`;
  }
}
