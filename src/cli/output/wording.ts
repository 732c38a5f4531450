import { FabulaError } from "../../core/errors.ts";

/** The single operand of a command. */
export function onlyOperand(operands: readonly string[], usage: string): string {
  const [operand] = operands;
  if (operand === undefined || operands.length > 1) throw new FabulaError("E_USAGE", `Write \`${usage}\`.`);
  return operand;
}
