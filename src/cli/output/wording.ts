import { FabulaError } from "../../core/errors.ts";

/** Small amounts need their digits: a call may cost a hundredth of a cent. */
export function dollars(amount: number | null): string {
  if (amount === null) return "unknown";
  return `$${amount.toFixed(amount === 0 || amount >= 1 ? 2 : 4)}`;
}

/** The single operand of a command. */
export function onlyOperand(operands: readonly string[], usage: string): string {
  const [operand] = operands;
  if (operand === undefined || operands.length > 1) throw new FabulaError("E_USAGE", `Write \`${usage}\`.`);
  return operand;
}
