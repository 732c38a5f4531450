import { mean } from "../../stats/distribution/mean.ts";
import { sum } from "../../stats/distribution/sum.ts";
import { studentInterval } from "../../stats/special/student-interval.ts";
import type { BenchWords } from "../words/bench-words.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";

export interface SelfPreference {
  readonly family: string;
  readonly writers: readonly string[];
  /**
   * How much higher the judge places its own family than a second judge does, against how it treats writers of neither's
   * family. In composites: percentiles of strong writers are all near 100 with either judge, and would hide it. Null without
   * a judge of another family, or without enough writers to say how far it may be chance.
   */
  readonly advantage: number | null;
  /** 95 %, over writers. */
  readonly interval: readonly [number, number] | null;
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

/** A second opinion: who gave it, and the leaderboard by it. */
interface OtherJudge {
  readonly judge: string;
  readonly board: Leaderboard;
}

/**
 * A judge may favour writers of its own family. With a second judge of another family the advantage is measured as a
 * difference of differences, against the writers of neither family: a second judge that favours its own would else make the
 * first look unfair. Without one, there is only the
 * warning.
 */
export function selfPreference(
  judge: string,
  board: Leaderboard,
  second: OtherJudge | null,
  { warnings }: BenchWords,
): SelfPreference | null {
  const family = modelFamily(judge);
  if (!family) return null;
  const own = board.rows.filter((row) => modelFamily(row.writer) === family);
  if (own.length === 0) return null;
  const writers = own.map((row) => row.writer);
  const warning = warnings.ownFamily(judge, writers.length, family);
  return { family, writers, ...advantageOf(family, board, second), warning };
}

function advantageOf(
  family: string,
  { rows }: Leaderboard,
  second: OtherJudge | null,
): Pick<SelfPreference, "advantage" | "interval"> {
  const otherFamily = second && modelFamily(second.judge);
  if (!second || otherFamily === family) return { advantage: null, interval: null };
  const other = new Map(second.board.rows.map((row) => [row.writer, row.composite]));
  const gaps = (isWanted: (writersFamily: string | null) => boolean) =>
    rows.flatMap(({ writer, composite }) => {
      const byOther = other.get(writer);
      return byOther === undefined || !isWanted(modelFamily(writer)) ? [] : [composite - byOther];
    });
  const own = gaps((writersFamily) => writersFamily === family);
  const neutral = gaps((writersFamily) => writersFamily !== family && (!otherFamily || writersFamily !== otherFamily));
  return differenceOfMeans(own, neutral);
}

/**
 * Student's interval with one variance for both groups: judges differ on single writers whatever their family, and a family
 * of one writer does not say by how much. The writers are the sample, because the claim is about families of them.
 */
function differenceOfMeans(own: readonly number[], neutral: readonly number[]) {
  const degreesOfFreedom = own.length + neutral.length - 2;
  const squares = sum([own, neutral].map((gaps) => sum(gaps.map((gap) => (gap - mean(gaps)) ** 2))));
  if (own.length === 0 || neutral.length === 0 || degreesOfFreedom < 1 || squares === 0)
    return { advantage: null, interval: null };
  const error = Math.sqrt((squares / degreesOfFreedom) * (1 / own.length + 1 / neutral.length));
  const advantage = mean(own) - mean(neutral);
  return { advantage, interval: studentInterval(advantage, error, degreesOfFreedom) };
}
