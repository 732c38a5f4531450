import { assetPath } from "../core/assets.ts";
import type { Ground, JurorId } from "./juror.ts";
import { readJuror } from "./juror-file.ts";
import { LinearJudge } from "./linear-judge.ts";
import type { PreparedText } from "./prepare-text.ts";

/** What stands beside a score given outside a juror's ground. */
export const OUTSIDE = "outside what this juror learnt from";

/**
 * Tells what each juror learnt from apart from other prose: one linear model with an output per juror, about 0 for texts
 * of its own kind and about 1 for novels of the nineteenth century, which are known to be outside.
 */
export interface GroundModel {
  /** How far a text is from what this juror learnt from. */
  distance(juror: JurorId, chapters: readonly PreparedText[]): number;
  readonly limits: Readonly<Record<JurorId, { readonly outside: number; readonly farOutside: number }>>;
}

export const GROUND_FILE = "weights.bin";

export function loadGround(folder = assetPath("models", "ground")): GroundModel {
  const { model, head } = readJuror(folder, GROUND_FILE, "ground");
  const linear = new LinearJudge(model);
  const remembered = new WeakMap<PreparedText, Float64Array>();
  const outputsOf = (text: PreparedText): Float64Array => {
    const known = remembered.get(text);
    if (known) return known;
    const outputs = linear.score(linear.read(text.prose, text.counts));
    remembered.set(text, outputs);
    return outputs;
  };
  return {
    limits: head.limits!,
    distance(juror, chapters) {
      const output = head.outputs.indexOf(juror);
      const words = chapters.reduce((sum, { prose }) => sum + prose.wordCount, 0);
      return chapters.reduce(
        (sum, text) =>
          text.prose.wordCount === 0 ? sum : sum + (outputsOf(text)[output]! * text.prose.wordCount) / words,
        0,
      );
    },
  };
}

export function groundOf(model: GroundModel, juror: JurorId, chapters: readonly PreparedText[]): Ground {
  const distance = model.distance(juror, chapters);
  const { outside, farOutside } = model.limits[juror];
  if (distance >= farOutside) return "far outside";
  return distance >= outside ? "outside" : "inside";
}
