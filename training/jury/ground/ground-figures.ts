import { reasonNotConnected } from "../../../src/jury/connected-prose.ts";
import { type GroundLimits, type GroundOutput, kindOutput } from "../../../src/jury/ground.ts";
import type { JurorId } from "../../../src/jury/juror.ts";
import { prepareText } from "../../../src/jury/prepare-text.ts";
import { type BorderRates, ratesOf } from "./ground-limits.ts";
import { type KnownText, type NotStoryGroup, notStoryGroup } from "./known-texts.ts";

export type Distances = Readonly<Record<GroundOutput, Float64Array>>;

export interface JurorBorders {
  /** In time: own texts with their whole source left out, and whole novels from before 1900. */
  readonly era: BorderRates;
  /** The part of passages of those novels that is not noticed. */
  readonly passages: number;
  /** The part of novels from 1900 to 1930, which are neither, that is outside. */
  readonly later: number;
  /** In kind: own texts, and texts that are no stories with their kind left out; flagged, and refused. */
  readonly kind: BorderRates;
  readonly refused: BorderRates;
  /** The part of each group of texts that are no stories that is not noticed. */
  readonly missed: Readonly<Record<NotStoryGroup, number>>;
  /** The part of own texts that is outside when only their family is left out. */
  readonly sameSource: number;
}

/**
 * Distances between a juror's kind of text and others, with whole sources left out. The editor has one source, and no other
 * teaches what an essay is: with that left out there would be nothing to measure, so only families are.
 */
export function kindDistances(juror: JurorId, elsewhere: Distances, sameSource: Distances): Float64Array {
  return (juror === "editor" ? sameSource : elsewhere)[kindOutput(juror)];
}

/** How often the borders of a juror are wrong, on texts held back. */
export function figuresOf(
  known: readonly KnownText[],
  elsewhere: Distances,
  sameSource: Distances,
  juror: JurorId,
  limits: GroundLimits,
): JurorBorders {
  const of = (distances: Float64Array, isMember: (text: KnownText) => boolean) =>
    [...distances].filter((_, place) => isMember(known[place]!));
  const isOwn = ({ jurors }: KnownText) => jurors.includes(juror);
  const isNoStory = (text: KnownText) => text.kind === "no story";
  const output = kindOutput(juror);
  const own = [...known.keys()].filter((place) => isOwn(known[place]!));
  const isInside = (place: number) =>
    sameSource.era[place]! < limits.era.outside && sameSource[output][place]! < limits.kind.outside;
  // A text that is refused as unconnected, such as verse, is noticed whatever its distance.
  const kinds = kindDistances(juror, elsewhere, sameSource).map((distance, place) =>
    known[place]!.kind === "no story" && reasonNotConnected([prepareText(known[place]!.text)]) !== null
      ? Number.POSITIVE_INFINITY
      : distance,
  );
  const sides = [of(kinds, isOwn), of(kinds, isNoStory)] as const;
  const missedOf = (group: NotStoryGroup) =>
    ratesOf(
      limits.kind.outside,
      [],
      of(kinds, (text) => notStoryGroup(text) === group),
    ).missedOutside;
  return {
    era: ratesOf(limits.era.outside, of(elsewhere.era, isOwn), wholeNovels(known, elsewhere.era, "old")),
    passages: ratesOf(
      limits.era.outside,
      [0],
      of(elsewhere.era, ({ kind }) => kind === "old"),
    ).missedOutside,
    later: ratesOf(limits.era.outside, wholeNovels(known, elsewhere.era, "between"), [1]).falseOutside,
    kind: ratesOf(limits.kind.outside, ...sides),
    refused: ratesOf(limits.kind.farOutside, ...sides),
    missed: { reviews: missedOf("reviews"), analyses: missedOf("analyses"), written: missedOf("written") },
    sameSource: own.filter((place) => !isInside(place)).length / own.length,
  };
}

/** The mean distance of each novel's passages: what a whole book would have. */
export function wholeNovels(known: readonly KnownText[], distances: Float64Array, kind: KnownText["kind"]): number[] {
  const novels = new Map<string, number[]>();
  known.forEach((text, place) => {
    if (text.kind === kind) novels.set(text.family, [...(novels.get(text.family) ?? []), distances[place]!]);
  });
  return [...novels.values()].map((own) => own.reduce((sum, value) => sum + value, 0) / own.length);
}
