import { INSERTIONS } from "../../../judge/stress/damages.ts";
import type { Reaction } from "../../../judge/stress/stress-test.ts";
import { stressTask } from "../../../tasks/trust/stress.ts";
import type { StressReport } from "../../../workflows/trust/stress-books.ts";
import { showAsked } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

export const stressCommand = taskCommand(stressTask, {
  usage: "Give at least one book: `fabula stress novel.epub`.",
  examples: [
    "fabula stress novel.epub",
    "fabula stress library/*.epub --judge editor --json",
    "fabula stress novel.epub --strength 0.3",
    "fabula stress novel.epub --judge openai:gpt-4.1 --dry-run    (what it would cost)",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (report) => ({
      lines: [inWords(report)],
      isWhole: asked.run
        ? report.books.every(({ rows }) =>
            rows.every(({ move, reaction }) => move !== null || reaction === "not tried"),
          )
        : report.books.some(({ rows }) => rows.some(({ reaction }) => !isUnknown(reaction))),
    })),
});

function isUnknown(reaction: Reaction): boolean {
  return reaction === "not tried" || reaction === "cannot be told";
}

function inWords({ judge, books, summary, threshold }: StressReport): string {
  const one = books.length === 1 ? books[0]! : null;
  const several = new Set(summary.map(({ aspect }) => aspect)).size > 1;
  const rows = summary.map(({ damage, name, harmless, aspect, counts, meanMove, interval }) => {
    const row = one?.rows.find((candidate) => candidate.damage === damage && candidate.aspect === aspect);
    const range = interval ? ` [${signed(interval[0])}, ${signed(interval[1])}]` : "";
    return [
      `${name}${harmless ? " (must not matter)" : ""}${several ? `: ${aspect}` : ""}`,
      meanMove === null ? "–" : `${signed(meanMove)}${range}`,
      one ? describe(row?.reaction ?? "not tried", harmless, row?.reason ?? null) : String(counts.right),
      ...(one ? [] : [String(counts.blind), String(counts.wrong), String(counts["cannot be told"])]),
    ];
  });
  const heading = one
    ? ["damage", "move, 95% interval", "reaction"]
    : ["damage", "mean move, 95% interval", "right way", "did not react", "WRONG way", "cannot be told"];
  const blind = summary.filter(
    ({ harmless, counts }) => !harmless && counts.blind > 0 && counts.right + counts.wrong === 0,
  );
  return [
    `Stress test of ${judge} on ${one ? one.title : `${books.length} books`}`,
    "",
    textTable(heading, rows),
    "",
    `Moves are in points of the judge's own scale. ${threshold}`,
    ...insertionsInWords(summary),
    ...(blind.length === 0
      ? []
      : [`It is blind to ${blind.length} of these kinds of damage: its score says nothing about them.`]),
  ].join("\n");
}

/** What passages that speak to the judge are worth to it: the one that moved a score furthest. */
function insertionsInWords(summary: StressReport["summary"]): string[] {
  const moved = summary.flatMap(({ damage, name, aspect, meanMove }) =>
    INSERTIONS.some(({ id }) => id === damage) && meanMove !== null ? [{ name, aspect, move: meanMove }] : [],
  );
  const [furthest] = moved.sort((left, right) => Math.abs(right.move) - Math.abs(left.move));
  if (!furthest) return [];
  const { name, aspect, move } = furthest;
  return [`Of the passages that speak to the judge, ${name} moved a score furthest: ${signed(move)} (${aspect}).`];
}

function describe(reaction: string, harmless: boolean, reason: string | null): string {
  if (reason !== null)
    return reaction === "not tried" || reaction === "cannot be told"
      ? `${reaction}: ${reason}`
      : `${reaction === "right" ? "right way" : "WRONG way"}: unscored, ${reason}`;
  if (reaction === "blind") return "did not react";
  return reaction === "wrong" ? "WRONG way" : harmless ? "right: did not react" : "right way";
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
