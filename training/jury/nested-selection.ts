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
  /** How often all of it is done, each time with the folds dealt again… */
  readonly deals: number;
  /** …from this seed on. */
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** What choosing inside the folds gave: predictions by the settings each fold chose, and what all texts together choose. */
export interface NestedResult {
  /** By deal, by lesson. */
  readonly held: readonly Float64Array[];
  /** By deal and outer fold: the name of the settings that its training texts chose. */
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
  { outer, inner, deals, seed, say }: NestedOptions,
): NestedResult {
  // Only whole texts are measured here.
  const whole: Material = { ...material, readings: {} };
  const choose = (places: readonly number[], from: number, name: string): Candidate => {
    const splits = splitsWithin(whole, places, inner, from + 7);
    const merits = candidates.map(({ settings }) => merit(predictSplits(whole, splits, settings, () => {})));
    const best = candidates[merits.indexOf(Math.max(...merits))]!;
    say(`${name}: ${candidates.map((one, at) => `${one.name} ${merits[at]!.toFixed(3)}`).join("; ")} → ${best.name}`);
    return best;
  };
  const chosen: string[] = [];
  const held = Array.from({ length: deals }, (_, deal) => {
    const from = dealSeed(seed, deal);
    const predictions = new Float64Array(material.lessons.length).fill(Number.NaN);
    familySplits(material.lessons, outer, from).forEach((split, fold) => {
      const best = choose(split.training, from, `deal ${deal + 1}, fold ${fold + 1} of ${outer}`);
      const own = predictSplits(whole, [split], best.settings, () => {}).whole;
      for (const place of split.test) predictions[place] = own[place]!;
      chosen.push(best.name);
    });
    return predictions;
  });
  return { held, chosen, final: choose([...material.lessons.keys()], seed, "all texts").name };
}

/** Deals must not share a seed: folds of families, of writers and of inner choices each take one near the deal's own. */
export function dealSeed(seed: number, deal: number): number {
  return seed + 100 * deal;
}

/** Folds by family among some of the lessons, as places among all of them. */
function splitsWithin({ lessons }: Material, places: readonly number[], folds: number, seed: number): Split[] {
  const own = places.map((place) => lessons[place]!);
  return familySplits(own, folds, seed).map(({ training, test }) => ({
    training: training.map((place) => places[place]!),
    test: test.map((place) => places[place]!),
  }));
}
