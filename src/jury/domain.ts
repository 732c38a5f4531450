import { assetPath } from "../core/assets.ts";
import type { Domain, JurorId } from "./juror.ts";
import { readJuror } from "./juror-file.ts";
import { LinearJudge } from "./linear-judge.ts";
import { type PreparedText, scoredParts } from "./prepare-text.ts";
import { FOREIGN_LIMITS, foreignPart, measureRepetition, REPETITION_LIMITS } from "./readable.ts";

/**
 * The outputs of the model of the jurors' domain, each about 0 inside and about 1 outside: whether a text reads like
 * an old novel, like prose that is no story, or like prose that is neither story nor essay.
 */
export const DOMAIN_OUTPUTS = ["era", "story", "prose"] as const;
export type DomainOutput = (typeof DOMAIN_OUTPUTS)[number];

/** The distances from which a text is outside, and far outside. */
interface Border {
  readonly outside: number;
  readonly farOutside: number;
}

/** A juror's limits: in time, and between its kind of text and others. */
export interface DomainLimits {
  readonly era: Border;
  readonly kind: Border;
}

export interface DomainModel {
  /** How far a text is from this juror's training data, in time and in kind. */
  distances(juror: JurorId, chapters: readonly PreparedText[]): { readonly era: number; readonly kind: number };
  readonly limits: Readonly<Record<JurorId, DomainLimits>>;
}

export const DOMAIN_FILE = "weights.bin";

/** The editor was trained on essays as well as on stories. */
export function kindOutput(juror: JurorId): DomainOutput {
  return juror === "editor" ? "prose" : "story";
}

export function loadDomain(folder = assetPath("models", "domain")): DomainModel {
  const { model, head } = readJuror(folder, DOMAIN_FILE, "domain");
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
    distances(juror, chapters) {
      const parts = scoredParts(chapters);
      const words = parts.reduce((sum, { prose }) => sum + prose.wordCount, 0);
      const mean = (output: DomainOutput) => {
        const place = head.outputs.indexOf(output);
        return parts.reduce(
          (sum, text) =>
            text.prose.wordCount === 0 ? sum : sum + (outputsOf(text)[place]! * text.prose.wordCount) / words,
          0,
        );
      };
      return { era: mean("era"), kind: mean(kindOutput(juror)) };
    },
  };
}

/** How close a text is to the juror's training data, with the caveat to show; null when there is none. */
export interface DomainMatch {
  readonly domain: Domain;
  readonly reason: string | null;
}

/** A shorter passage of a story cannot be distinguished from other kinds of text. */
const ENOUGH_TO_REFUSE = 100;

const OUTSIDE = "outside what this juror learnt from";

export function domainMatch(model: DomainModel, juror: JurorId, chapters: readonly PreparedText[]): DomainMatch {
  const { era, kind } = model.distances(juror, chapters);
  const limits = model.limits[juror];
  const other = juror === "editor" ? "neither a story nor an essay" : "not a story";
  const words = chapters.reduce((sum, { prose }) => sum + prose.wordCount, 0);
  if (kind >= limits.kind.farOutside && words >= ENOUGH_TO_REFUSE) {
    return {
      domain: "far outside",
      reason: `the text does not read as a story${juror === "editor" ? " or an essay" : ""}`,
    };
  }
  if (era >= limits.era.farOutside) {
    return { domain: "far outside", reason: "the text is far from anything this juror learnt from" };
  }
  const foreign = foreignPart(chapters);
  const signs = [
    ...(era >= limits.era.outside ? ["it reads like an older novel"] : []),
    ...(kind >= limits.kind.outside ? [`it may be ${other}`] : []),
    ...(measureRepetition(chapters).newWords < REPETITION_LIMITS.caveat
      ? ["it says the same sentences again and again"]
      : []),
    ...(foreign.part >= FOREIGN_LIMITS.caveat ? [foreign.inWords] : []),
  ];
  return signs.length === 0
    ? { domain: "inside", reason: null }
    : { domain: "outside", reason: `${OUTSIDE}: ${signs.join(" and ")}` };
}
