import { FabulaError } from "../../core/errors.ts";
import { isOfTheJury } from "../../jury/juror.ts";

interface FlagBase {
  readonly help: string;
  /** The placeholder for the value in the usage line: `--out FILE`. */
  readonly value?: string;
  /** The title that it stands under in help. */
  readonly group?: string;
  /** One of the few that `--help` shows; without any, it shows all. */
  readonly common?: true;
}
interface TextFlag extends FlagBase {
  readonly type: "string";
  readonly default?: string;
  readonly choices?: readonly string[];
  /** It may be given several times, and its value is the list of all. */
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

/** The value of a flag that a command cannot do without. */
export function requireFlag<Value>(command: string, flag: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new FabulaError("E_USAGE", `\`fabula ${command}\` needs --${flag}. See \`fabula ${command} --help\`.`);
}

/** The only word a command takes, such as the name of a shell. */
export function requireOperand(command: string, what: string, operands: readonly string[]): string {
  if (operands.length === 1) return operands[0]!;
  throw new FabulaError("E_USAGE", `\`fabula ${command}\` takes one ${what}. See \`fabula ${command} --help\`.`);
}

/**
 * The embedded judges: they work on this machine, ask no model and cost nothing. `embedded` is the predictor of
 * `reader`.
 */
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

/** The judges that the flags name: the panel, if there is one. */
export function judgesNamed(value: (flag: string) => FlagWord): string[] {
  const [panel, judge] = [value("panel"), value("judge")];
  if (typeof panel === "string") return listed(panel);
  return typeof judge === "string" ? [judge] : [];
}
