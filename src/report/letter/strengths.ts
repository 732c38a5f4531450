import type { EditLetter } from "../../judge/letter/letter-part.ts";
import type { LineNotesPart } from "../../judge/letter/line-notes-part.ts";
import type { ManuscriptMap } from "../../prose/map/manuscript-map.ts";
import type { ComparedFigure, ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import { shareInterval } from "./beyond-chance.ts";
import { placesBehind } from "./passages-behind.ts";

/** Which way is better, for the figures of which few would say otherwise. */
const BETTER: Readonly<Record<string, "low" | "high">> = {
  cliches: "low",
  "filter-words": "low",
  "weak-openings": "low",
  echoes: "low",
  manners: "low",
  "tag-adverbs": "low",
  "said-share": "high",
  "sentence-variation": "high",
};
const CLEAR = 0.75;
/** At the reference's rate the book would have at least this many cases: none in a short text is no merit. */
const EXPECTED = 8;
const MOST_FIGURES = 3;
const CALM_CHAPTERS = 3;
const FEWEST_SENTENCES = 20;

/** Figures in which the book does better than three in four reference novels. */
export function strongFigures(
  figures: readonly ComparedFigure[],
  { novels }: ReferenceNovels,
  map: ManuscriptMap,
): EditLetter["works"]["figures"] {
  return figures
    .flatMap(({ id, value, unit, reference }) => {
      const way = BETTER[id];
      if (way === undefined || value === null || reference === null) return [];
      if (unit === "per 1,000 words" && (reference.median * map.shape.words) / 1000 < EXPECTED) return [];
      const theirs = novels.flatMap((novel) => novel.figures[id] ?? []);
      const sure = sureValue(id, value, way, map);
      const beaten = theirs.filter((other) => (way === "low" ? other > sure : other < sure)).length;
      return [{ id, value, beats: beaten / theirs.length }];
    })
    .filter(({ beats }) => beats >= CLEAR)
    .sort((left, right) => right.beats - left.beats)
    .slice(0, MOST_FIGURES);
}

/** A share of few tags may be chance: what counts is the end of its interval that is nearer to the other novels. */
function sureValue(id: string, value: number, way: "low" | "high", map: ManuscriptMap): number {
  const of = placesBehind(id, map)?.of;
  if (of === undefined) return value;
  const [low, high] = shareInterval(value, of);
  return way === "low" ? high : low;
}

/** Chapters with the smallest share of sentences an editor would probably change; none in a book of few chapters. */
export function calmChapters(notes: LineNotesPart | null): number[] {
  const rated = (notes?.chapters ?? []).filter(({ sentences }) => sentences >= FEWEST_SENTENCES);
  if (rated.length < 2 * CALM_CHAPTERS) return [];
  return rated
    .map(({ chapter, sentences, marked }) => ({ chapter, share: marked / sentences, sentences }))
    .sort((left, right) => left.share - right.share || right.sentences - left.sentences)
    .slice(0, CALM_CHAPTERS)
    .map(({ chapter }) => chapter)
    .sort((left, right) => left - right);
}
