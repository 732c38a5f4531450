/** A difference with its sign, a real minus included; what rounds to zero has none. */
export function signedNumber(value: number, digits: number): string {
  const size = Math.abs(value).toFixed(digits);
  if (Number(size) === 0) return size;
  return `${value > 0 ? "+" : "−"}${size}`;
}
