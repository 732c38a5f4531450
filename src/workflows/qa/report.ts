import { FabulaError } from "../../core/errors.ts";
import { readSteps, type Step } from "../../qa/dataset/steps.ts";

/** What every stage that led to a file removed, and why. */
export async function reportSteps(file: string): Promise<Step[]> {
  const steps = await readSteps(file);
  if (steps.length > 0) return steps;
  throw new FabulaError(
    "E_QA_STEPS",
    `No steps are known for "${file}": \`fabula qa filter\`, \`dedupe\` and \`refine\` write them beside what they write with --out.`,
  );
}
