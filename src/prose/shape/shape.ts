import { sumBy } from "../../stats/distribution.ts";
import { median, rounded } from "../map/numbers.ts";
import type { Passage } from "../map/passage.ts";
import { type ChapterSpan, type Reading, startingBetween } from "../map/reading.ts";
import type { Span } from "../reading.ts";

export interface ChapterShape {
  readonly chapter: number;
  readonly title: string | null;
  readonly words: number;
  readonly paragraphs: number;
  /** Words of each scene; one where the chapter has no scene break. */
  readonly scenes: readonly number[];
  readonly sceneBreaks: readonly Passage[];
  readonly opening: Passage;
  readonly closing: Passage;
}

export interface Shape {
  readonly chapters: readonly ChapterShape[];
  readonly words: number;
  readonly medianChapterWords: number | null;
  readonly medianSceneWords: number | null;
}

/** A line of ornaments, or "* * *", alone in its paragraph. */
const SCENE_BREAK = /^(?:[\s*#~•·⁂❦❧◆◇○●=_—–-]+|[*#~])$/u;

export function shapeOf(reading: Reading): Shape {
  const chapters = reading.chapters.map((chapter) => chapterShape(reading, chapter));
  return {
    chapters,
    words: sumBy(chapters, ({ words }) => words),
    medianChapterWords: rounded(median(chapters.map(({ words }) => words)), 0),
    medianSceneWords: rounded(median(chapters.flatMap(({ scenes }) => scenes)), 0),
  };
}

/** The paragraphs of a chapter that only part its scenes. */
export function sceneBreaksIn({ prose }: Reading, { start, end }: Span): Span[] {
  return startingBetween(prose.paragraphs, start, end).filter((each) =>
    SCENE_BREAK.test(prose.text.slice(each.start, each.end)),
  );
}

function chapterShape(reading: Reading, chapter: ChapterSpan): ChapterShape {
  const { prose, locate, sentences, wordsBetween } = reading;
  const own = startingBetween(prose.paragraphs, chapter.start, chapter.end);
  const breaks = sceneBreaksIn(reading, chapter);
  const borders = [chapter.start, ...breaks.map(({ end }) => end), chapter.end];
  const scenes = borders.slice(1).map((end, index) => wordsBetween(borders[index]!, end));
  const inside = startingBetween(sentences, chapter.start, chapter.end);
  const whole = { start: chapter.start, end: chapter.end };
  return {
    chapter: chapter.index,
    title: chapter.title,
    words: wordsBetween(chapter.start, chapter.end),
    paragraphs: own.length - breaks.length,
    scenes: scenes.filter((words) => words > 0),
    sceneBreaks: breaks.map(locate),
    opening: locate(inside[0] ?? whole),
    closing: locate(inside.at(-1) ?? whole),
  };
}
