import { kernelDensity } from "../../src/stats/distribution/kernel-density.ts";

/** Points of a smooth curve over a population: the same curve that reports draw. Empty where a population has no spread. */
export function density(
  values: readonly number[],
  [low, high]: readonly [number, number],
  steps = 120,
): { readonly x: number; readonly y: number }[] {
  const height = kernelDensity(values);
  if (!height) return [];
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = low + ((high - low) * step) / steps;
    return { x, y: height(x) };
  });
}
