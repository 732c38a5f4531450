/**
 * What a writer may correct on the card of a chapter or a scene, and how the next reading is told. A correction is one line of what the writer
 * says about the book, so that the card, the list below it and the reading all go by the same words.
 */
const PARTS = {
  place: "place",
  time: "time",
  viewpoint: "point of view",
  present: "who is there",
  changes: "what changes",
  tension: "tension from 1 to 5",
} as const;
export type Part = keyof typeof PARTS;
export type Said = Readonly<Partial<Record<Part, string>>>;
export const PART_NAMES = Object.keys(PARTS) as Part[];

/** What is corrected: a whole chapter, or one of its scenes, named by its first words so that a reading finds it. */
export interface BoardPlace {
  readonly chapter: number;
  readonly scene?: { readonly number: number; readonly opening: string };
}

const FEW_WORDS = 6;

function lineStart({ chapter, scene }: BoardPlace, part: Part): string {
  if (!scene) return `Chapter ${chapter}, ${PARTS[part]}: `;
  const first = scene.opening.split(/\s+/).slice(0, FEW_WORDS).join(" ");
  return `Chapter ${chapter}, scene ${scene.number} (“${first}…”), ${PARTS[part]}: `;
}

/** What the writer says of a chapter or a scene, by what it is about. */
export function saidOf(facts: readonly string[], place: BoardPlace): Said {
  const said: Partial<Record<Part, string>> = {};
  for (const part of PART_NAMES) {
    const start = lineStart(place, part);
    const line = facts.findLast((fact) => fact.startsWith(start));
    if (line !== undefined) said[part] = line.slice(start.length);
  }
  return said;
}

/** The writer's lines with what is now said of a place instead of what was. */
export function withSaid(facts: readonly string[], place: BoardPlace, said: Said): string[] {
  const starts = PART_NAMES.map((part) => lineStart(place, part));
  const others = facts.filter((fact) => !starts.some((start) => fact.startsWith(start)));
  return [...others, ...PART_NAMES.flatMap((part) => (said[part] ? [lineStart(place, part) + said[part].trim()] : []))];
}
