import { type Command, type Group, parseInvocation } from "../src/cli/command.ts";
import { commandHelp } from "../src/cli/help.ts";
import { createTerminal } from "../src/cli/terminal.ts";
import { FabulaError } from "../src/core/errors.ts";

/** `npm run train -- NAME …`: how the embedded models are trained again. Runs in the repository; nothing of it ships. */
// biome-ignore lint/suspicious/noExplicitAny: a list of commands of every flag type; each is checked where it is defined.
const TRAINABLE: Readonly<Record<string, () => Promise<{ default: Command<any> }>>> = {
  crowd: async () => ({ default: (await import("./commands/jurors.ts")).crowd }),
  editor: async () => ({ default: (await import("./commands/jurors.ts")).editor }),
  notes: async () => ({ default: (await import("./commands/jurors.ts")).notes }),
  select: async () => ({ default: (await import("./commands/jurors.ts")).select }),
  verify: () => import("./commands/verify.ts"),
  domain: async () => ({ default: (await import("./commands/jurors.ts")).domain }),
  grader: () => import("./commands/grader.ts"),
  reference: () => import("./commands/reference.ts"),
  forecast: () => import("./commands/forecast.ts"),
  personal: () => import("./commands/personal.ts"),
};

const NO_COMMANDS: Group = { summary: "", members: {} };

const terminal = createTerminal(process.stdout, process.stderr, { noColour: Boolean(process.env.NO_COLOR) });
try {
  const [name = "", ...words] = process.argv.slice(2);
  const load = Object.hasOwn(TRAINABLE, name) ? TRAINABLE[name] : undefined;
  if (!load) {
    throw new FabulaError("E_USAGE", `Name what to train: npm run train -- ${Object.keys(TRAINABLE).join("|")}.`);
  }
  const { default: command } = await load();
  const { operands, values, isGiven } = parseInvocation(name, command.flags, words);
  if (values.help) terminal.print(commandHelp(name, command, terminal.width));
  else {
    const signal = new AbortController().signal;
    const given = { operands, flags: values as never, isGiven };
    process.exitCode = await command.run({ ...given, terminal, root: NO_COMMANDS, signal });
  }
} catch (error) {
  if (!(error instanceof FabulaError)) throw error;
  terminal.endProgress();
  terminal.note(error.message);
  process.exitCode = 1;
}
