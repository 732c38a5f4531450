export interface SpeakerChoice {
  /** Place in the list of candidates. */
  readonly best: number;
  /** How far the whole conversation's score falls if anybody else speaks this turn. */
  readonly margin: number;
}

export interface TransitionWeights {
  /** Two turns in a row by one speaker. */
  readonly sameAsBefore: number;
  /** The speaker of the turn before the last speaks again. */
  readonly backAgain: number;
  /** What is left of both where narration stands between the turns. */
  readonly narration: number;
}

/**
 * The likeliest speakers of a conversation as a whole, by dynamic programming over pairs of speakers: people take turns,
 * so what one turn shows bears on its neighbours. For each turn also how clear the choice is.
 *
 * `evidence[turn][candidate]` is what the turn itself shows, `goesOn[turn]` that it continues the speech before, and
 * `pauses[turn]` how many paragraphs of narration precede it.
 */
export function bestSpeakers(
  evidence: readonly (readonly number[])[],
  goesOn: readonly boolean[],
  pauses: readonly number[],
  weights: TransitionWeights,
): SpeakerChoice[] {
  const turns = evidence.length;
  const count = evidence[0]!.length;
  const step = (turn: number, earlier: number, previous: number, current: number): number => {
    const own = evidence[turn]![current]!;
    if (turn === 0) return own;
    if (goesOn[turn]) return current === previous ? own + 20 : own - 20;
    const scale = pauses[turn] === 0 ? 1 : weights.narration;
    if (current === previous) return own + scale * weights.sameAsBefore;
    const isBack = turn > 1 && current === earlier;
    return isBack ? own + scale * weights.backAgain * (pauses[turn - 1] === 0 ? 1 : weights.narration) : own;
  };
  // forward[turn][previous * count + current]: the best score of all turns up to this one that ends in that pair.
  const forward = Array.from({ length: turns }, () => new Float64Array(count * count).fill(Number.NEGATIVE_INFINITY));
  const backward = Array.from({ length: turns }, () => new Float64Array(count * count));
  for (let previous = 0; previous < count; previous++) {
    for (let current = 0; current < count; current++) forward[0]![previous * count + current] = step(0, 0, 0, current);
  }
  for (let turn = 1; turn < turns; turn++) {
    for (let previous = 0; previous < count; previous++) {
      for (let current = 0; current < count; current++) {
        let best = Number.NEGATIVE_INFINITY;
        for (let earlier = 0; earlier < count; earlier++) {
          const value = forward[turn - 1]![earlier * count + previous]! + step(turn, earlier, previous, current);
          if (value > best) best = value;
        }
        forward[turn]![previous * count + current] = best;
      }
    }
  }
  for (let turn = turns - 2; turn >= 0; turn--) {
    for (let previous = 0; previous < count; previous++) {
      for (let current = 0; current < count; current++) {
        let best = Number.NEGATIVE_INFINITY;
        for (let next = 0; next < count; next++) {
          const value = backward[turn + 1]![current * count + next]! + step(turn + 1, previous, current, next);
          if (value > best) best = value;
        }
        backward[turn]![previous * count + current] = best;
      }
    }
  }
  return evidence.map((_, turn) => clearest(forward[turn]!, backward[turn]!, count));
}

function clearest(forward: Float64Array, backward: Float64Array, count: number): SpeakerChoice {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  let second = Number.NEGATIVE_INFINITY;
  for (let current = 0; current < count; current++) {
    let value = Number.NEGATIVE_INFINITY;
    for (let previous = 0; previous < count; previous++) {
      const pair = previous * count + current;
      value = Math.max(value, forward[pair]! + backward[pair]!);
    }
    if (value > most) {
      second = most;
      most = value;
      best = current;
    } else if (value > second) second = value;
  }
  return { best, margin: most - second };
}
