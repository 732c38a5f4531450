import type { BookComparison } from "../../workflows/compare-books.ts";
import { compareBooks } from "../../workflows/compare-books.ts";
import { defineCommand } from "../command.ts";
import { MODEL_FLAGS, runSettings } from "../model-flags.ts";
import { requireFlag } from "../require-flag.ts";
import { runInWords } from "../run-wording.ts";
import { showPlan } from "../show-plan.ts";

export default defineCommand({
  summary: "Compare books two by two, aspect by aspect and in both orders; more than two meet in a tournament.",
  operands: "FILE FILE...",
  flags: {
    judge: { type: "string", value: "NAME", help: "who compares: openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …" },
    summariser: {
      type: "string",
      value: "NAME",
      help: "who writes the summaries of long books; the judge unless given",
    },
    runs: {
      type: "number",
      default: 3,
      minimum: 1,
      maximum: 50,
      integer: true,
      value: "N",
      help: "how often each order is asked",
    },
    meetings: {
      type: "number",
      minimum: 1,
      integer: true,
      value: "N",
      help: "meetings in a tournament; three per book unless given",
    },
    rubric: { type: "string", default: "long-story", value: "NAME|FILE", help: "the aspects to compare" },
    aspects: { type: "string", value: "A,B", help: "only these aspects" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula compare draft-1.docx draft-2.docx --judge openai:gpt-4.1 --max-cost 2",
    "fabula compare shortlist/*.epub --judge ollama:llama3.1 --meetings 30",
  ],
  async run({ operands, flags, terminal, signal }) {
    const { result, plan, run } = await compareBooks(operands, {
      judge: requireFlag("compare", "judge", flags.judge),
      runs: flags.runs,
      rubric: flags.rubric,
      ...(flags.summariser !== undefined && { summariser: flags.summariser }),
      ...(flags.meetings !== undefined && { meetings: flags.meetings }),
      ...(flags.aspects !== undefined && { aspects: flags.aspects.split(",").map((aspect) => aspect.trim()) }),
      settings: runSettings(flags),
      services: { signal },
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (plan) return showPlan(plan, flags.json, terminal);
    if (flags.json)
      terminal.print(JSON.stringify({ ...result, run: run.id, calls: run.summary.calls, cost: run.summary.cost }));
    else for (const line of comparisonInWords(result)) terminal.print(line);
    terminal.note(runInWords(run));
    return result.failures.length > 0 ? 3 : 0;
  },
});

function* comparisonInWords({ books, aspects, standings, positionBias, failures }: BookComparison): Generator<string> {
  const [left, right] = books;
  if (aspects.length > 0 && left && right) {
    yield `${left.title}  against  ${right.title}`;
    for (const { name, left: won, right: lost, ties, better, reasons } of aspects) {
      const verdict =
        better === null ? "no answer" : better === "tie" ? "neither" : better === "left" ? left.title : right.title;
      yield `  ${name.padEnd(28)} ${verdict} (${won}–${lost}, ${ties} ties)${reasons[0] ? `: ${reasons[0]}` : ""}`;
    }
  } else {
    const titles = new Map(books.map(({ file, title }) => [file, title]));
    for (const [position, { id, strength, interval, comparisons }] of (standings.overall ?? []).entries()) {
      const [low, high] = interval.map((bound) => bound.toFixed(2));
      yield `${String(position + 1).padStart(3)}. ${titles.get(id) ?? id}  ${strength.toFixed(2)} [${low}, ${high}], ${comparisons} comparisons`;
    }
  }
  if (positionBias.bias !== null && positionBias.interval) {
    const [low, high] = positionBias.interval.map((bound) => `${(100 * bound).toFixed(0)} %`);
    yield `The judge chose the book shown first in ${positionBias.first} of ${positionBias.decisions} decisions: position bias ${(100 * positionBias.bias).toFixed(0)} % [${low}, ${high}].`;
  }
  for (const failure of failures) yield `Not answered: ${failure}`;
}
