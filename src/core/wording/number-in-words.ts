/** Which numbers are allowed: `a whole number from 1 to 100`. */
export function numberInWords(limits: {
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}): string {
  const { integer, minimum, maximum } = limits;
  const kind = integer ? "a whole number" : "a number";
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind} of at least ${minimum}`;
  if (maximum !== undefined) return `${kind} of at most ${maximum}`;
  return kind;
}
