import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording/count-of.ts";
import { METHOD_NAMES } from "../../../judge/methods/method.ts";
import { INSERTIONS } from "../../../judge/stress/insertions.ts";
import type { Reaction } from "../../../judge/stress/stress-test.ts";
import { isJurorName, jurorNamed } from "../../../jury/juror-name.ts";
import { type StressReport, stressBooks } from "../../../workflows/trust/stress-books.ts";
import { STRESS_DEFAULTS, stressWithModels } from "../../../workflows/trust/stress-with-models.ts";
import { defineCommand } from "../../command.ts";
import { METHOD_FLAG } from "../../flags/judge-flags.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { textTable } from "../../output/table.ts";
import { showFreePlan } from "../../plan-embedded.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "Does a judge react to damage it should notice?",
  operands: "FILE...",
  flags: {
    judge: {
      type: "string",
      value: "JUDGE",
      help: "the judge to test: crowd, editor, grader, openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …",
      default: "crowd",
    },
    strength: {
      type: "number",
      value: "PART",
      help: "how much of the book is damaged, from 0 to 1",
      default: STRESS_DEFAULTS.strength,
      minimum: 0.05,
      maximum: 1,
    },
    method: METHOD_FLAG,
    runs: {
      type: "number",
      value: "N",
      help: "how many times a language model judges each version",
      default: STRESS_DEFAULTS.runs,
      minimum: 1,
      maximum: 50,
      integer: true,
    },
    seed: {
      type: "number",
      value: "N",
      help: "the same seed damages the same places",
      default: STRESS_DEFAULTS.seed,
      integer: true,
    },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula stress novel.epub",
    "fabula stress library/*.epub --judge editor --json",
    "fabula stress novel.epub --strength 0.3",
    "fabula stress novel.epub --judge openai:gpt-4.1 --dry-run    (what it would cost)",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0) throw new FabulaError("E_USAGE", "Give at least one book: `fabula stress novel.epub`.");
    const common = { files: operands, seed: flags.seed, strength: flags.strength };
    if (!isJurorName(flags.judge)) {
      const outcome = await stressWithModels({
        ...common,
        judge: flags.judge,
        method: METHOD_NAMES.find((name) => name === flags.method) ?? STRESS_DEFAULTS.method,
        runs: flags.runs,
        settings: runSettings(flags),
        services: runServices(terminal, signal),
        onProgress: terminal.progress,
      });
      return showOutcome(outcome, flags.json, terminal, (report) => ({
        kind: "stress",
        document: report,
        lines: [inWords(report)],
        isWhole: report.books.every(({ rows }) =>
          rows.every(({ move, reaction }) => move !== null || reaction === "not tried"),
        ),
      }));
    }
    if (flags["dry-run"]) {
      return showFreePlan(`judge ${countOf(operands.length, "book")} and every damaged copy`, {
        json: flags.json,
        terminal,
      });
    }
    const report = await stressBooks({
      ...common,
      judge: jurorNamed(flags.judge),
      signal,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    terminal.print(flags.json ? jsonDocument("stress", report) : inWords(report));
    const isUnknown = (reaction: Reaction) => reaction === "not tried" || reaction === "cannot be told";
    return report.books.every(({ rows }) => rows.every(({ reaction }) => isUnknown(reaction))) ? 3 : 0;
  },
});

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
