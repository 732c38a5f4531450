import { type ReviewReport, reviewChanges } from "../../../workflows/qa/review.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Apply a person's decisions on proposed changes; compare two reviewers.",
  operands: "",
  flags: {
    review: { type: "string", value: "FILE", help: 'a review file with "accept" or "reject" in each "decision"' },
    second: { type: "string", value: "FILE", help: "the same file filled in by a second person: prints Cohen's κ" },
    in: { type: "string", value: "FILE", help: "the refined books" },
    dropped: {
      type: "string",
      value: "FILE",
      help: "the samples that refinement dropped: those with a decision on every change are restored",
    },
    out: { type: "string", value: "FILE", help: "write the books with every rejected change undone" },
  },
  examples: [
    "fabula qa review --review ana.jsonl --second ben.jsonl",
    "fabula qa review --review ana.jsonl --in refined.jsonl --dropped dropped.jsonl --out final.jsonl",
  ],
  async run({ flags, terminal }) {
    const report = await reviewChanges({
      review: requireFlag("qa review", "review", flags.review),
      ...(flags.second !== undefined && { second: flags.second }),
      ...(flags.in !== undefined && { input: flags.in }),
      ...(flags.dropped !== undefined && { dropped: flags.dropped }),
      ...(flags.out !== undefined && { output: flags.out }),
    });
    if (flags.json) terminal.print(jsonDocument("qa-review", report));
    else if (flags.out !== "-") terminal.print(describe(report));
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
