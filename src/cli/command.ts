import { parseArgs } from "node:util";
import { FabulaError } from "../core/errors.ts";
import { numberInWords } from "../core/wording.ts";
import { isOfTheJury } from "../jury/juror.ts";
import { didYouMean } from "../tasks/define/check.ts";
import type { Terminal } from "./terminal.ts";

/** 0: done. 1: an error that the user can fix. 3: finished, but something is unscored and the report says what. */
export type ExitCode = 0 | 1 | 3;

/**
 * One command of the command line. All are listed in `registry.ts`; those that are more than a task have a file under
 * `commands/`.
 */
export interface Command<F extends Flags = Flags> {
  readonly summary: string;
  /** The placeholder for the words after the command's name in the usage line: `FILE...`. */
  readonly operands: string;
  /** What to suggest to users who give a file to a command that takes none. */
  readonly insteadOfFile?: string;
  readonly flags: F;
  readonly examples: readonly string[];
  /** A list that its help adds, such as the names it knows. */
  readonly helpList?: () => Promise<HelpList>;
  /** What the command finishes after Ctrl-C, if not calls to a model; null for a command that prints this itself. */
  readonly finishing?: string | null;
  /** Whether its standard error is a log of one JSON document per line. */
  readonly logsJson?: boolean;
  /** Checks the arguments before anything is done; says in one sentence what is wrong. */
  check?(given: GivenWords): void;
  run(invocation: Invocation<F>): Promise<ExitCode>;
}

export interface HelpList {
  readonly title: string;
  readonly rows: readonly { readonly left: string; readonly right: string }[];
}

/** The words of a command line: those without a flag, and the values of the flags. */
export interface GivenWords<F extends Flags = Flags> {
  readonly operands: readonly string[];
  readonly flags: FlagValues<F> & { readonly json: boolean };
  /** Whether a flag was given, rather than filled in from its default or a settings file. */
  isGiven(flag: string): boolean;
}

export interface Invocation<F extends Flags = Flags> extends GivenWords<F> {
  readonly terminal: Terminal;
  /** All commands. */
  readonly root: Group;
  /**
   * Aborted by Ctrl-C, SIGTERM or a closed output: finish or abandon cleanly. Only work that reacts to it should read
   * it: from then on Ctrl-C no longer ends the process by itself.
   */
  readonly signal: AbortSignal;
}

export interface Leaf {
  readonly summary: string;
  /** Its arguments are manuscripts, so the process that parses them starts while the command is still loading. */
  readonly readsBooks?: true;
  /** Commands load when they are asked for, so that `fabula --help` does not pay for all of them. */
  // biome-ignore lint/suspicious/noExplicitAny: a registry holds commands of every flag type; each is checked where it is defined.
  load(): Promise<Command<any>>;
}

export interface Group {
  readonly summary: string;
  readonly members: Readonly<Record<string, Leaf | Group>>;
}

export function isGroup(entry: Leaf | Group): entry is Group {
  return "members" in entry;
}

export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

export const COMMON_FLAGS = {
  json: { type: "boolean", help: "print one JSON document on stdout; progress and notes go to stderr" },
  help: { type: "boolean", help: "show this help" },
} as const satisfies Flags;

/**
 * Parses the arguments after a command's name. An unknown flag, or a value that does not fit, gives one clear
 * sentence.
 */
export function parseInvocation(name: string, flags: Flags, words: readonly string[]) {
  const known: Flags = { ...flags, ...COMMON_FLAGS };
  const { values: given, positionals: operands } = splitWords(name, known, words);
  const values: Record<string, FlagWord> = {};
  for (const [flag, definition] of Object.entries(known)) values[flag] = readFlag(name, flag, definition, given[flag]);
  const isGiven = (flag: string) => given[flag] !== undefined;
  return { operands, values, isGiven };
}

function splitWords(name: string, known: Flags, words: readonly string[]) {
  // Every text flag may be parsed several times, so that a repeated one is refused instead of silently replacing the
  // first.
  const options = Object.fromEntries(
    Object.entries(known).map(([flag, { type }]) => [
      flag,
      type === "boolean" ? ({ type } as const) : ({ type: "string", multiple: true } as const),
    ]),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split(/[.\n]/)[0] ?? "") : String(cause);
    const unknown = /^Unknown option '--?([^']+)'/.exec(detail)?.[1];
    const hint = unknown === undefined ? "" : didYouMean(unknown, Object.keys(known), (flag) => `--${flag}`);
    throw new FabulaError("E_USAGE", `${detail}.${hint} See \`fabula ${name} --help\`.`, { cause });
  }
}

/**
 * Refuses more arguments than a command takes, such as a second file after `--in`; `operands` is the text of its
 * usage line.
 */
export function refuseOperands(
  name: string,
  { operands: usage, insteadOfFile }: Pick<Command, "operands" | "insteadOfFile">,
  operands: readonly string[],
): void {
  if (usage.includes("...")) return;
  const extra = operands[usage.split(" ").filter((word) => word !== "").length];
  if (extra === undefined) return;
  const takes = usage === "" ? "takes flags only" : `takes ${usage}`;
  if (insteadOfFile !== undefined) throw new FabulaError("E_USAGE", `\`fabula ${name}\` ${takes}. ${insteadOfFile}`);
  throw new FabulaError("E_USAGE", `\`fabula ${name}\` ${takes}: leave "${extra}" out. See \`fabula ${name} --help\`.`);
}

function readFlag(
  command: string,
  name: string,
  flag: Flag,
  given: boolean | string | readonly (boolean | string)[] | undefined,
): FlagWord {
  if (flag.type === "boolean") return given === true;
  const texts = Array.isArray(given) ? given.map(String) : [];
  if (flag.type === "string" && flag.repeats) return texts;
  if (texts.length > 1) {
    throw new FabulaError("E_USAGE", `--${name} is given ${texts.length} times: \`fabula ${command}\` takes one.`);
  }
  const [text] = texts;
  switch (flag.type) {
    case "string": {
      const value = text ?? flag.default;
      if (value !== undefined && flag.choices && !flag.choices.includes(value)) {
        throw new FabulaError("E_USAGE", `--${name} ${value} is not known: choose ${flag.choices.join(", ")}.`);
      }
      return value;
    }
    case "number": {
      if (text === undefined) return flag.default;
      const value = Number(text);
      const fits =
        text.trim() !== "" &&
        Number.isFinite(value) &&
        (!flag.integer || Number.isInteger(value)) &&
        value >= (flag.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (flag.maximum ?? Number.POSITIVE_INFINITY);
      if (!fits) throw new FabulaError("E_USAGE", `--${name} ${text} is not ${numberInWords(flag)}.`);
      return value;
    }
    default:
      return flag satisfies never;
  }
}

interface FlagBase {
  readonly help: string;
  /** The placeholder for the value in the usage line: `--out FILE`. */
  readonly value?: string;
  /** The heading it is listed under in help. */
  readonly group?: string;
  /** One of the common flags that `--help` shows first; without any, it shows all. */
  readonly common?: true;
}
interface TextFlag extends FlagBase {
  readonly type: "string";
  readonly default?: string;
  readonly choices?: readonly string[];
  /** It may be repeated; its value is then the list of all values. */
  readonly repeats?: true;
}
export interface NumberFlag extends FlagBase {
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
  : F extends { repeats: true }
    ? readonly string[]
    : F extends { default: number }
      ? number
      : F extends NumberFlag
        ? number | undefined
        : F extends { default: string }
          ? string
          : string | undefined;

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

export type FlagWord = string | number | boolean | readonly string[] | undefined;

export const STORE_FLAG = {
  type: "string",
  value: "STORE",
  help: "where calls are kept: a file, or postgres://… (FABULA_STORE; else a file in the user's data folder)",
} as const satisfies Flag;

/** The value of a flag that a command requires. */
export function requireFlag<Value>(command: string, flag: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new FabulaError("E_USAGE", `\`fabula ${command}\` needs --${flag}. See \`fabula ${command} --help\`.`);
}

/** The only argument of a command, such as the name of a shell. */
export function requireOperand(command: string, what: string, operands: readonly string[]): string {
  if (operands.length === 1) return operands[0]!;
  throw new FabulaError("E_USAGE", `\`fabula ${command}\` takes one ${what}. See \`fabula ${command} --help\`.`);
}

/** The embedded judges work on this machine, ask no model and cost nothing. `embedded` is the predictor of `reader`. */
export function isEmbedded(judge: string): boolean {
  return isOfTheJury(judge) || judge === "embedded";
}

/** The items of a comma-separated list. */
export function listed(words: string | undefined): string[] {
  return (words ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** The judges that the flags name; the panel, if there is one. */
export function judgesNamed(value: (flag: string) => FlagWord): string[] {
  const [panel, judge] = [value("panel"), value("judge")];
  if (typeof panel === "string") return listed(panel);
  return typeof judge === "string" ? [judge] : [];
}
