import { countOf } from "../../../core/wording.ts";
import { readerReviewPairsTask, readerReviewTask } from "../../../tasks/readers/reader.ts";
import type { ReaderReviewResult } from "../../../workflows/readers/review.ts";
import type { PairGroup } from "../../../workflows/reviews/review-pairs.ts";
import { reasonsInWords } from "../../output/run-wording.ts";
import { showAsked } from "../../output/show-asked.ts";
import { textTable } from "../../output/table.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export default taskCommand(readerReviewTask, {
  usage: "`fabula reader review` takes one STORY. See `fabula reader review --help`.",
  examples: [
    "fabula reader review outline.json --as ada --judge openai:gpt-4.1",
    "fabula reader review outline.md --as ada --judge ollama:llama3.1 --k 5 --orders 3 --max-cost 1",
    "fabula reader review --in pairs.jsonl --out reviews.jsonl --judge openai:gpt-4.1 --orders 3 --probe",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) => {
      const { verdict, unscored } = result.review.spread;
      return {
        lines: [inWords(result, context.input.scale)],
        isWhole: verdict.kind === "scored" && unscored === 0,
      };
    }),
  others: [
    otherWay(readerReviewPairsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give a story or --in, not both.",
      present: (asked, context) =>
        showAsked(asked, context, ({ groups, unscored, unprobed }) => {
          const reasons = [...reasonsInWords("unscored", unscored), ...reasonsInWords("not probed", unprobed)];
          return {
            lines: context.input.out === "-" ? [] : [groupsInWords(groups), ...reasons],
            isWhole: groups[0]!.scored >= groups[0]!.pairs && reasons.length === 0,
          };
        }),
    }),
  ],
});

function groupsInWords(groups: readonly PairGroup[]): string {
  const figure = (value: number | null) => (value === null ? "–" : value.toFixed(3));
  return textTable(
    ["stories", "pairs", "scored", "with a rating", "Pearson", "Spearman", "Kendall", "mean of the history", "spread"],
    groups.map(({ group, pairs, scored, rated, judge, meanOfHistory, spreadOverOrders }) => [
      group,
      String(pairs),
      String(scored),
      String(rated),
      figure(judge.pearson),
      figure(judge.spearman),
      figure(judge.kendall),
      figure(meanOfHistory.pearson),
      figure(spreadOverOrders),
    ]),
  );
}

function inWords({ review, embedded, recognition }: ReaderReviewResult, scale: string): string {
  const { verdict, standardDeviation, scores } = review.spread;
  const lines: string[] = [];
  const first = review.orders.find((order) => order.review !== null);
  if (first) lines.push(first.review!, "");
  lines.push(
    verdict.kind === "scored" ? `Score: ${verdict.score.toFixed(1)} of ${scale}` : `Unscored: ${verdict.reason}`,
  );
  if (standardDeviation !== null) {
    lines.push(
      `Over ${scores.length} orders of the history: ${scores.join(", ")}; standard deviation ${standardDeviation.toFixed(2)}`,
    );
  }
  if (embedded.kind === "predicted") {
    const [low, high] = embedded.interval;
    lines.push(
      `The embedded predictor, without a model: ${embedded.rating.toFixed(2)} out of 5 (${low.toFixed(1)}–${high.toFixed(1)})`,
    );
  }
  if (recognition) {
    lines.push(
      "unread" in recognition
        ? `Whether the model knows the story could not be learnt: ${recognition.unread}`
        : recognition.recognised
          ? "The model recognises this story: what it knows of its fame may colour the score."
          : "The model does not recognise this story.",
    );
  }
  const { chosen, leftOut } = review.history;
  lines.push(
    `Shown: ${countOf(chosen.length, "earlier review")}${chosen.length > 0 ? ` (${chosen.map(({ title }) => title ?? "untitled").join("; ")})` : ""}`,
  );
  const reasons = new Map<string, number>();
  for (const { reason } of leftOut) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const [reason, count] of reasons) lines.push(`Left out: ${count}, because ${reason}`);
  return lines.join("\n");
}
