#!/usr/bin/env node
import { FabulaError } from "../core/errors.ts";
import { explainMissingPackage } from "../core/loading/optional-package.ts";
import { fabulaVersion } from "../core/version.ts";
import { type ExitCode, parseInvocation, refuseOperands } from "./command.ts";
import { configPath } from "./config/config-path.ts";
import { findCommand } from "./find-command.ts";
import type { Flags } from "./flags/flag.ts";
import { commandHelp, groupHelp } from "./help.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { type ProcessEnd, watchProcessEnd } from "./process-end.ts";
import { ROOT } from "./registry.ts";
import { shutdownBehaviour } from "./shutdown-behaviour.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

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
  const { default: command } = await found.load();
  const flags = await configured(name, command.flags);
  const { operands, values } = parseInvocation(name, flags, found.rest);
  if (values.help) {
    terminal.print(commandHelp(name, command, terminal.width, await command.helpList?.()));
    return 0;
  }
  refuseOperands(name, command, operands);
  end.attend(shutdownBehaviour(command, (flag) => values[flag]));
  return command.run({
    operands,
    flags: values as never,
    terminal,
    root: ROOT,
    // Read by the commands that can end cleanly; the others are ended at once.
    get signal() {
      return end.signal;
    },
  });
}

/** A folder may have defaults of its own. The file is read only where there is one: most folders have none. */
async function configured(name: string, flags: Flags): Promise<Flags> {
  if (configPath(process.cwd()) === null) return flags;
  const [{ findConfig }, { withConfig }] = await Promise.all([
    import("./config/config-file.ts"),
    import("./config/apply-config.ts"),
  ]);
  const found = await findConfig(process.cwd());
  return found ? withConfig(name, flags, found.config, process.env) : flags;
}

/** One clear sentence, never a stack: what went wrong and what to do next. `FABULA_DEBUG=1` shows the rest. */
function explain(thrown: unknown): string {
  const error = explainMissingPackage(thrown);
  if (process.env.FABULA_DEBUG) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof FabulaError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Something unexpected went wrong: ${message.split("\n")[0]}. Set FABULA_DEBUG=1 to see where.`;
}

hideSecrets(process);
// A user can do nothing about a deprecation warning from a dependency.
process.noDeprecation = !process.env.FABULA_DEBUG;

const terminal = createTerminal(process.stdout, process.stderr, { noColour: Boolean(process.env.NO_COLOR) });
const end = watchProcessEnd(process, terminal);
try {
  process.exitCode = await dispatch(process.argv.slice(2), terminal, end);
  const lost = await end.lostOutput();
  if (lost !== null) {
    const without = process.argv.includes("--refresh") ? ", without --refresh," : "";
    terminal.note(`fabula: ${lost} What was paid for is kept: the same command${without} prints it again.`);
    process.exitCode = 1;
  }
} catch (error) {
  terminal.endProgress();
  const lost = await end.lostOutput();
  terminal.note(`fabula: ${lost === null ? "" : `${lost} `}${explain(error)}`);
  process.exitCode = 1;
}
