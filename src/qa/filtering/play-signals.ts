/** How much of a text is laid out as a play, with lines that show it. */
export interface PlaySignals {
  /** Share of paragraphs that open with a speaker's name, as plays print it. */
  readonly speakerShare: number;
  readonly actsAndScenes: number;
  readonly examples: readonly string[];
}

/** HAMLET. To be…; FIRST LORD: My liege; or a name alone on the line above the speech. */
const SPEAKER =
  /^(?:\[?[_*]?)(?!CHAPTER|BOOK|PART|VOLUME)\p{Lu}[\p{Lu}.'’ -]{1,28}[\p{Lu}.](?:[_*]?)(?:[.:]\s|\s*[[(][^\n]{0,80}[\])]\.?\s|\n)/u;
const DIVISION = /^\s*(?:ACT|SCENE)\s+(?:[IVXL]+|\d+|ONE|TWO|THREE|FOUR|FIVE|THE\s+\w+)\b/iu;

/** From this share of speeches on a text is a play; with acts and scenes, half of it is enough. */
const PLAY_SHARE = 0.4;
const FEWEST_PARAGRAPHS = 20;

export function playSignals(paragraphs: readonly string[]): PlaySignals {
  const speeches = paragraphs.filter((paragraph) => SPEAKER.test(paragraph));
  const divisions = paragraphs.filter((paragraph) => DIVISION.test(paragraph));
  return {
    speakerShare: paragraphs.length === 0 ? 0 : speeches.length / paragraphs.length,
    actsAndScenes: divisions.length,
    examples: [...divisions.slice(0, 2), ...speeches.slice(0, 3)].map((line) => line.slice(0, 100)),
  };
}

export function isPlay({ speakerShare, actsAndScenes }: PlaySignals, paragraphs: number): boolean {
  if (paragraphs < FEWEST_PARAGRAPHS) return false;
  return speakerShare >= PLAY_SHARE || (actsAndScenes >= 2 && speakerShare >= PLAY_SHARE / 2);
}
