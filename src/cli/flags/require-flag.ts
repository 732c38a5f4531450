import { FabulaError } from "../../core/errors.ts";

/** The value of a flag that a command cannot do without. */
export function requireFlag<Value>(command: string, flag: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new FabulaError("E_USAGE", `\`fabula ${command}\` needs --${flag}. See \`fabula ${command} --help\`.`);
}
