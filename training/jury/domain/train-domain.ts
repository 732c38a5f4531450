import { contentHash } from "../../../src/core/hash.ts";
import { seededRandom } from "../../../src/core/random.ts";
import { DOMAIN_OUTPUTS, type DomainLimits, type DomainOutput, kindOutput } from "../../../src/jury/domain.ts";
import type { JurorId } from "../../../src/jury/juror.ts";
import type { TrainedJuror } from "../../../src/jury/juror-file.ts";
import { prepareText } from "../../../src/jury/prepare-text.ts";
import { reasonNotConnected } from "../../../src/jury/readable.ts";
import { quantile } from "../../../src/stats/distribution.ts";
import { fitRidge, predictRidge, type RidgeModel } from "../../../src/stats/linear/ridge-regression.ts";
import { dealFolds } from "../../grader/folds.ts";
import { WINDOW } from "../calibrate.ts";
import { type CountedTexts, countTexts } from "../counted-texts.ts";
import { type Design, learnDesign, textRows } from "../design.ts";
import { COVERAGE, characterRuns, storedWeights } from "../train-juror.ts";
import { type KnownText, type NotStoryGroup, notStoryGroup } from "./known-texts.ts";

/** What a border does to texts known to be inside and texts known to be outside. */
interface BorderRates {
  /** The part of those inside that it puts outside. */
  readonly falseOutside: number;
  /** The part of those outside that it leaves inside. */
  readonly missedOutside: number;
}

function ratesOf(limit: number, inside: readonly number[], outside: readonly number[]): BorderRates {
  return {
    falseOutside: inside.filter((distance) => distance >= limit).length / inside.length,
    missedOutside: outside.filter((distance) => distance < limit).length / outside.length,
  };
}

/** The border that this part of the texts stays within. */
function limitHolding(part: number, distances: readonly number[]): number {
  return quantile(distances, part);
}

const MOST = { inside: 0.98, outside: 0.05 } as const;

/** Half-way between where nearly all of those inside end and nearly all of those outside begin: one odd book decides nothing. */
function limitBetween(inside: readonly number[], outside: readonly number[]): number {
  return (limitHolding(MOST.inside, inside) + limitHolding(MOST.outside, outside)) / 2;
}

const SETTINGS = { minimumTexts: 60, styleWeight: 0.2 } as const;
const PENALTY = 3;
const FOLDS = 5;
const SEED = 1903;
/** Of a juror's own texts, held back with their whole source, this share counts as clearly stories… */
const CLEARLY_STORY = 0.98;
/** …and of the stories of all jurors, old novels among them, this share is never refused as no story. */
const NEVER_REFUSED = 0.998;
/** All texts of one side together weigh this much. */
const SIDE_WEIGHT = 1000;
/** How much each group of texts that are no stories weighs among them: those written for this are few and of many kinds. */
const NOT_STORY_WEIGHTS: Readonly<Record<NotStoryGroup, number>> = { reviews: 0.2, analyses: 0.2, written: 0.6 };

export interface DomainFigures {
  readonly byJuror: Readonly<Record<JurorId, JurorBorders>>;
  readonly limits: Readonly<Record<JurorId, DomainLimits>>;
  readonly counts: { readonly oldNovels: number; readonly laterNovels: number; readonly notStories: number };
}

/** Learns two borders: between the prose of today and old novels, and between stories and other prose. */
export function trainDomain(
  known: readonly KnownText[],
  say: (line: string) => void,
): { readonly model: TrainedJuror; readonly figures: DomainFigures } {
  say(`${known.length} texts of known kind`);
  const counted = countTexts(
    known.map(({ text }) => text),
    { window: WINDOW, minimumTexts: SETTINGS.minimumTexts },
  );
  const every = known.map((_, place) => place);
  const elsewhere = heldBack(known, counted, ({ kind, source, family }) => (kind === "own" ? source : family), say);
  const sameSource = heldBack(known, counted, ({ family }) => family, say);
  const limits = byJuror((juror) => limitsOf(known, elsewhere, kindDistances(juror, elsewhere, sameSource), juror));
  const design = learnDesign(counted, every, SETTINGS);
  const models = DOMAIN_OUTPUTS.map((output) => fitOutput(known, counted, design, every, output));
  const count = (kind: KnownText["kind"]) => known.filter((one) => one.kind === kind).length;
  const novelsOf = (kind: KnownText["kind"]) =>
    new Set(known.filter((one) => one.kind === kind).map(({ family }) => family)).size;
  return {
    model: {
      ...storedWeights(
        counted,
        design,
        models,
        models.map(() => 1),
      ),
      head: {
        outputs: [...DOMAIN_OUTPUTS],
        intercepts: models.map(({ intercepts }) => intercepts[0]!),
        lengthWeights: models.map(() => 0),
        window: WINDOW,
        characterRuns: characterRuns(counted, design),
        coverage: COVERAGE,
        misses: [],
        limits,
        training: {
          texts: { own: count("own"), passages: count("old") + count("between"), "no story": count("no story") },
          penalty: PENALTY,
          dataHash: contentHash(known.map(({ text }) => text)),
        },
      },
    },
    figures: {
      byJuror: byJuror((juror) => figuresOf(known, elsewhere, sameSource, juror, limits[juror])),
      limits,
      counts: {
        oldNovels: novelsOf("old"),
        laterNovels: novelsOf("between"),
        notStories: count("no story"),
      },
    },
  };
}

/** Distances of texts whose group was left out: each source of own texts alone, everything else in folds. */
function heldBack(
  known: readonly KnownText[],
  counted: CountedTexts,
  groupOf: (text: KnownText) => string,
  say: (line: string) => void,
): Distances {
  const groups = known.map(groupOf);
  const isWhole = (place: number) => groups[place] === known[place]!.source && known[place]!.kind === "own";
  const names = groups.map((name, place) => (isWhole(place) ? null : name));
  const folds = dealFolds(
    names.filter((name) => name !== null),
    FOLDS,
    seededRandom(SEED),
  );
  const parts = known.map((_, place) => (isWhole(place) ? groups[place]! : `fold ${folds.get(groups[place]!)}`));
  const distances = byOutput(() => new Float64Array(known.length));
  for (const part of [...new Set(parts)].sort()) {
    const test = [...parts.keys()].filter((place) => parts[place] === part);
    const training = [...parts.keys()].filter((place) => parts[place] !== part);
    const design = learnDesign(counted, training, SETTINGS);
    const rows = textRows(counted, design, test);
    for (const output of DOMAIN_OUTPUTS) {
      const predictions = predictRidge(fitOutput(known, counted, design, training, output), rows);
      test.forEach((place, row) => {
        distances[output][place] = predictions[row]!;
      });
    }
    say(`held back: ${part}`);
  }
  return distances;
}

/** Which side of a border a text teaches: 0 inside, 1 outside, null neither. */
function sideOf({ kind, jurors }: KnownText, output: DomainOutput): 0 | 1 | null {
  switch (output) {
    case "era":
      return kind === "old" ? 1 : kind === "own" ? 0 : null;
    case "story":
      // Paragraphs that professionals scored are stories and essays alike.
      return kind === "no story" ? 1 : jurors.includes("editor") ? null : 0;
    case "prose":
      return kind === "no story" ? 1 : 0;
  }
}

function fitOutput(
  known: readonly KnownText[],
  counted: CountedTexts,
  design: Design,
  training: readonly number[],
  output: DomainOutput,
): RidgeModel {
  const taught = training.filter((place) => sideOf(known[place]!, output) !== null);
  const groupOf = (place: number) => notStoryGroup(known[place]!) ?? known[place]!.source;
  const sizes = new Map<string, number>();
  for (const place of taught) sizes.set(groupOf(place), (sizes.get(groupOf(place)) ?? 0) + 1);
  const groupsOf = (side: 0 | 1) =>
    new Set(taught.filter((place) => sideOf(known[place]!, output) === side).map(groupOf)).size;
  const [inside, outside] = [groupsOf(0), groupsOf(1)];
  return fitRidge(
    textRows(counted, design, taught),
    Float64Array.from(taught, (place) => sideOf(known[place]!, output)!),
    1,
    {
      penalty: PENALTY,
      rowWeights: Float64Array.from(taught, (place) => {
        const group = notStoryGroup(known[place]!);
        const share = group ? NOT_STORY_WEIGHTS[group] : 1 / (sideOf(known[place]!, output) === 1 ? outside : inside);
        return (SIDE_WEIGHT * share) / sizes.get(groupOf(place))!;
      }),
      tolerance: 2e-3,
    },
  );
}

function limitsOf(
  known: readonly KnownText[],
  { era: ages }: Distances,
  kinds: Float64Array,
  juror: JurorId,
): DomainLimits {
  const of = (distances: Float64Array, isMember: (text: KnownText) => boolean) =>
    [...distances].filter((_, place) => isMember(known[place]!));
  const isOwn = ({ jurors }: KnownText) => jurors.includes(juror);
  const old = wholeNovels(known, ages, "old");
  // What is old does not depend on who judges: the texts of all jurors are of today.
  const era = limitBetween(
    of(ages, ({ kind }) => kind === "own"),
    old,
  );
  const oldest = Math.max(...old);
  const clearly = limitHolding(CLEARLY_STORY, of(kinds, isOwn));
  const isStory = (text: KnownText) => sideOf(text, kindOutput(juror)) === 0;
  return {
    era: { outside: era, farOutside: oldest + (oldest - era) },
    kind: { outside: clearly, farOutside: Math.max(clearly, limitHolding(NEVER_REFUSED, of(kinds, isStory))) },
  };
}

function byJuror<T>(value: (juror: JurorId) => T): Record<JurorId, T> {
  return { crowd: value("crowd"), editor: value("editor"), grader: value("grader") };
}

function byOutput<T>(value: (output: DomainOutput) => T): Record<DomainOutput, T> {
  return { era: value("era"), story: value("story"), prose: value("prose") };
}

type Distances = Readonly<Record<DomainOutput, Float64Array>>;

interface JurorBorders {
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
function kindDistances(juror: JurorId, elsewhere: Distances, sameSource: Distances): Float64Array {
  return (juror === "editor" ? sameSource : elsewhere)[kindOutput(juror)];
}

/** How often the borders of a juror are wrong, on texts held back. */
function figuresOf(
  known: readonly KnownText[],
  elsewhere: Distances,
  sameSource: Distances,
  juror: JurorId,
  limits: DomainLimits,
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
function wholeNovels(known: readonly KnownText[], distances: Float64Array, kind: KnownText["kind"]): number[] {
  const novels = new Map<string, number[]>();
  known.forEach((text, place) => {
    if (text.kind === kind) novels.set(text.family, [...(novels.get(text.family) ?? []), distances[place]!]);
  });
  return [...novels.values()].map((own) => own.reduce((sum, value) => sum + value, 0) / own.length);
}
