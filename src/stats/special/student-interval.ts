import { mean, standardDeviation } from "../distribution.ts";
import { studentQuantile } from "./student-t.ts";

/** Student's 95 % interval around an estimate whose standard error was itself estimated with these degrees of freedom. */
export function studentInterval(estimate: number, standardError: number, degreesOfFreedom: number): [number, number] {
  const half = studentQuantile(degreesOfFreedom) * standardError;
  return [estimate - half, estimate + half];
}

/** Student's 95 % interval of a mean; null for fewer than two values or equal ones, which say nothing about their own spread. */
export function meanInterval(values: readonly number[]): [number, number] | null {
  const count = values.length;
  if (count < 2) return null;
  const deviation = standardDeviation(values);
  return deviation > 0 ? studentInterval(mean(values), deviation / Math.sqrt(count), count - 1) : null;
}
