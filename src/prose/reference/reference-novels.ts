import { readFileSync } from "node:fs";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { ManuscriptMap } from "../map/manuscript-map.ts";
import { mean, quantile, rounded } from "../map/numbers.ts";

/** A figure of the map that can be compared with the same figure of published novels. */
interface FigureDefinition {
  readonly id: string;
  readonly name: string;
  readonly unit: "words" | "share" | "per 1,000 words" | "score" | "ratio";
  readonly of: (map: ManuscriptMap) => number | null;
}

const FEWEST_CHAPTERS = 6;
const MAIN_CHARACTERS = 5;

const define = (
  id: string,
  unit: FigureDefinition["unit"],
  name: string,
  of: FigureDefinition["of"],
): FigureDefinition => ({ id, name, unit, of });

/** A figure that counts verbs in the past does not apply to a book told in the present. */
const inPast =
  (of: FigureDefinition["of"]): FigureDefinition["of"] =>
  (map) =>
    map.viewpoint?.tense === "present" ? null : of(map);

/** Every figure that is compared, in the order of reports. To add one, add a line and rebuild the reference. */
export const FIGURES: readonly FigureDefinition[] = [
  define("chapter-words", "words", "Words per chapter (median)", ({ shape }) => shape.medianChapterWords),
  define("longest-chapter", "ratio", "Longest chapter over the median one", ({ shape }) =>
    shape.medianChapterWords && shape.chapters.length >= FEWEST_CHAPTERS
      ? Math.max(...shape.chapters.map(({ words }) => words)) / shape.medianChapterWords
      : null,
  ),
  define("scene-words", "words", "Words per scene (median)", ({ shape }) => shape.medianSceneWords),
  define("dialogue-share", "share", "Dialogue, share of words", ({ dialogue }) => dialogue.share),
  define("dialogue-drop", "share", "Speech lost over the quietest run of chapters", ({ dialogue }) =>
    dialogue.quiet === null ? null : dialogue.quiet.elsewhere - dialogue.quiet.share,
  ),
  define(
    "longest-silence",
    "words",
    "Longest piece without a spoken line",
    ({ dialogue }) => dialogue.longestWithoutSpeech?.words ?? null,
  ),
  define("untagged-turns", "share", "Turns without a speaker named", ({ dialogue }) => dialogue.untagged),
  define("tag-adverbs", "share", "Dialogue tags with an adverb", ({ dialogue }) => dialogue.adverbs.ofTags),
  define("said-share", "share", "Dialogue tags that are “said” or “asked”", ({ dialogue }) => plainTags(dialogue)),
  define(
    "sentence-words",
    "words",
    "Words per sentence (mean)",
    ({ pace, chinese }) => pace?.sentenceWords ?? chinese?.sentenceLength ?? null,
  ),
  define(
    "sentence-variation",
    "ratio",
    "Variation of sentence length",
    ({ pace, chinese }) => pace?.sentenceVariation ?? chinese?.sentenceVariation ?? null,
  ),
  define(
    "paragraph-words",
    "words",
    "Words per paragraph (median)",
    ({ pace, chinese }) => pace?.paragraphWords ?? chinese?.paragraphLength ?? null,
  ),
  define("reading-ease", "score", "Reading ease (Flesch)", ({ pace }) => pace?.readingEase ?? null),
  define(
    "action-share",
    "share",
    "Action, share of words",
    inPast(({ pace }) => pace?.modes?.action ?? null),
  ),
  define(
    "description-share",
    "share",
    "Description, share of words",
    inPast(({ pace }) => pace?.modes?.description ?? null),
  ),
  define(
    "thought-share",
    "share",
    "Thought, share of words",
    inPast(({ pace }) => pace?.modes?.thought ?? null),
  ),
  define("tone-mean", "score", "Tone (mean per sentence)", ({ tone }) => tone?.mean ?? null),
  define("tone-outside", "share", "Tone curve outside the band of chance", ({ tone }) => tone?.outside ?? null),
  define("viewpoint-slips", "per 1,000 words", "Paragraphs out of tense or person", ({ viewpoint, shape }) =>
    viewpoint === null || shape.words === 0 ? null : (1000 * viewpoint.slipCount) / shape.words,
  ),
  define("echoes", "per 1,000 words", "Rare words again within 200 words", ({ habits }) => habits?.echoes.rate ?? null),
  define(
    "repeated-openings",
    "per 1,000 words",
    "Four or more sentences with one opening",
    ({ habits }) => habits?.openings.rate ?? null,
  ),
  define(
    "filter-words",
    "per 1,000 words",
    "Filter words",
    inPast(({ habits }) => habits?.filterWords.rate ?? null),
  ),
  define(
    "weak-openings",
    "per 1,000 words",
    "“There was”, “It was” openings",
    ({ habits }) => habits?.weakOpenings.rate ?? null,
  ),
  define(
    "stacked-similes",
    "per 1,000 words",
    "Sentences with two similes",
    ({ habits }) => habits?.stackedSimiles.rate ?? null,
  ),
  define("cliches", "per 1,000 words", "Clichés", ({ habits }) => habits?.cliches.rate ?? null),
  define(
    "model-phrases",
    "per 1,000 words",
    "Phrases that language models overuse",
    ({ modelPhrases }) => modelPhrases?.rate ?? null,
  ),
  define(
    "short-endings",
    "share",
    "Chapters that end in one short line",
    ({ modelPhrases }) => modelPhrases?.endings.shortShare ?? null,
  ),
  define(
    "ending-likeness",
    "ratio",
    "Likeness of chapter endings",
    ({ modelPhrases }) => modelPhrases?.endings.likeness ?? null,
  ),
  define("speakers-in-chapter", "ratio", "Characters per chapter (mean)", ({ characters, shape }) =>
    characters === null
      ? null
      : mean(
          shape.chapters.map(
            (_, index) => characters.characters.filter(({ presence }) => (presence[index]?.mentions ?? 0) > 0).length,
          ),
        ),
  ),
  define("longest-absence", "share", "Longest absence of a main character, share of the book", (map) =>
    map.characters === null || map.shape.chapters.length < FEWEST_CHAPTERS || map.shape.words === 0
      ? null
      : (longestAbsence(map)?.words ?? 0) / map.shape.words,
  ),
];

/** The longest absence of a main character between two chapters in which the character appears. */
function longestAbsence({ characters }: ManuscriptMap) {
  const all = (characters?.characters ?? [])
    .slice(0, MAIN_CHARACTERS)
    .flatMap((character) => character.absences.map((absence) => ({ ...absence, character })));
  return all.sort((left, right) => right.words - left.words)[0] ?? null;
}

function plainTags({ tags }: ManuscriptMap["dialogue"]): number | null {
  const all = sumBy(tags, ({ count }) => count);
  const plain = sumBy(
    tags.filter(({ verb }) => /^(?:said|says|say|asked|asks)$/.test(verb)),
    ({ count }) => count,
  );
  return all === 0 ? null : plain / all;
}

export const referenceNovelsSchema = z.object({
  id: z.string(),
  description: z.string(),
  novels: z.array(
    z.object({
      title: z.string(),
      author: z.string().nullable(),
      words: z.number(),
      /** By figure id; absent for a figure that a novel does not have. */
      figures: z.record(z.string(), z.number()),
    }),
  ),
});

/** The map's figures of published novels, without any of their text. */
export type ReferenceNovels = z.infer<typeof referenceNovelsSchema>;

export interface ComparedFigure {
  readonly id: string;
  readonly name: string;
  readonly unit: FigureDefinition["unit"];
  readonly value: number | null;
  /** Median and middle 90 % of the reference novels; null if fewer than ten of them have the figure. */
  readonly reference: { readonly median: number; readonly low: number; readonly high: number } | null;
  /** Below, inside or above the middle 90 %. */
  readonly place: "below" | "inside" | "above" | null;
}

/** The novels that ship with Fabula; a writer's own reference has another name. */
export const SHIPPED = "prose-novels";
const FILE = `${SHIPPED}.json`;
/** Fewer novels do not determine a middle 90 %. */
export const FEWEST_NOVELS = 10;
let loaded: ReferenceNovels | null = null;

export function loadReferenceNovels(): ReferenceNovels {
  loaded ??= referenceNovelsSchema.parse(JSON.parse(readFileSync(assetPath("reference", FILE), "utf8")));
  return loaded;
}

/** The figures of a map in the form of a reference novel. */
export function novelFigures(map: ManuscriptMap): Record<string, number> {
  return Object.fromEntries(
    FIGURES.flatMap(({ id, of }) => {
      const value = of(map);
      return value === null ? [] : [[id, Number(value.toFixed(4))]];
    }),
  );
}

/** Every figure of a map beside the same figure of the reference novels, if there are any in its language. */
export function compareFigures(map: ManuscriptMap, reference: ReferenceNovels | null): ComparedFigure[] {
  return FIGURES.map(({ id, name, unit, of }) => {
    const value = rounded(of(map));
    const theirs = (reference?.novels ?? []).flatMap(({ figures }) => (figures[id] === undefined ? [] : [figures[id]]));
    if (theirs.length < FEWEST_NOVELS) return { id, name, unit, value, reference: null, place: null };
    const [low, median, high] = [0.05, 0.5, 0.95].map((share) => rounded(quantile(theirs, share)!));
    const place = value === null ? null : value < low! ? "below" : value > high! ? "above" : "inside";
    return { id, name, unit, value, reference: { median: median!, low: low!, high: high! }, place };
  });
}
