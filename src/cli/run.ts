import { existsSync, realpathSync, statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isBuilt } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { explainMissingPackage } from "../core/loading/optional-package.ts";
import { fabulaVersion } from "../core/version.ts";
import { resolveShortName } from "../models/judge-name.ts";
import { didYouMean } from "../tasks/define/check.ts";
import { startParsing } from "../text/parsing/parse-pool.ts";
import {
  type Command,
  type ExitCode,
  type Flags,
  type FlagWord,
  type Group,
  isEmbedded,
  isGroup,
  judgesNamed,
  type Leaf,
  listed,
  parseInvocation,
  refuseOperands,
} from "./command.ts";
import { probableJudge, setUserJudges, userJudges } from "./config/user-judges.ts";
import { commandHelp, groupHelp } from "./help.ts";
import { configPaths } from "./paths.ts";
import { ROOT } from "./registry.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

/** How a command behaves when it is asked to stop. */
interface ShutdownBehaviour {
  /** Printed as soon as it is asked to stop; null for a command that prints its own message. */
  readonly finishing: string | null;
  /** Whether stopping halfway would lose something: calls already paid for, or jobs that must be paused. */
  readonly mustFinish: boolean;
}

const STOP_AT_ONCE: ShutdownBehaviour = { finishing: "Stopping.", mustFinish: false };

/**
 * Flags other than the judges that name models. A population may have been scored by models, which are then asked
 * again.
 */
const NAMING_MODELS =
  "model second-model writer writers judges closely synopses summariser embeddings population".split(" ");

export function shutdownBehaviour(
  { flags, finishing }: Pick<Command, "flags" | "finishing">,
  value: (flag: string) => FlagWord,
): ShutdownBehaviour {
  if (finishing !== undefined) return { finishing, mustFinish: true };
  const models = [...judgesNamed(value), ...NAMING_MODELS.flatMap((flag) => namesIn(value(flag)))];
  if (!("max-cost" in flags) || models.every(isEmbedded) || value("dry-run") === true) return STOP_AT_ONCE;
  if (models.every((model) => isEmbedded(model) || /^paste(?::|#|$)/.test(model)))
    return {
      finishing: "Stopping: every answer so far is kept, and the same command continues from here.",
      mustFinish: false,
    };
  if (models.every((model) => isEmbedded(model) || /^(?:paste|command)(?::|#|$)/.test(identityOf(model))))
    return {
      finishing:
        "Stopping: the program is ended, every answer so far is kept, and the same command continues from here.",
      mustFinish: true,
    };
  return {
    finishing:
      "Stopping: finishing the calls already sent, so that nothing paid for is lost. Ctrl-C again stops at once.",
    mustFinish: true,
  };
}

function identityOf(model: string): string {
  return resolveShortName(model, userJudges().judges);
}

function namesIn(value: FlagWord): readonly string[] {
  if (typeof value === "string") return listed(value);
  return Array.isArray(value) ? value : [];
}

/**
 * What a command uses of the process it runs in. A test passes its own, and the command then runs inside the test's
 * process.
 */
export type HostProcess = Pick<NodeJS.Process, "stdout" | "stderr" | "env" | "on" | "exit">;

/** Runs one command line, from its arguments to its exit code. Every error becomes one sentence on standard error. */
export async function run(words: readonly string[], host: HostProcess): Promise<ExitCode> {
  const terminal = createTerminal(host.stdout, host.stderr, { noColour: Boolean(host.env.NO_COLOR) });
  const end = watchProcessEnd(host, terminal);
  try {
    const code = await dispatch(words, terminal, end);
    const lost = await end.lostOutput();
    if (lost === null) return code;
    const without = words.includes("--refresh") ? ", without --refresh," : "";
    terminal.note(`fabula: ${lost} What was paid for is kept: the same command${without} prints it again.`);
  } catch (error) {
    terminal.endProgress();
    const lost = await end.lostOutput();
    terminal.note(`fabula: ${lost === null ? "" : `${lost} `}${explain(error)}${probableJudgeOf(error)}`);
  }
  return 1;
}

async function dispatch(words: readonly string[], terminal: Terminal, end: ProcessEnd): Promise<ExitCode> {
  if (words[0] === "--version" || words[0] === "-v") {
    terminal.print(fabulaVersion());
    return 0;
  }
  const found = findCommand(words);
  if (found.kind === "group") {
    terminal.print(groupHelp(found.name, found.group, terminal.width));
    return 0;
  }
  const { name } = found;
  if (found.readsBooks && isBuilt() && found.rest.some((word) => !word.startsWith("-") && existsSync(word)))
    startParsing();
  const command = await found.load();
  const { flags, notes } = await configured(name, command.flags, found.rest);
  const { operands, values, isGiven } = parseInvocation(name, flags, found.rest);
  if (values.help) {
    const list = await command.helpList?.();
    terminal.print(commandHelp(name, command, terminal.width, { all: operands.includes("all"), list }));
    return 0;
  }
  refuseOperands(name, command, operands);
  refuseOverwriting(values.out, operands);
  const given = { operands, flags: values as never, isGiven };
  command.check?.(given);
  for (const note of [...(values.quiet === true || notes.used === null ? [] : [notes.used]), ...notes.ignored]) {
    terminal.note(
      command.logsJson ? JSON.stringify({ at: new Date(), level: "info", event: "settings", detail: note }) : note,
    );
  }
  end.attend(shutdownBehaviour(command, (flag) => values[flag]));
  return command.run({
    ...given,
    terminal,
    root: ROOT,
    // Read only by commands that can end cleanly; Ctrl-C ends the others at once.
    get signal() {
      return end.signal;
    },
  });
}

/** A result must never replace the manuscript it was made from. A file of JSON lines may be extended in place. */
function refuseOverwriting(out: FlagWord, operands: readonly string[]): void {
  // A folder may be read and written, since results get their own names in it.
  if (typeof out !== "string" || !statSync(out, { throwIfNoEntry: false })?.isFile()) return;
  const written = realpathSync(out);
  if (written.endsWith(".jsonl")) return;
  const source = operands.find((operand) => existsSync(operand) && realpathSync(operand) === written);
  if (source !== undefined)
    throw new FabulaError("E_USAGE", `--out "${out}" would overwrite what is read: give another name.`);
}

/** A user and a folder may have settings of their own. Most have none, and then no parser is loaded. */
async function configured(name: string, flags: Flags, words: readonly string[]) {
  setUserJudges(words, null);
  const { own, folder, ofOthers } = configPaths(process.cwd(), process.env);
  if (own === null && folder === null && ofOthers.length === 0) return { flags, notes: { used: null, ignored: [] } };
  const { withConfig, configNotes, takesSettings } = await import("./config/apply-config.ts");
  if (!takesSettings(name, flags)) return { flags, notes: { used: null, ignored: [] } };
  const { findConfig } = await import("./config/config-file.ts");
  const found = await findConfig(process.cwd(), process.env);
  setUserJudges(words, found);
  return {
    flags: withConfig(name, flags, found, process.env),
    notes: configNotes(name, flags, found, process.env),
  };
}

/** One clear sentence, never a stack trace: what went wrong and what to do next. `FABULA_DEBUG=1` shows the rest. */
function explain(thrown: unknown): string {
  const error = explainMissingPackage(thrown);
  if (process.env.FABULA_DEBUG) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof FabulaError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Something unexpected went wrong: ${message.split("\n")[0]}. Set FABULA_DEBUG=1 to see where.`;
}

/** The judge that a mistyped name was probably meant to be. */
function probableJudgeOf(error: unknown): string {
  const isUnknown = error instanceof FabulaError && error.code === "E_JUDGE_UNKNOWN";
  return isUnknown && typeof error.evidence === "string" ? probableJudge(error.evidence) : "";
}

type FoundCommand =
  | { readonly kind: "group"; readonly name: string; readonly group: Group }
  | (Leaf & { readonly kind: "command"; readonly name: string; readonly rest: readonly string[] });

/** Finds the command that the first arguments name: `fabula help evaluate` is `fabula evaluate --help`. */
export function findCommand(given: readonly string[]): FoundCommand {
  const words = given[0] === "help" && given.length > 1 ? [...given.slice(1), "--help"] : given;
  let group = ROOT;
  for (let depth = 0; ; depth++) {
    const path = words.slice(0, depth).join(" ");
    const word = words[depth];
    if (word === undefined || word === "--help" || word === "-h" || word === "help") {
      return { kind: "group", name: path, group };
    }
    const entry = Object.hasOwn(group.members, word) ? group.members[word] : undefined;
    if (!entry) throw unknownCommand(path, word, group);
    const name = words.slice(0, depth + 1).join(" ");
    if (!isGroup(entry)) return { kind: "command", name, ...entry, rest: words.slice(depth + 1) };
    group = entry;
  }
}

function unknownCommand(path: string, word: string, group: Group): FabulaError {
  const [command, start] = [
    [path, word],
    ["fabula", path],
  ].map((words) => words.filter(Boolean).join(" "));
  const meant = didYouMean(word, Object.keys(group.members), (name) => `\`${start} ${name}\``);
  return new FabulaError("E_USAGE", `There is no command "${command}".${meant} See \`${start} --help\`.`);
}

/** How this process is asked to stop: by Ctrl-C, SIGTERM, or a closed output. */
interface ProcessEnd {
  /** Aborted when the process is asked to stop. The system ends a command that never reads it at once. */
  readonly signal: AbortSignal;
  /** Sets what to do when the process is asked to stop. */
  attend(work: ShutdownBehaviour): void;
  /** Waits until all output is written. Returns why some is missing; null if none is. */
  lostOutput(): Promise<string | null>;
}

/**
 * SIGTERM and the first Ctrl-C ask a command to shut down cleanly, and print at once what it still has to finish. The
 * second Ctrl-C ends it immediately; so does a second SIGTERM, unless something would be lost. Before a command reads
 * the signal, the system ends the process, as it does any other: a listener would only prevent work that never looks
 * at the signal from being stopped. No file is half written then, because files are written under another name and
 * renamed.
 */
function watchProcessEnd(
  process: Pick<NodeJS.Process, "stdout" | "stderr" | "on" | "exit">,
  terminal: Terminal,
): ProcessEnd {
  const abort = new AbortController();
  let work = STOP_AT_ONCE;
  let lost: string | null = null;
  const end = (reason: FabulaError) => {
    if (abort.signal.aborted) return;
    if (work.finishing !== null) terminal.note(work.finishing);
    abort.abort(reason);
  };
  let isListening = false;
  const listen = () => {
    if (isListening) return;
    isListening = true;
    process.on("SIGINT", () => {
      if (abort.signal.aborted) process.exit(130);
      end(new FabulaError("E_INTERRUPTED", "Interrupted."));
    });
    // When the terminal is closed or the connection to it is lost, paid work is finished just as carefully.
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      process.on(signal, () => {
        if (abort.signal.aborted && !work.mustFinish) process.exit(code);
        end(new FabulaError("E_INTERRUPTED", "Interrupted."));
      });
    }
  };
  const loseOutput = (stream: "output" | "error output") => (error: NodeJS.ErrnoException) => {
    if (!work.mustFinish) {
      // A reader that stops early (`fabula … | head`) is not an error.
      if (error.code !== "EPIPE") terminal.note(`fabula: Standard ${stream} cannot be written (${error.code}).`);
      process.exit(error.code === "EPIPE" ? 0 : 1);
    }
    lost ??=
      error.code === "EPIPE"
        ? `Standard ${stream} was closed before everything was written.`
        : `Standard ${stream} cannot be written (${error.code}).`;
    end(new FabulaError("E_OUTPUT_LOST", lost));
  };
  process.stdout.on("error", loseOutput("output"));
  process.stderr.on("error", loseOutput("error output"));
  return {
    get signal() {
      listen();
      return abort.signal;
    },
    attend(next) {
      work = next;
    },
    async lostOutput() {
      work = { ...work, finishing: null };
      await new Promise((resolve) => process.stdout.write("", resolve));
      // A stream reports its error only after the write that caused it.
      await setImmediate();
      return lost;
    },
  };
}
