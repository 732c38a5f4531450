import { countOf } from "../../../core/wording/count-of.ts";
import { readStoryFile } from "../../../workflows/books/reading/read-story.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import type { ReaderReviewResult } from "../../../workflows/readers/review.ts";
import { reviewForReader } from "../../../workflows/readers/review.ts";
import { type PairGroup, reviewPairs } from "../../../workflows/reviews/review-pairs.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { historyFlag, RATINGS_SCALE_FLAG, READER_FLAGS } from "../../flags/reader-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { reasonsInWords } from "../../output/run-wording.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { textTable } from "../../output/table.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "Have a model write the review that one reader would write of a story, and give that reader's score.",
  operands: "[STORY]",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: 'many readers and stories at once, lines as for `reader predict`, with "rating" where the true one is known: prints the agreement',
    },
    out: { type: "string", value: "FILE", help: "with --in: one review per line" },
    judge: {
      type: "string",
      value: "MODEL",
      help: "the model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, …",
    },
    k: historyFlag(3),
    scale: { type: "string", default: "10", choices: ["5", "10"], value: "N", help: "score from 1 to this" },
    "ratings-scale": RATINGS_SCALE_FLAG,
    orders: {
      type: "number",
      default: 1,
      integer: true,
      minimum: 1,
      maximum: 50,
      value: "N",
      help: "ask this many times, with the earlier reviews in a different order each time, and show the spread",
    },
    probe: {
      type: "boolean",
      help: "also ask whether the model knows the story already; with --in, the agreement is split by it",
    },
    anonymise: {
      type: "boolean",
      help: "change names and retell plots before asking (two more calls per story), so that fame cannot help",
    },
    ...READER_FLAGS,
    profiles: PROFILES_FLAG,
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reader review outline.json --as ada --judge openai:gpt-4.1",
    "fabula reader review outline.md --as ada --judge ollama:llama3.1 --k 5 --orders 3 --max-cost 1",
    "fabula reader review --in pairs.jsonl --out reviews.jsonl --judge openai:gpt-4.1 --orders 3 --probe",
  ],
  async run({ operands, flags, terminal, signal }) {
    const asked = {
      judge: requireFlag("reader review", "judge", flags.judge),
      count: flags.k,
      withWords: !flags["stars-only"],
      scale: flags.scale === "5" ? (5 as const) : (10 as const),
      orders: flags.orders,
      probe: flags.probe,
      anonymise: flags.anonymise,
      temperature: flags.temperature,
      settings: runSettings(flags),
      services: runServices(terminal, signal),
    };
    if (flags.in !== undefined) {
      const outcome = await reviewPairs({
        ...asked,
        input: flags.in,
        output: requireFlag("reader review", "out", flags.out),
        ...(flags["ratings-scale"] !== undefined && { ratingsScale: flags["ratings-scale"] }),
        onProgress: terminal.progress,
      });
      return showOutcome(outcome, flags.json, terminal, (reviewed) => {
        const { groups, unscored, unprobed } = reviewed;
        const reasons = [...reasonsInWords("unscored", unscored), ...reasonsInWords("not probed", unprobed)];
        return {
          kind: "reader-groups",
          document: reviewed,
          lines: flags.out === "-" ? [] : [groupsInWords(groups), ...reasons],
          isWhole: groups[0]!.scored >= groups[0]!.pairs && reasons.length === 0,
        };
      });
    }
    const profile = await openProfile(requireFlag("reader review", "as", flags.as), profileFolder(flags.profiles));
    const outcome = await reviewForReader({
      story: await readStoryFile(requireOperand("reader review", "STORY", operands)),
      profile,
      ...asked,
    });
    return showOutcome(outcome, flags.json, terminal, (result) => {
      const { verdict, unscored } = result.review.spread;
      return {
        kind: "reader-review",
        document: { reader: profile.name, verdict, ...result },
        lines: [inWords(result, flags.scale)],
        isWhole: verdict.kind === "scored" && unscored === 0,
      };
    });
  },
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
