#!/usr/bin/env node
import { FabulaError } from "../core/errors.ts";
import { fabulaVersion } from "../core/version.ts";
import { type ExitCode, parseInvocation } from "./command.ts";
import { commandHelp, groupHelp } from "./help.ts";
import { type Group, isGroup, ROOT } from "./registry.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

async function dispatch(words: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  if (words[0] === "--version" || words[0] === "-v") {
    terminal.print(fabulaVersion());
    return 0;
  }
  let group: Group = ROOT;
  for (let depth = 0; ; depth++) {
    const path = words.slice(0, depth).join(" ");
    const word = words[depth];
    if (word === undefined || word === "--help" || word === "-h" || word === "help") {
      terminal.print(await groupHelp(path, group));
      return 0;
    }
    const entry = Object.hasOwn(group.members, word) ? group.members[word] : undefined;
    if (!entry) {
      const hint = path ? `fabula ${path} --help` : "fabula --help";
      throw new FabulaError(
        "E_USAGE",
        `There is no command "${[path, word].filter(Boolean).join(" ")}". See \`${hint}\`.`,
      );
    }
    if (isGroup(entry)) {
      group = entry;
      continue;
    }
    const name = words.slice(0, depth + 1).join(" ");
    const { default: command } = await entry.load();
    const { operands, values } = parseInvocation(name, command.flags, words.slice(depth + 1));
    if (values.help) {
      terminal.print(commandHelp(name, command));
      return 0;
    }
    return command.run({ operands, flags: values as never, terminal, signal });
  }
}

/** One clear sentence, never a stack: what went wrong and what to do next. `FABULA_DEBUG=1` shows the rest. */
function explain(error: unknown): string {
  if (process.env.FABULA_DEBUG) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof FabulaError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Something unexpected went wrong: ${message.split("\n")[0]}. Set FABULA_DEBUG=1 to see where.`;
}

// What a library of ours will have to change one day is nothing that a user can act on.
process.noDeprecation = !process.env.FABULA_DEBUG;

const abort = new AbortController();
process.once("SIGINT", () => {
  abort.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
  process.once("SIGINT", () => process.exit(130));
});
// A reader that has seen enough (`fabula … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const terminal = createTerminal(process.stdout, process.stderr, { noColour: Boolean(process.env.NO_COLOR) });
try {
  process.exitCode = await dispatch(process.argv.slice(2), terminal, abort.signal);
} catch (error) {
  terminal.endProgress();
  terminal.note(`fabula: ${explain(error)}`);
  process.exitCode = 1;
}
