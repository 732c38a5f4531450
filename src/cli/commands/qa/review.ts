import { qaReviewTask } from "../../../tasks/qa/data.ts";
import type { ReviewReport } from "../../../workflows/qa/review.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(qaReviewTask, {
  examples: [
    "fabula qa review --review ana.jsonl --second ben.jsonl",
    "fabula qa review --review ana.jsonl --in refined.jsonl --dropped dropped.jsonl --out final.jsonl",
  ],
  async present(report, { input, show }) {
    await show(() => (input.out === "-" ? "" : describe(report)));
    return 0;
  },
});

function describe({ first, second, agreement, applied }: ReviewReport): string {
  const reviewer = ({ accepted, rejected, undecided }: typeof first) =>
    `${accepted} accepted, ${rejected} rejected, ${undecided} undecided`;
  const lines = [`First reviewer: ${reviewer(first)}.`];
  if (second) lines.push(`Second reviewer: ${reviewer(second)}.`);
  if (agreement) {
    const { kappa, both } = agreement;
    const value = kappa.value === null ? `undefined (${kappa.reason})` : kappa.value.toFixed(2);
    lines.push(`Cohen's κ over the ${both} changes both decided: ${value}.`);
  }
  if (applied) {
    const { rejected, undecided, restored } = applied;
    lines.push(`${rejected} changes undone; ${undecided} undecided ones kept; ${restored} dropped samples restored.`);
  }
  return lines.join("\n");
}
