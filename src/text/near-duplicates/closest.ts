/** An earlier text that a text resembles. */
export interface Resemblance {
  readonly earlier: number;
  /** By the signatures, 0–1. */
  readonly estimate: number;
}

/** More than this many are cut back to those worth keeping: sorting now and then is cheaper than at each. */
const ROOM = 2;

/**
 * For every text the few earlier ones that it resembles most. Among many retellings of one story everything resembles everything:
 * comparing all of them would take time that grows with the square of their number.
 */
export class ClosestEarlier {
  readonly #most: number;
  readonly #lists = new Map<number, Resemblance[]>();

  constructor(most: number) {
    this.#most = most;
  }

  has(text: number, earlier: number): boolean {
    return this.#lists.get(text)?.some((known) => known.earlier === earlier) ?? false;
  }

  add(text: number, resemblance: Resemblance): void {
    const list = this.#lists.get(text);
    if (!list) this.#lists.set(text, [resemblance]);
    else if (list.push(resemblance) > ROOM * this.#most) this.#cut(list);
  }

  /** Texts in order, each with the earlier ones it resembles most, the closest first. */
  *[Symbol.iterator](): Generator<readonly [number, readonly Resemblance[]]> {
    for (const text of [...this.#lists.keys()].sort((left, right) => left - right)) {
      const list = this.#lists.get(text)!;
      this.#cut(list);
      yield [text, list];
    }
  }

  #cut(list: Resemblance[]): void {
    list.sort((left, right) => right.estimate - left.estimate || left.earlier - right.earlier);
    list.length = Math.min(list.length, this.#most);
  }
}
