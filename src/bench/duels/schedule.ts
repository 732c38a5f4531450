import { type Random, shuffled } from "../../core/random.ts";
import { studentizedRangeAbove } from "../../stats/special/studentized-range.ts";
import { SIGNIFICANCE } from "../writers/compare-writers.ts";
import type { Meeting } from "./duel.ts";
import { type Decided, distanceOf, fitWins } from "./duel-board.ts";

/** A synopsis, and who has a text written from it. */
export interface DuelItem {
  readonly novel: string;
  readonly chapter: number;
  readonly writers: ReadonlySet<string>;
}

export interface Scheduling {
  readonly writers: readonly string[];
  readonly items: readonly DuelItem[];
  readonly judges: readonly string[];
  /** Whether a judge may decide between two writers; not if one of them is of its model family. */
  mayJudge(judge: string, one: string, other: string): boolean;
}

/** Before this many comparisons, nobody counts as far above or below: a lucky start looks settled. */
const LEAST_MEETINGS = 4;
/** In one round nobody is compared more often than this, so that the questions can be asked side by side. */
const MOST_IN_ROUND = 2;
/** How strongly pairs that are close to being decided are preferred over pairs with almost no difference. */
const NEARNESS = 4;
/**
 * A pair counts as settled only this far beyond the critical distance, because the letters also allow for novels and
 * judges.
 */
const FAR = 1.3;

/** Decides who meets next, on which synopsis and before which judge, from all answers so far. */
export class DuelSchedule {
  readonly #given: Scheduling;
  readonly #random: Random;
  readonly #place: ReadonlyMap<string, number>;
  readonly #wins: number[][];
  readonly #met: number[];
  readonly #critical: number;
  /** Answers by pair and judge, and by text; meetings that are done, by pair and synopsis. */
  readonly #counts = new Map<string, number>();
  readonly #done = new Set<string>();
  #strengths: readonly number[] | undefined;

  constructor(given: Scheduling, random: Random) {
    this.#given = given;
    this.#random = random;
    this.#place = new Map(given.writers.map((writer, at) => [writer, at]));
    this.#wins = given.writers.map(() => new Array<number>(given.writers.length).fill(0));
    this.#met = given.writers.map(() => 0);
    this.#critical = criticalDistance(given.writers.length);
  }

  /** Adds one answer, in one order: half of a comparison. */
  add({ novel, chapter, left, right, judge, better }: Meeting & Pick<Decided, "better">): void {
    const [one, other] = [this.#place.get(left), this.#place.get(right)];
    if (one === undefined || other === undefined) return;
    const share = better === "tie" || better === null ? 0.5 : better === "left" ? 1 : 0;
    this.#wins[one]![other]! += 0.5 * share;
    this.#wins[other]![one]! += 0.5 * (1 - share);
    this.#met[one]! += 0.5;
    this.#met[other]! += 0.5;
    this.#count(`${pairKey(left, right)}\n${judge}`);
    this.#done.add(`${pairKey(left, right)}\n${novel}\n${chapter}`);
    for (const writer of [left, right]) this.#count(`${writer}\n${novel}\n${chapter}`);
  }

  /**
   * The next comparisons, best first: pairs that are not told apart yet, whose outcome is open, whose strengths are
   * least known, and that are close to being decided; on the synopsis whose two texts were compared least, by the
   * judge who decided between the two least often. Empty if every pair is told apart, or nothing is left to compare.
   */
  next(most: number): Meeting[] {
    const { items, judges, mayJudge } = this.#given;
    const turns = new Map<string, number>();
    const meetings: Meeting[] = [];
    for (const { left, right } of this.#openPairs()) {
      if (meetings.length >= most) break;
      if (Math.max(turns.get(left) ?? 0, turns.get(right) ?? 0) >= MOST_IN_ROUND) continue;
      const key = pairKey(left, right);
      const able = judges.filter((judge) => mayJudge(judge, left, right));
      const [judge] = shuffled(able, this.#random).sort(
        (one, other) => this.#countOf(`${key}\n${one}`) - this.#countOf(`${key}\n${other}`),
      );
      const item = judge === undefined ? null : this.#leastUsed(items, left, right);
      if (judge === undefined || !item) continue;
      for (const writer of [left, right]) turns.set(writer, (turns.get(writer) ?? 0) + 1);
      meetings.push({ novel: item.novel, chapter: item.chapter, left, right, judge });
    }
    return meetings;
  }

  /** Whether every pair is told apart. */
  isSettled(): boolean {
    return this.#openPairs().length === 0;
  }

  #openPairs(): { readonly left: string; readonly right: string }[] {
    const { writers } = this.#given;
    const size = writers.length;
    const fit = fitWins(this.#wins, this.#strengths);
    const { strengths, covariance } = fit;
    this.#strengths = strengths;
    const open = writers.flatMap((left, one) =>
      writers.slice(one + 1).flatMap((right, offset) => {
        const other = one + 1 + offset;
        const difference = strengths[one]! - strengths[other]!;
        const variance =
          covariance[one * size + one]! + covariance[other * size + other]! - 2 * covariance[one * size + other]!;
        const distance = distanceOf(this.#wins, fit, one, other);
        const isNew = Math.min(this.#met[one]!, this.#met[other]!) < LEAST_MEETINGS;
        if (!isNew && distance > FAR * this.#critical) return [];
        const chance = 1 / (1 + Math.exp(-difference));
        const nearness = isNew ? 1 : 1 / (1 + Math.max(0, this.#critical - distance) ** 2 / NEARNESS);
        return [{ left, right, worth: chance * (1 - chance) * variance * nearness }];
      }),
    );
    // At the start, equals are ordered at random; later there are no equals.
    return shuffled(open, this.#random).sort((one, other) => other.worth - one.worth);
  }

  #leastUsed(items: readonly DuelItem[], left: string, right: string): DuelItem | null {
    let best: DuelItem | null = null;
    let least = Number.POSITIVE_INFINITY;
    // Starts at a random position, so that equals take turns.
    const start = Math.floor(this.#random() * items.length);
    for (let step = 0; step < items.length && least > 0; step++) {
      const item = items[(start + step) % items.length]!;
      const { novel, chapter, writers } = item;
      if (!writers.has(left) || !writers.has(right)) continue;
      if (this.#done.has(`${pairKey(left, right)}\n${novel}\n${chapter}`)) continue;
      const uses = this.#countOf(`${left}\n${novel}\n${chapter}`) + this.#countOf(`${right}\n${novel}\n${chapter}`);
      if (uses < least) [best, least] = [item, uses];
    }
    return best;
  }

  #count(key: string): void {
    this.#counts.set(key, this.#countOf(key) + 1);
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

/**
 * By how many standard errors two strengths must differ to be told apart, for so many contestants and many
 * comparisons.
 */
function criticalDistance(contestants: number): number {
  let [low, high] = [1, 10];
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    if (studentizedRangeAbove(Math.SQRT2 * middle, contestants, 1e4) > SIGNIFICANCE) low = middle;
    else high = middle;
  }
  return high;
}

function pairKey(one: string, other: string): string {
  return one < other ? `${one}\n${other}` : `${other}\n${one}`;
}
