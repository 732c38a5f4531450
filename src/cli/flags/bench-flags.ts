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
  judge: { type: "string", value: "NAME", default: "pocket", help: "the judge: pocket, or a language model" },
  panel: { type: "string", value: "J1,J2", help: "several judges score together, each counted the same" },
  rubric: {
    type: "string",
    value: "NAME|FILE",
    default: "novel-bench-en",
    help: "the dimensions a language model scores",
  },
  ...BENCH_PROMPT_FLAGS,
} as const satisfies Flags;

export function benchPrompts(flags: { readonly prompts: string | undefined }): PromptSource {
  return flags.prompts === undefined ? shippedPrompts : ownPrompts(flags.prompts);
}

export function benchJudges(flags: { readonly judge: string; readonly panel: string | undefined }): readonly string[] {
  const panel = listed(flags.panel);
  return panel.length > 0 ? [...new Set(panel)] : [flags.judge];
}

/** The embedded judges call no model. */
export function asksLanguageModels(judges: readonly string[]): boolean {
  return !judges.every(isEmbedded);
}
