import { seededRandom } from "../../core/random.ts";
import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-corrections.ts";
import { type CharacterMap, characterMap } from "../characters/character-map.ts";
import { type ChineseMap, chineseMap } from "../chinese/chinese-map.ts";
import { type Consistency, consistencyOf } from "../consistency/consistency.ts";
import { type Habits, habitsOf } from "../habits/habits.ts";
import { loadManners, type Manners, mannersOf } from "../manners/manners.ts";
import { type Pace, paceOf } from "../pace/pace.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { type Shape, shapeOf } from "../shape/shape.ts";
import { type DialogueMap, dialogueMap } from "../speakers/dialogue-map.ts";
import { type Tone, toneOf } from "../tone/tone.ts";
import { type Viewpoint, viewpointOf } from "../viewpoint/viewpoint.ts";
import { type ChapterText, type Reading, readManuscript } from "./reading.ts";

/** What can be counted in a book, chapter by chapter, with the passages behind it. It judges nothing. */
export interface ManuscriptMap {
  readonly language: string | null;
  readonly shape: Shape;
  readonly dialogue: DialogueMap;
  /** The rest reads English; for other languages it is null. */
  readonly characters: CharacterMap | null;
  readonly pace: Pace | null;
  readonly tone: Tone | null;
  readonly viewpoint: Viewpoint | null;
  readonly habits: Habits | null;
  readonly manners: Manners | null;
  readonly consistency: Consistency | null;
  /** For Chinese only: what is counted by characters instead. */
  readonly chinese: ChineseMap | null;
}

export interface MapOptions {
  readonly language: string | null;
  readonly corrections?: CharacterCorrections;
}

/** The chance order of the tone curve's band; any seed gives the same band within its width. */
const SEED = 1;

export function mapManuscript(
  chapters: readonly ChapterText[],
  { language, corrections = NO_CORRECTIONS }: MapOptions,
): ManuscriptMap {
  return mapReading(readManuscript(chapters, corrections), language);
}

/** The same of a book that was read already. */
export function mapReading(reading: Reading, language: string | null): ManuscriptMap {
  const shape = shapeOf(reading);
  const dialogue = dialogueMap(reading);
  if (language !== null && language !== "en") {
    // Speakers are read from English tags: in another language a missing speaker is our limit, not the writer's choice.
    const spoken: DialogueMap = { ...dialogue, untagged: null, runs: [], tags: [], speakersKnown: null };
    const others = {
      characters: null,
      pace: null,
      tone: null,
      viewpoint: null,
      habits: null,
      manners: null,
      consistency: null,
    };
    return { language, shape, dialogue: spoken, ...others, chinese: language === "zh" ? chineseMap(reading) : null };
  }
  return {
    language,
    shape,
    dialogue,
    characters: characterMap(reading),
    pace: paceOf(reading),
    tone: toneOf(reading, seededRandom(SEED)),
    viewpoint: viewpointOf(reading),
    habits: habitsOf(reading, loadReferenceWords()),
    manners: mannersOf(reading, loadManners()),
    consistency: consistencyOf(reading, shape),
    chinese: null,
  };
}
