import { costFields } from "../../../core/cost.ts";
import { FabulaError } from "../../../core/errors.ts";
import type { Goal } from "../../../judge/pairwise/tournament.ts";
import { COMPARE_RUNS, compareBooks } from "../../../workflows/books/compare-books.ts";
import { compareWithJury } from "../../../workflows/books/jury/compare-with-jury.ts";
import { JURY } from "../../../workflows/books/jury/embedded-judge.ts";
import { defineCommand, type ExitCode, type Invocation } from "../../command.ts";
import { isEmbedded } from "../../flags/embedded-judge.ts";
import type { Flags } from "../../flags/flag.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { comparisonInWords, juryComparisonInWords } from "../../output/comparison-wording.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { planEmbedded } from "../../plan-embedded.ts";
import { runServices } from "../../run-services.ts";

const FLAGS = {
  judge: {
    type: "string",
    value: "NAME",
    default: JURY,
    help: "who compares: jury, crowd, editor, grader, or a language model such as openai:MODEL, ollama:MODEL, MODEL@http://host/v1",
  },
  summariser: {
    type: "string",
    value: "NAME",
    help: "who writes the summaries of long books [the judge]",
  },
  runs: {
    type: "number",
    default: COMPARE_RUNS,
    minimum: 1,
    maximum: 50,
    integer: true,
    value: "N",
    help: "how many times a language model is asked in each order",
  },
  meetings: {
    type: "number",
    minimum: 1,
    integer: true,
    value: "N",
    help: "meetings in a tournament; three per book unless given",
  },
  until: {
    type: "string",
    value: "GOAL",
    help: "stop a tournament when this is reached: topN (the order of the first N) or a number (every strength known to ± that)",
  },
  rubric: { type: "string", value: "NAME|FILE", help: "the aspects a language model compares [long-story]" },
  aspects: { type: "string", value: "A,B", help: "only these aspects" },
  ...MODEL_FLAGS,
} as const satisfies Flags;

type Asked = Invocation<typeof FLAGS>;

export default defineCommand({
  summary:
    "Compare books aspect by aspect, without a key or a network by default; more than two are ranked, by a model in a tournament.",
  operands: "FILE FILE...",
  flags: FLAGS,
  examples: [
    "fabula compare draft-1.docx draft-2.docx",
    "fabula compare draft-1.docx draft-2.docx --judge openai:gpt-4.1 --max-cost 2",
    "fabula compare shortlist/*.epub --judge ollama:llama3.1 --until top3",
  ],
  run(asked) {
    const { judge, json, "dry-run": dryRun } = asked.flags;
    if (dryRun && isEmbedded(judge)) {
      const { operands, terminal, signal } = asked;
      return planEmbedded(operands, undefined, {}, { json, terminal, signal });
    }
    return isEmbedded(judge) ? withJury(asked) : withModel(asked);
  },
});

async function withJury({ operands, flags, terminal, signal }: Asked): Promise<ExitCode> {
  const aspects = aspectsOf(flags.aspects);
  const result = await compareWithJury(operands, {
    judge: flags.judge,
    ...(aspects && { aspects }),
    onProgress: terminal.progress,
    signal,
  });
  terminal.endProgress();
  if (flags.json) terminal.print(jsonDocument("comparison", result));
  else for (const line of juryComparisonInWords(result)) terminal.print(line);
  return result.books.some(({ overall }) => overall.kind === "unscored") ? 3 : 0;
}

async function withModel({ operands, flags, terminal, signal }: Asked): Promise<ExitCode> {
  const aspects = aspectsOf(flags.aspects);
  const { result, plan, run } = await compareBooks(operands, {
    judge: flags.judge,
    runs: flags.runs,
    ...(flags.rubric !== undefined && { rubric: flags.rubric }),
    ...(flags.summariser !== undefined && { summariser: flags.summariser }),
    ...(flags.meetings !== undefined && { meetings: flags.meetings }),
    ...(flags.until !== undefined && { until: goalOf(flags.until) }),
    ...(aspects && { aspects }),
    settings: runSettings(flags),
    services: runServices(terminal, signal),
    onProgress: terminal.progress,
  });
  terminal.endProgress();
  if (plan) return showPlan(plan, flags.json, terminal);
  if (flags.json)
    terminal.print(
      jsonDocument("comparison", { ...result, run: run.id, calls: run.summary.calls, ...costFields(run.summary) }),
    );
  else for (const line of comparisonInWords(result)) terminal.print(line);
  terminal.note(runInWords(run));
  return result.failures.length > 0 ? 3 : 0;
}

function aspectsOf(aspects: string | undefined): string[] | undefined {
  return aspects?.split(",").map((aspect) => aspect.trim());
}

function goalOf(until: string): Goal {
  const top = /^top\s?(\d+)$/i.exec(until);
  if (top && Number(top[1]) > 0) return { kind: "top", count: Number(top[1]) };
  const halfWidth = Number(until);
  if (until.trim() !== "" && halfWidth > 0 && Number.isFinite(halfWidth)) return { kind: "width", halfWidth };
  throw new FabulaError(
    "E_USAGE",
    `--until ${until} is not a goal: give topN, such as top3, or a number of points, such as 0.5.`,
  );
}
