import { FabulaError } from "../../core/errors.ts";

/** The only word a command takes, such as the name of a profile. */
export function requireOperand(command: string, what: string, operands: readonly string[]): string {
  if (operands.length === 1) return operands[0]!;
  throw new FabulaError("E_USAGE", `\`fabula ${command}\` takes one ${what}. See \`fabula ${command} --help\`.`);
}
