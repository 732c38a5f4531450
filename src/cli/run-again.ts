import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { FabulaError } from "../core/errors.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { isPostgres } from "../store/postgres/address.ts";
import { parseEvaluations } from "../tasks/books/read-evaluations.ts";
import { showRun } from "../tasks/runs/past-runs.ts";

/** The caller passes these flags again, and a flag may be given only once. */
const GIVEN_AGAIN = ["store", "resume", "max-cost"];

/** The arguments of a stored command without its store, cost limit, `--resume` and `--detach`. */
export function reusableArguments(command: readonly string[]): string[] {
  const isName = (word: string | undefined) => GIVEN_AGAIN.some((flag) => word === `--${flag}`);
  const hasValue = (word: string) => GIVEN_AGAIN.some((flag) => word.startsWith(`--${flag}=`));
  return command.filter(
    (word, at) => !isName(word) && !isName(command[at - 1]) && !hasValue(word) && word !== "--detach",
  );
}

/** A database address may contain a password, and anyone on a machine can list the arguments of running commands. */
export function environmentFor(location: string): NodeJS.ProcessEnv {
  return { ...process.env, FABULA_STORE: isPostgres(location) ? location : resolve(location) };
}

const LARGEST_OUTPUT = 1024 * 1024 * 1024;

/**
 * The evaluations of a finished run. A store keeps calls, and every verdict follows from them, so the run's own
 * command is run again: each call is answered from the store, and the cost limit is what the run has cost, so nothing
 * more is paid.
 */
export async function evaluationsOfRun(id: string, location: string): Promise<BookEvaluation[]> {
  const { command, folder, status, summary } = await showRun(location, id);
  if (command[0] !== "evaluate") {
    throw new FabulaError(
      "E_RUN_KIND",
      `The run ${id} is of \`fabula ${command[0]}\`: a run of \`fabula evaluate\` is needed.`,
    );
  }
  if (status !== "done") {
    throw new FabulaError(
      "E_RUN_UNFINISHED",
      `The run ${id} is not finished: \`fabula runs resume ${id}\` continues it.`,
    );
  }
  const words = [
    ...withoutEffects(reusableArguments(command)),
    "--json",
    "--local",
    "--resume",
    id,
    // A cost limit needs a price, and a run without models has none.
    ...(summary.calls === 0 || summary.cost === null || summary.unpricedCalls > 0
      ? []
      : ["--max-cost", String(summary.cost)]),
  ];
  return parseEvaluations(await outputOf(folder, location, words), `What run ${id} gives`);
}

/** The arguments without those that would write a report again or ask a model again. */
function withoutEffects(command: readonly string[]): string[] {
  return command.filter(
    (word, index) =>
      word !== "--refresh" &&
      word !== "--out" &&
      command[index - 1] !== "--out" &&
      !word.startsWith("--out=") &&
      word !== "--json",
  );
}

async function outputOf(folder: string, location: string, words: readonly string[]): Promise<string> {
  const command = [...process.execArgv, process.argv[1] ?? "", ...words];
  try {
    const options = { cwd: folder, maxBuffer: LARGEST_OUTPUT, env: environmentFor(location) };
    return (await promisify(execFile)(process.execPath, command, options)).stdout;
  } catch (cause) {
    // Exit code 3 means a finished evaluation with gaps, which are in its output.
    if (cause instanceof Error && "code" in cause && cause.code === 3 && "stdout" in cause) return String(cause.stdout);
    const reason = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim().split("\n").at(-1) : "";
    throw new FabulaError("E_RUN_REPLAY", `The run could not be read again: ${reason || "its folder is gone"}`, {
      cause,
    });
  }
}
