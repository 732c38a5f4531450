import { FabulaError } from "../../core/errors.ts";
import { ownPrompts, type PromptSource, shippedPrompts } from "../../prompts/own-prompts.ts";
import { isEmbedded, listed } from "./embedded-judge.ts";
import type { Flags } from "./flag.ts";

/** What models are asked with. */
export const BENCH_PROMPT_FLAGS = {
  prompts: {
    type: "string",
    value: "FOLDER",
    help: "prompts of your own, LANGUAGE/NAME.md: this is how another language is added",
  },
} as const satisfies Flags;

/** Who scores, for every command of the benchmark that asks a judge. */
export const BENCH_JUDGE_FLAGS = {
  judge: {
    type: "string",
    value: "NAME",
    default: "grader",
    help: "who scores: the grader, or a language model",
  },
  panel: { type: "string", value: "J1,J2", help: "several judges score together, each counted the same" },
  rubric: {
    type: "string",
    value: "NAME|FILE",
    help: "the dimensions a language model scores; by default those in the language of the novels",
  },
  ...BENCH_PROMPT_FLAGS,
} as const satisfies Flags;

/** How WebNovelBench scores, where its settings are not the defaults. */
export const PRESET_FLAGS = {
  preset: {
    type: "string",
    value: "paper",
    help: "paper: the judges give whole scores, as WebNovelBench asks for them",
  },
} as const satisfies Flags;

export function asksWholeNumbers({ preset }: { readonly preset: string | undefined }): boolean {
  if (preset === undefined || preset === "paper") return preset === "paper";
  throw new FabulaError("E_USAGE", `There is no preset "${preset}": the only one is --preset paper.`);
}

export function benchPrompts(flags: { readonly prompts: string | undefined }): PromptSource {
  return flags.prompts === undefined ? shippedPrompts : ownPrompts(flags.prompts);
}

export function benchJudges(flags: { readonly judge: string; readonly panel: string | undefined }): readonly string[] {
  const panel = listed(flags.panel);
  return [...new Set((panel.length > 0 ? panel : [flags.judge]).map(scoringJudge))];
}

/** Of the embedded judges only the grader has criteria to score chapters by. */
function scoringJudge(name: string): string {
  if (name !== "grader" && isEmbedded(name)) {
    throw new FabulaError(
      "E_JUDGE_UNKNOWN",
      `The benchmark scores criteria, and the ${name} has none: use --judge grader or a language model.`,
    );
  }
  return name;
}

/** The embedded judges call no model. */
export function asksLanguageModels(judges: readonly string[]): boolean {
  return !judges.every(isEmbedded);
}
