/** A smooth curve over a population: a Gaussian kernel, as wide as Silverman's rule says (1986, eq. 3.31). */
export function density(
  values: readonly number[],
  [low, high]: readonly [number, number],
  steps = 120,
): { readonly x: number; readonly y: number }[] {
  if (values.length < 2) return [];
  const sorted = [...values].sort((left, right) => left - right);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const deviation = Math.sqrt(sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sorted.length - 1));
  const quartile = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  const spread = Math.min(deviation, (quartile(0.75) - quartile(0.25)) / 1.34) || deviation;
  if (spread === 0) return [];
  const width = 0.9 * spread * sorted.length ** -0.2;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = low + ((high - low) * step) / steps;
    const sum = sorted.reduce((total, value) => total + Math.exp(-0.5 * ((x - value) / width) ** 2), 0);
    return { x, y: sum / (sorted.length * width * Math.sqrt(2 * Math.PI)) };
  });
}
