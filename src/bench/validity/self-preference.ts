import { mean } from "../../stats/distribution/mean.ts";
import type { BenchWords } from "../words/bench-words.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";

export interface SelfPreference {
  readonly family: string;
  readonly writers: readonly string[];
  /**
   * How much higher the judge places its own family than a second judge does, against how it treats the others. In composites:
   * percentiles of strong writers are all near 100 with either judge, and would hide it.
   */
  readonly advantage: number | null;
  readonly warning: string;
}

/** The maker's family of a model by its name: `openai:gpt-4o` and `gpt-5-mini` are one family, `claude-…` another. */
export function modelFamily(name: string): string | null {
  const base = name.toLowerCase().replace(/^[a-z]+:/, "");
  const match = FAMILIES.find(([, pattern]) => pattern.test(base));
  return match?.[0] ?? null;
}

const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ["gpt", /\b(gpt|chatgpt|o[134](-|$))/],
  ["claude", /claude/],
  ["gemini", /gemini|gemma/],
  ["llama", /llama/],
  ["qwen", /qwen|qwq/],
  ["deepseek", /deepseek/],
  ["mistral", /mistral|mixtral|ministral/],
  ["glm", /glm/],
  ["grok", /grok/],
  ["kimi", /kimi|moonshot/],
  ["command", /command-/],
];

/**
 * A judge may favour writers of its own family. With a second judge of another family the advantage is measured as a
 * difference of differences; without one, there is only the warning.
 */
export function selfPreference(
  judge: string,
  board: Leaderboard,
  second: Leaderboard | null,
  { warnings }: BenchWords,
): SelfPreference | null {
  const family = modelFamily(judge);
  if (!family) return null;
  const own = board.rows.filter((row) => modelFamily(row.writer) === family);
  if (own.length === 0) return null;
  const writers = own.map((row) => row.writer);
  const warning = warnings.ownFamily(judge, writers.length, family);
  if (!second) return { family, writers, advantage: null, warning };
  const other = new Map(second.rows.map((row) => [row.writer, row.composite]));
  const gaps = (rows: Leaderboard["rows"]) =>
    rows.flatMap((row) => {
      const composite = other.get(row.writer);
      return composite === undefined ? [] : [row.composite - composite];
    });
  const ownGaps = gaps(own);
  const otherGaps = gaps(board.rows.filter((row) => !writers.includes(row.writer)));
  const advantage = ownGaps.length > 0 && otherGaps.length > 0 ? mean(ownGaps) - mean(otherGaps) : null;
  return { family, writers, advantage, warning };
}
