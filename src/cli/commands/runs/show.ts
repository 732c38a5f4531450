import { costInWords, dollars } from "../../../core/cost.ts";
import { countOf } from "../../../core/wording.ts";
import { adviceOn, commandsFor } from "../../../workflows/queue/advice.ts";
import type { SharedProgress } from "../../../workflows/queue/progress.ts";
import { type ShownRun, showRun } from "../../../workflows/runs/past-runs.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { onlyOperand } from "../../output/wording.ts";
import { storeLocation } from "../../store-location.ts";

const EVENTS_SHOWN = 20;

export default defineCommand({
  summary: "Show one run: its calls and cost by purpose, its failures, and how to continue.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs show 20260115-093012-k3fw"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs show RUN");
    const details = await showRun(storeLocation(flags.store, process.env), id);
    terminal.print(flags.json ? jsonDocument("run", details) : describe(details));
    return 0;
  },
});

function describe(run: ShownRun): string {
  const { summary } = run;
  const unfinished = run.status !== "done" && run.status !== "running";
  const advice = run.shared && adviceOn(commandsFor(run.id, { command: process.argv }), run.shared);
  return [
    `${run.id}  ${run.status}${run.note ? `: ${run.note}` : ""}`,
    `  fabula ${run.command.join(" ")}`,
    `  in ${run.folder}, started ${run.startedAt}${run.finishedAt ? `, ended ${run.finishedAt}` : ""}`,
    "",
    `${countOf(summary.calls, "call")}: ${summary.asked} asked, ${summary.cached} from the store, ${summary.failed} without an answer`,
    `${costInWords(summary)}${run.maximumCost === null ? "" : ` of at most ${dollars(run.maximumCost)}`}, ` +
      `${summary.inputTokens.toLocaleString("en-GB")} tokens in, ${summary.outputTokens.toLocaleString("en-GB")} out`,
    ...(run.shared ? ["", ...workersInWords(run.shared)] : []),
    ...(summary.calls > 0 ? ["", shares("purpose", summary.byPurpose), "", shares("model", summary.byModel)] : []),
    ...(run.failures.length > 0
      ? ["", "Without an answer:", ...run.failures.map(({ reason, calls }) => `  ${calls} × ${reason}`)]
      : []),
    ...(run.events.length > 0
      ? [
          "",
          `Last events:`,
          ...run.events.slice(-EVENTS_SHOWN).map((event) => `  ${event.at}  ${event.kind}  ${event.detail}`),
        ]
      : []),
    ...(advice ? ["", advice] : unfinished ? ["", `To resume it: fabula runs resume ${run.id}`] : []),
    "",
  ].join("\n");
}

function workersInWords(progress: SharedProgress): string[] {
  const { state, pieces, workers, available, failures, crashes, retries, waitingSeconds, owner, priority } = progress;
  const { total, done, failed, working, queued, setAside, withGaps } = pieces;
  return [
    `${done} of ${total} pieces done, ${working} under way, ${queued} waiting, ${failed} failed` +
      `${setAside > 0 ? `, ${setAside} set aside` : ""}` +
      `${withGaps > 0 ? `, ${withGaps} with calls that got no answer` : ""}` +
      `${state === "paused" ? "; paused" : `; ${countOf(available, "worker")} connected`}`,
    `owner ${owner === "" ? "unknown" : owner}${priority === 0 ? "" : `, priority ${priority}`}; ` +
      `workers that ended while they had a piece: ${crashes}; pieces begun once more: ${retries}` +
      `${waitingSeconds === null ? "" : `; the next piece has waited ${waitingSeconds.toFixed(0)} s`}`,
    ...(workers.length > 0
      ? [
          "",
          textTable(
            ["worker", "state", "done", "under way", "seen"],
            workers.map((worker) => [
              worker.id,
              worker.state,
              String(worker.done),
              String(worker.working),
              worker.seenAt,
            ]),
          ),
        ]
      : []),
    ...failures.map(({ label, reason }) => `  ${label}: ${reason}`),
  ];
}

function shares(heading: string, by: ShownRun["summary"]["byPurpose"]): string {
  return textTable(
    [heading, "calls", "cost"],
    Object.entries(by).map(([name, share]) => [name, String(share.calls), costInWords(share)]),
  );
}
