import type { TrustCheck, TrustCheckName, TrustState } from "../../../../src/api/trust.ts";
import { percent, signed } from "../../../parts/formats.ts";
import type { Texts } from "../../../texts/english.ts";

export const checkNames = {
  repeatability: ["trustRepeatability", "trustRepeatabilityQuestion"],
  "length-bias": ["trustLength", "trustLengthQuestion"],
  "position-bias": ["trustPosition", "trustPositionQuestion"],
  "self-preference": ["trustSelf", "trustSelfQuestion"],
  contamination: ["trustContamination", "trustContaminationQuestion"],
  stress: ["trustStress", "trustStressQuestion"],
  agreement: ["trustAgreement", "trustAgreementQuestion"],
} as const satisfies Readonly<Record<TrustCheckName, readonly [keyof Texts, keyof Texts]>>;

export const stateNames = {
  sound: "trustSound",
  watch: "trustWatch",
  problem: "trustProblem",
  unknown: "trustUnknown",
  none: "trustNone",
} as const satisfies Readonly<Record<TrustState, keyof Texts>>;

export const sourceNames = {
  library: "trustFromLibrary",
  votes: "trustFromVotes",
  file: "trustFromFile",
  card: "trustFromCard",
} as const;

/** A juror of the jury in the reader's language; a model with its method. */
export function labelOf(judge: string, name: string): { readonly judge: string; readonly name?: string } {
  return judge === name ? { judge } : { judge, name };
}

/** The figure with its interval; a dash where there is none. */
export function figureOf({ figure }: TrustCheck): string {
  if (!figure) return "–";
  const inFigures = (value: number) =>
    figure.isShare ? (value < 0 ? `−${percent(-value)}` : percent(value)) : signed(value, 2).replace("+", "");
  if (!figure.interval) return inFigures(figure.value);
  return `${inFigures(figure.value)} (${figure.interval.map(inFigures).join(" … ")})`;
}
