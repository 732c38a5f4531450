import {
  familySplits,
  type HeldOut,
  type Material,
  predictSplits,
  type Settings,
  type Split,
} from "./cross-validate.ts";

/** A setting among those compared, by a name that fits on a card. */
export interface Candidate<S = Settings> {
  readonly name: string;
  readonly settings: S;
}

export interface NestedOptions {
  readonly outer: number;
  readonly inner: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** What choosing inside the folds gave: predictions by the settings each fold chose, and what all texts together choose. */
export interface NestedResult {
  readonly held: HeldOut;
  /** By outer fold: the name of the settings that its training texts chose. */
  readonly chosen: readonly string[];
  /** Chosen by the same procedure from all texts: the settings to ship. */
  readonly final: string;
}

/**
 * Nested cross-validation. For each outer fold, inner folds of its training texts alone choose among the candidates; the
 * chosen settings learn from all of its training texts and are measured on the fold, which took no part in the choice.
 */
export function nestedSelection(
  material: Material,
  candidates: readonly Candidate[],
  merit: (held: HeldOut) => number,
  { outer, inner, seed, say }: NestedOptions,
): NestedResult {
  const choose = (places: readonly number[], name: string): Candidate => {
    const splits = splitsWithin(material, places, inner, seed + 7);
    const merits = candidates.map(({ settings }) => merit(predictSplits(material, splits, settings, () => {})));
    const best = candidates[merits.indexOf(Math.max(...merits))]!;
    say(`${name}: ${candidates.map((one, at) => `${one.name} ${merits[at]!.toFixed(3)}`).join("; ")} → ${best.name}`);
    return best;
  };
  const splits = familySplits(material.lessons, outer, seed);
  const choices = splits.map(({ training }, fold) => choose(training, `fold ${fold + 1} of ${outer}`));
  const parts = splits.map((split, fold) => ({
    split,
    held: predictSplits(material, [split], choices[fold]!.settings, () => {}),
  }));
  const merged = (of: (held: HeldOut) => Float64Array) => {
    const all = new Float64Array(material.lessons.length).fill(Number.NaN);
    for (const { split, held } of parts) for (const place of split.test) all[place] = of(held)[place]!;
    return all;
  };
  return {
    held: {
      whole: merged(({ whole }) => whole),
      readings: Object.fromEntries(
        Object.keys(material.readings).map((name) => [name, merged(({ readings }) => readings[name]!)]),
      ),
    },
    chosen: choices.map(({ name }) => name),
    final: choose([...material.lessons.keys()], "all texts").name,
  };
}

/** Folds by family among some of the lessons, as places among all of them. */
function splitsWithin({ lessons }: Material, places: readonly number[], folds: number, seed: number): Split[] {
  const own = places.map((place) => lessons[place]!);
  return familySplits(own, folds, seed).map(({ training, test }) => ({
    training: training.map((place) => places[place]!),
    test: test.map((place) => places[place]!),
  }));
}
