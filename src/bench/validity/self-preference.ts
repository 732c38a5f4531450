import { mean } from "../../stats/distribution/mean.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";

export interface SelfPreference {
  readonly family: string;
  readonly writers: readonly string[];
  /** How much higher the judge places its own family than a second judge does, in percentile points, against how it treats the others. */
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
export function selfPreference(judge: string, board: Leaderboard, second?: Leaderboard): SelfPreference | null {
  const family = modelFamily(judge);
  if (!family) return null;
  const own = board.rows.filter((row) => modelFamily(row.writer) === family);
  if (own.length === 0) return null;
  const writers = own.map((row) => row.writer);
  const warning = `${judge} judges ${writers.length} ${writers.length === 1 ? "writer" : "writers"} of its own family (${family}): confirm the order with a judge of another family.`;
  if (!second) return { family, writers, advantage: null, warning };
  const other = new Map(second.rows.map((row) => [row.writer, row.level]));
  const gaps = (rows: Leaderboard["rows"]) =>
    rows.flatMap((row) => {
      const level = other.get(row.writer);
      return level === undefined ? [] : [row.level - level];
    });
  const ownGaps = gaps(own);
  const otherGaps = gaps(board.rows.filter((row) => !writers.includes(row.writer)));
  const advantage = ownGaps.length > 0 && otherGaps.length > 0 ? mean(ownGaps) - mean(otherGaps) : null;
  return { family, writers, advantage, warning };
}
