import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { reviewsStructureTask } from "../../../tasks/reviews/reviews.ts";
import type { StructureReport } from "../../../workflows/reviews/structure-reviews.ts";
import { showAsked } from "../../output/show-asked.ts";
import { taskCommand } from "../../task-command.ts";

const UNMAPPED_SHOWN = 20;

export default taskCommand(reviewsStructureTask, {
  shares: true,
  examples: [
    "fabula reviews structure --in raw.jsonl --out reviews.jsonl --model llama3@http://localhost:8080/v1 --second-model openai:gpt-4o",
    "fabula reviews structure --in raw.jsonl --out reviews.jsonl --model openai:gpt-4o-mini --dry-run",
  ],
  present: async (asked, context) =>
    asked === null
      ? 0
      : showAsked(asked, context, (result) => ({
          lines: context.input.out === "-" ? [] : inWords(result, String(context.input.model)),
          isWhole: result.unscored === 0,
        })),
});

function* inWords(report: StructureReport, model: string): Generator<string> {
  const { reviews, byFirst, bySecond, dropped, unscored, unmapped } = report;
  yield `${countOf(reviews, "review")}: ${byFirst} structured by ${model}, ${bySecond} by the second model, ${dropped} dropped, ${unscored} unscored.`;
  if (unmapped.length === 0) return;
  yield "Aspects that belong to none we know, with how often they are named:";
  for (const { name, count } of unmapped.slice(0, UNMAPPED_SHOWN)) yield `  ${count}  ${plainLine(name)}`;
}
