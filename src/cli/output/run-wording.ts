import { COVERED, costInWords, dollars, FREE } from "../../core/cost.ts";
import { countOf } from "../../core/wording.ts";
import { runsHere } from "../../models/prices.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import type { RunSummary } from "../../runner/run-record.ts";

/** What a dry run found, in words. */
export function planInWords(plan: Plan): string {
  const { calls, cached, inputTokens, outputTokens, obstacles } = plan;
  if (calls === 0 && obstacles.length > 0) return `Nothing was sent. ${obstacles.join("\n")}`;
  const plannedCalls =
    `Nothing was sent. The run would make ${countOf(calls, "call")}, ${cached} of them already answered: ` +
    `${inputTokens.toLocaleString("en-GB")} tokens in, about ${outputTokens.toLocaleString("en-GB")} out, ${plannedCostInWords(plan)}.${cacheInWords(plan)}`;
  return [plannedCalls, ...nextDraftInWords(plan), ...obstacles].join("\n");
}

function nextDraftInWords({ nextDraft, coveredCalls = 0 }: Plan): string[] {
  if (!nextDraft) return [];
  const { changed, calls, inputTokens, expectedCost, expectedCostCached } = nextDraft;
  const cached =
    expectedCost !== null && expectedCostCached !== null && expectedCost - expectedCostCached >= 0.005
      ? ` (${dollars(expectedCostCached)} with cached prefixes)`
      : "";
  const known = expectedCost === 0 ? FREE : `about ${dollars(expectedCost ?? 0)}${cached}`;
  const cost = expectedCost !== null ? known : coveredCalls > 0 ? COVERED : "cost unknown";
  return [
    `If ${changed.length === 1 ? `chapter ${changed[0]} changes` : `chapters ${changed.join(" and ")} change`}, the next draft would take ${countOf(calls, "call")} and ${inputTokens.toLocaleString("en-GB")} tokens in, ${cost}: give it with --against.`,
  ];
}

function plannedCostInWords(plan: Plan): string {
  const { coveredCalls = 0, calls } = plan;
  if (coveredCalls === 0) return billedCostInWords(plan);
  return coveredCalls === calls ? COVERED : `${billedCostInWords(plan)}; ${coveredCalls} are ${COVERED}`;
}

function billedCostInWords({ batched, calls, cached, expectedCost, longestCost, maximumCost }: Plan): string {
  if (expectedCost === null || longestCost === null || maximumCost === null) {
    return "cost unknown: no price is known for this model";
  }
  if (maximumCost === 0 && cached < calls) return FREE;
  const [expected, longest, most] = [expectedCost, longestCost, maximumCost].map(dollars);
  const price = batched ? " at the price of batches" : "";
  return `about ${expected}, ${longest} if every reply has its maximum length, and at most ${most} if every call also needs every retry${price}`;
}

function cacheInWords({ cacheableInputTokens, inputTokens, expectedCost, expectedCostCached }: Plan): string {
  if (expectedCostCached === null || expectedCost === null || expectedCost - expectedCostCached < 0.005) return "";
  const share = Math.round((100 * cacheableInputTokens) / inputTokens);
  return ` Where the provider caches prefixes, ${share} % of the input comes from its cache: about ${dollars(expectedCostCached)}.`;
}

/** What a run has cost; null if it called no judge. */
export function runCostInWords(summary: RunSummary): string | null {
  return summary.calls === 0 ? null : costInWords(summary, Object.keys(summary.byModel).every(runsHere));
}

/** What a run did and cost, in one line, and how to resume it if it was stopped. */
export function runInWords({ id, status, note, summary }: FinishedRun): string {
  const { calls, cached, failed } = summary;
  const cost = runCostInWords(summary);
  const done = `${countOf(calls, "call")} (${cached} from the store, ${failed} failed)${cost === null ? "" : `, ${cost}`}`;
  return status === "done"
    ? `Run ${id}: ${done}${note ? `; ${note}` : ""}.`
    : `Run ${id} ${status}${note ? ` (${note})` : ""}: ${done}. Resume it with \`fabula runs resume ${id}\`.`;
}

/** What is missing, by reason: `  3 unanswered: the model refused`. */
export function reasonsInWords(what: string, reasons: Readonly<Record<string, number>>): string[] {
  return Object.entries(reasons).map(([reason, count]) => `  ${count} ${what}: ${reason}`);
}
