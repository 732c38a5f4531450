import { FabulaError } from "../../core/errors.ts";

/** The value of a flag that a command cannot do without. */
export function requireFlag<Value>(command: string, flag: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  const next = flag === "judge" ? "`fabula setup` finds the models that work here." : "";
  throw new FabulaError(
    "E_USAGE",
    `\`fabula ${command}\` needs --${flag}.${next && ` ${next}`} See \`fabula ${command} --help\`.`,
  );
}
