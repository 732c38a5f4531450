import { spawn } from "node:child_process";
import { once } from "node:events";
import { FabulaError } from "../../../core/errors.ts";
import { findRun } from "../../../runner/run-record.ts";
import { isPostgres } from "../../../store/postgres/address.ts";
import { withStore } from "../../../workflows/runs/past-runs.ts";
import { defineCommand, type ExitCode } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { onlyOperand } from "../../output/wording.ts";
import { environmentFor, reusableArguments } from "../../run-again.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
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
  // The command that is done again says what it finishes.
  finishing: null,
  async run({ operands, flags, terminal, signal }) {
    const id = onlyOperand(operands, "fabula runs resume RUN");
    const location = storeLocation(flags.store, process.env);
    const { command, folder } = await withStore(location, (store) => findRun(store, id));
    // Others write into a shared store: what it says is never started as a program.
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

/** The same words in the same folder, in a process of their own, which is asked to end when this one is. */
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
  // Ctrl-C at a terminal reaches it too; SIGTERM after that changes nothing, but on Windows it would kill.
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
