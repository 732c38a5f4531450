import { isScored } from "../core/verdict.ts";
import type { PromptLanguage } from "../prompts/load-prompt.ts";
import type { AspectResult } from "./evaluation.ts";

const WORDS = {
  en: {
    ends: (best: string, worst: string) => `Of the aspects, ${best} is judged best and ${worst} worst.`,
    one: (only: string) => `Judged by ${only} alone.`,
    often: (remark: string, times: number) => `Said most often (${times} times): ${remark}`,
  },
  zh: {
    ends: (best: string, worst: string) => `各方面中，${best}评价最高，${worst}评价最低。`,
    one: (only: string) => `只评判了${only}。`,
    often: (remark: string, times: number) => `说得最多的（${times} 次）：${remark}`,
  },
} as const;

/** Sums verdicts up where no judge did, as when each segment was judged by itself: facts about the verdicts, nothing more. */
export function sumUp(aspects: readonly AspectResult[], language: PromptLanguage): string | null {
  const words = WORDS[language];
  const ranked = aspects
    .flatMap(({ name, parent, verdict }) =>
      parent === undefined && isScored(verdict)
        ? [{ name: `${name} (${verdict.score.toFixed(1)})`, score: verdict.score }]
        : [],
    )
    .sort((left, right) => right.score - left.score);
  const [best] = ranked;
  if (!best) return null;
  const [said] = aspects
    .flatMap(({ weaknesses }) => weaknesses)
    .sort((left, right) => (right.times ?? 1) - (left.times ?? 1));
  const often = said && (said.times ?? 1) > 1 ? ` ${words.often(said.text, said.times!)}` : "";
  return (ranked.length === 1 ? words.one(best.name) : words.ends(best.name, ranked.at(-1)!.name)) + often;
}
