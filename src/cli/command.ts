import { parseArgs } from "node:util";
import { FabulaError } from "../core/errors.ts";
import type { Terminal } from "./terminal.ts";

/** 0: done. 1: the user can fix it. 3: finished, but something is unscored and the report says what. */
export type ExitCode = 0 | 1 | 3;

interface FlagBase {
  readonly help: string;
  /** What stands for the value in the usage line: `--out FILE`. */
  readonly value?: string;
}
interface TextFlag extends FlagBase {
  readonly type: "string";
  readonly default?: string;
  readonly choices?: readonly string[];
}
interface NumberFlag extends FlagBase {
  readonly type: "number";
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
}
interface SwitchFlag extends FlagBase {
  readonly type: "boolean";
}
export type Flag = TextFlag | NumberFlag | SwitchFlag;
export type Flags = Readonly<Record<string, Flag>>;

type FlagValue<F extends Flag> = F extends SwitchFlag
  ? boolean
  : F extends { default: number }
    ? number
    : F extends NumberFlag
      ? number | undefined
      : F extends { default: string }
        ? string
        : string | undefined;

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

/** One thing a user can ask for. Each lives in a file of its own under `commands/` and is listed once in `registry.ts`. */
export interface Command<F extends Flags = Flags> {
  readonly summary: string;
  /** The words after the command's name in the usage line: `FILE...`. */
  readonly operands: string;
  readonly flags: F;
  readonly examples: readonly string[];
  run(invocation: Invocation<F>): Promise<ExitCode>;
}

export interface Invocation<F extends Flags = Flags> {
  readonly operands: readonly string[];
  readonly flags: FlagValues<F> & { readonly json: boolean };
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C: finish or abandon cleanly. */
  readonly signal: AbortSignal;
}

export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

export const COMMON_FLAGS = {
  json: { type: "boolean", help: "print one JSON document on stdout; progress and notes go to stderr" },
  help: { type: "boolean", help: "show this help" },
} as const satisfies Flags;

/** Reads the words after a command's name. A flag that does not exist, or a value that does not fit, is one clear sentence. */
export function parseInvocation(name: string, flags: Flags, words: readonly string[]) {
  const known: Flags = { ...flags, ...COMMON_FLAGS };
  const options = Object.fromEntries(
    Object.entries(known).map(([flag, { type }]) => [
      flag,
      { type: type === "boolean" ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message.split(/[.\n]/)[0] : String(cause);
    throw new FabulaError("E_USAGE", `${detail}. See \`fabula ${name} --help\`.`, { cause });
  }
  const values: Record<string, string | number | boolean | undefined> = {};
  for (const [flag, definition] of Object.entries(known)) {
    values[flag] = readFlag(flag, definition, parsed.values[flag] as string | boolean | undefined);
  }
  return { operands: parsed.positionals, values };
}

function readFlag(
  name: string,
  flag: Flag,
  given: string | boolean | undefined,
): string | number | boolean | undefined {
  switch (flag.type) {
    case "boolean":
      return given === true;
    case "string": {
      const value = typeof given === "string" ? given : flag.default;
      if (value !== undefined && flag.choices && !flag.choices.includes(value)) {
        throw new FabulaError("E_USAGE", `--${name} ${value} is not known: choose ${flag.choices.join(", ")}.`);
      }
      return value;
    }
    case "number": {
      if (typeof given !== "string") return flag.default;
      const value = Number(given);
      const fits =
        given.trim() !== "" &&
        Number.isFinite(value) &&
        (!flag.integer || Number.isInteger(value)) &&
        value >= (flag.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (flag.maximum ?? Number.POSITIVE_INFINITY);
      if (!fits) throw new FabulaError("E_USAGE", `--${name} ${given} is not ${numberInWords(flag)}.`);
      return value;
    }
    default:
      return flag satisfies never;
  }
}

function numberInWords(flag: NumberFlag): string {
  const kind = flag.integer ? "a whole number" : "a number";
  if (flag.minimum !== undefined && flag.maximum !== undefined)
    return `${kind} from ${flag.minimum} to ${flag.maximum}`;
  if (flag.minimum !== undefined) return `${kind} of at least ${flag.minimum}`;
  if (flag.maximum !== undefined) return `${kind} of at most ${flag.maximum}`;
  return kind;
}
