import { spawn } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";
import { costInWords, dollars } from "../../../core/cost.ts";
import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { runsHere } from "../../../models/prices.ts";
import { adviceOn, commandsFor } from "../../../queue/advice.ts";
import { cancelRun, pauseRun, unpauseRun } from "../../../queue/pause-run.ts";
import type { SharedProgress } from "../../../queue/progress.ts";
import { textTable } from "../../../report/report-forms.ts";
import { findRun } from "../../../runner/run-record.ts";
import { isPostgres, withoutPassword } from "../../../store/postgres/address.ts";
import {
  type CopiedStore,
  copyStore,
  EXPORT_FORMATS,
  type ExportFormat,
  exportRun,
} from "../../../tasks/runs/export-run.ts";
import { listRuns, type PastRun, type ShownRun, showRun, withStore } from "../../../tasks/runs/past-runs.ts";
import { defineCommand, type ExitCode, requireFlag, STORE_FLAG } from "../../command.ts";
import { runCostInWords } from "../../output/run-wording.ts";
import { jsonDocument } from "../../output/write-report.ts";
import { storeLocation } from "../../paths.ts";
import { environmentFor, reusableArguments } from "../../run-again.ts";

export const listCommand = defineCommand({
  summary: "List the latest runs: what they did, what they cost, and which can be resumed.",
  operands: "",
  flags: {
    limit: { type: "number", value: "N", default: 20, minimum: 1, integer: true, help: "how many runs to list" },
    store: STORE_FLAG,
  },
  examples: ["fabula runs list", "fabula runs list --limit 100 --json"],
  async run({ flags, terminal }) {
    const location = storeLocation(flags.store, process.env);
    const runs = await listRuns(location, flags.limit);
    if (flags.json) terminal.print(jsonDocument("runs", { runs }));
    else if (runs.length === 0)
      terminal.print(`No runs yet in ${withoutPassword(location)}: commands that ask models leave one each.`);
    else terminal.print(textTable(["run", "status", "calls", "failed", "cost", "command"], runs.map(row)));
    return 0;
  },
});

function row({ id, status, summary, command }: PastRun): string[] {
  const typed = command.join(" ");
  return [
    id,
    status,
    String(summary.calls),
    String(summary.failed),
    runCostInWords(summary) ?? "–",
    typed.length > 60 ? `${typed.slice(0, 59)}…` : typed,
  ];
}

const EVENTS_SHOWN = 20;

export const showCommand = defineCommand({
  summary: "Show one run: its calls and cost by purpose, its failures, and how to continue.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs show 20260115-093012-k3fw"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs show RUN");
    const details = await showRun(storeLocation(flags.store, process.env), id);
    terminal.print(flags.json ? jsonDocument("run", details) : runInWords(details));
    return 0;
  },
});

function runInWords(run: ShownRun): string {
  const { summary } = run;
  const unfinished = run.status !== "done" && run.status !== "running";
  const advice = run.shared && adviceOn(commandsFor(run.id, { command: process.argv }), run.shared);
  return [
    `${run.id}  ${run.status}${run.note ? `: ${run.note}` : ""}`,
    `  fabula ${run.command.join(" ")}`,
    `  in ${run.folder}, started ${run.startedAt}${run.finishedAt ? `, ended ${run.finishedAt}` : ""}`,
    "",
    `${countOf(summary.calls, "call")}: ${summary.asked} asked, ${summary.cached} from the store, ${summary.failed} without an answer`,
    `${runCostInWords(summary) ?? "nothing was spent"}${run.maximumCost === null ? "" : ` of at most ${dollars(run.maximumCost)}`}, ` +
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
  const { state, pieces, workers, available, failures, refusals, crashes, retries, waitingSeconds, limits } = progress;
  const { owner, priority } = progress;
  const { total, done, failed, working, queued, setAside, withGaps } = pieces;
  return [
    `${done} of ${total} pieces done, ${working} under way, ${queued} waiting, ${failed} failed` +
      `${setAside > 0 ? `, ${setAside} set aside` : ""}` +
      `${withGaps > 0 ? `, ${withGaps} with calls that got no answer` : ""}` +
      `${state === "paused" ? "; paused" : `; ${countOf(available, "worker")} connected`}`,
    `owner ${owner === "" ? "unknown" : owner}${priority === 0 ? "" : `, priority ${priority}`}; ` +
      `workers that ended while they had a piece: ${crashes}; pieces begun once more: ${retries}` +
      `${waitingSeconds === null ? "" : `; the next piece has waited ${waitingSeconds.toFixed(0)} s`}`,
    ...limits.map(({ provider, on }) => {
      const limit = on === "calls at a time" ? on : `${on} per minute`;
      return `calls wait for the limit of ${provider} on ${limit} (\`fabula limits\` shows it)`;
    }),
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
    ...refusals.map(({ worker, reason }) => `  ${worker} cannot do this run: ${reason}`),
    ...failures.map(({ label, reason }) => `  ${label}: ${reason}`),
  ];
}

function shares(heading: string, by: ShownRun["summary"]["byPurpose"]): string {
  return textTable(
    [heading, "calls", "cost"],
    Object.entries(by).map(([name, share]) => [name, String(share.calls), costInWords(share, runsHere(name))]),
  );
}

export const resumeCommand = defineCommand({
  summary: "Resume a run that was interrupted, stopped or killed. Answers already paid for are reused.",
  operands: "RUN",
  flags: {
    "max-cost": {
      type: "number",
      value: "USD",
      minimum: 0,
      help: "a new cost limit for the whole run, including what it has already spent",
    },
    store: STORE_FLAG,
  },
  examples: ["fabula runs resume 20260115-093012-k3fw", "fabula runs resume 20260115-093012-k3fw --max-cost 5"],
  // The command that is repeated reports what it finishes.
  finishing: null,
  async run({ operands, flags, terminal, signal }) {
    const id = onlyOperand(operands, "fabula runs resume RUN");
    const location = storeLocation(flags.store, process.env);
    const { command, folder } = await withStore(location, (store) => findRun(store, id));
    // Other people write to a shared store, so nothing in it is ever started as a program.
    if (isPostgres(location) && command.some((word) => /(?:^|[=,])command:/.test(word))) {
      throw new FabulaError(
        "E_FORBIDDEN",
        `Run ${id} names a program as its judge, and a program that a shared store names is not started: give the command yourself, with --resume ${id}.`,
      );
    }
    terminal.note(`fabula ${command.join(" ")}  (in ${folder})`);
    const words = [
      ...reusableArguments(command),
      "--resume",
      id,
      ...(flags["max-cost"] === undefined ? [] : ["--max-cost", String(flags["max-cost"])]),
      ...(flags.json && !command.includes("--json") ? ["--json"] : []),
    ];
    return runAgain(folder, location, words, signal);
  },
});

/** Runs the same command in the same folder, in a process of its own, which is asked to end when this one is. */
async function runAgain(
  folder: string,
  location: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? "", ...words], {
    cwd: folder,
    stdio: "inherit",
    env: environmentFor(location),
  });
  // Ctrl-C at a terminal reaches the child too; SIGTERM after that changes nothing, except on Windows, where it would
  // kill.
  const handOn = () => process.platform === "win32" || child.kill("SIGTERM");
  if (signal.aborted) handOn();
  signal.addEventListener("abort", handOn, { once: true });
  try {
    const [code] = await once(child, "exit");
    return code === 0 || code === 3 ? code : 1;
  } catch (cause) {
    throw new FabulaError("E_RUN_FOLDER", `The run's folder ${folder} no longer exists: restore it first.`, {
      cause,
    });
  }
}

export const pauseCommand = defineCommand({
  summary: "Pause the workers of a shared run: calls already sent are completed, the rest wait.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs pause 20260115-093012-k3fw --store postgres://fabula@db.example/fabula"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs pause RUN");
    await pauseRun(storeLocation(flags.store, process.env), id);
    terminal.print(
      flags.json
        ? jsonDocument("paused-run", { run: id, paused: true })
        : `Run ${id} is paused: \`fabula runs unpause ${id}\` continues it.`,
    );
    return 0;
  },
});

export const unpauseCommand = defineCommand({
  summary: "Let the workers continue a paused run.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs unpause 20260115-093012-k3fw --store postgres://fabula@db.example/fabula"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs unpause RUN");
    await unpauseRun(storeLocation(flags.store, process.env), id);
    terminal.print(flags.json ? jsonDocument("paused-run", { run: id, paused: false }) : `Run ${id} continues.`);
    return 0;
  },
});

export const cancelCommand = defineCommand({
  summary: "Cancel a shared run: its workers finish the calls they have sent and leave the rest.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs cancel 20260115-093012-k3fw --store postgres://fabula@db.example/fabula"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs cancel RUN");
    await cancelRun(storeLocation(flags.store, process.env), id);
    terminal.print(
      flags.json
        ? jsonDocument("cancelled-run", { run: id })
        : `Run ${id} is cancelled. What was answered stays in the store; \`fabula runs resume ${id}\` queues the rest again.`,
    );
    return 0;
  },
});

export const exportCommand = defineCommand({
  summary: "Export every call of a run, one line each: reply, usage, cost, or why there is none.",
  operands: "RUN",
  flags: {
    out: { type: "string", value: "FILE", default: "-", help: "the file to write; - is standard output" },
    format: { type: "string", value: "FORMAT", choices: EXPORT_FORMATS, help: "by the file's name when not given" },
    requests: { type: "boolean", help: "include the requests, which may hold whole chapters" },
    store: STORE_FLAG,
  },
  examples: [
    "fabula runs export 20260115-093012-k3fw --out calls.csv",
    "fabula runs export RUN --out calls.parquet",
    "fabula runs export RUN --requests > calls.jsonl",
  ],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs export RUN");
    const { out, requests } = flags;
    const format = formatOf(out, flags.format);
    const calls = await exportRun(storeLocation(flags.store, process.env), id, { format, out, requests });
    if (out !== "-") {
      if (flags.json) terminal.print(jsonDocument("exported-run", { run: id, out, format, calls }));
      else terminal.note(`${countOf(calls, "call")} written to ${out}.`);
    }
    return 0;
  },
});

/** The requested format, or else the one of the file's extension. */
function formatOf(out: string, asked: string | undefined): ExportFormat {
  const named = EXPORT_FORMATS.find((format) => format === asked);
  if (out === "-") {
    if (named === "parquet")
      throw new FabulaError("E_USAGE", "Parquet is written to a file: give --out calls.parquet.");
    return named ?? "jsonl";
  }
  const ending = extname(out).slice(1).toLowerCase();
  const known = EXPORT_FORMATS.find((format) => format === ending);
  if (named !== undefined && known !== undefined && named !== known)
    throw new FabulaError("E_USAGE", `--format ${named} and --out ${out} do not agree: leave --format out.`);
  const format = named ?? known;
  if (format) return format;
  const endings = EXPORT_FORMATS.map((one) => `.${one}`).join(", ");
  throw new FabulaError("E_USAGE", `--out ${out}: end the file's name with ${endings}, or give --format.`);
}

export const copyCommand = defineCommand({
  summary: "Copy a whole store into another, of either kind, and compare the two. Nothing newer is overwritten.",
  operands: "",
  flags: {
    from: { type: "string", value: "STORE", help: "the store to copy: a file, or postgres://…" },
    to: { type: "string", value: "STORE", help: "the target store; a missing file is created" },
    "skip-comparison": { type: "boolean", help: "do not compare the two stores afterwards" },
  },
  examples: [
    "fabula runs copy --from ~/.local/share/fabula/fabula.db --to postgres://fabula@db.example/fabula",
    "fabula runs copy --from postgres://fabula@db.example/fabula --to backup.db",
  ],
  async run({ flags, terminal, signal }) {
    const copied = await copyStore(
      {
        from: requireFlag("runs copy", "from", flags.from),
        to: requireFlag("runs copy", "to", flags.to),
        compare: !flags["skip-comparison"],
      },
      { signal, onProgress: terminal.progress },
    );
    terminal.endProgress();
    terminal.print(flags.json ? jsonDocument("copied-store", copied) : copyInWords(copied));
    return 0;
  },
});

function copyInWords({ from, to, copied, comparison }: CopiedStore): string {
  const number = (count: number) => count.toLocaleString("en-GB");
  const rows = Object.entries(copied).map(([name, { rows, added }]) => [name, number(rows), number(added)]);
  return [
    `${from} → ${to}`,
    "",
    textTable(["", "there were", "added"], rows),
    "",
    ...(comparison
      ? [
          `Compared: ${number(comparison.rows)} rows are the same in both` +
            `${comparison.later > 0 ? `, except ${number(comparison.later)} that are newer in the second` : ""}.`,
          `SHA-256 ${comparison.digests[0]}`,
        ]
      : ["Not compared."]),
    "",
  ].join("\n");
}

/** The single operand of a command. */
function onlyOperand(operands: readonly string[], usage: string): string {
  const [operand] = operands;
  if (operand === undefined || operands.length > 1) throw new FabulaError("E_USAGE", `Write \`${usage}\`.`);
  return operand;
}
