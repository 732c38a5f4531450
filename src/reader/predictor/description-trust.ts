import type { ContentVector, Likeness } from "./likeness.ts";
import type { Story } from "./story.ts";

/** How far a forecast from a description is trusted: less if fields are missing, and less far from the stories of the training. */
export interface DescriptionTrust {
  /** The forecast for the average story: a forecast that is trusted less is drawn towards it. */
  readonly usualRating: number;
  /** For each set of fields, numbered by `fieldsOf`: how much of the forecast's deviation from the usual holds up, from 0 to 1. */
  readonly fields: readonly number[];
  /** In the same numbering: how near nineteen in twenty of the training's stories with these fields are to all the others. */
  readonly nearness: readonly number[];
  /** The direction of the training's stories, by position in the table of likeness. */
  readonly direction: Float32Array;
}

const FIELDS = ["plot_summary", "premise", "characters", "genres"] as const;
export const FIELD_SETS = 2 ** FIELDS.length;
export const ALL_FIELDS = FIELD_SETS - 1;

/** A number for the set of fields that a story has. */
export function fieldsOf(story: Story): number {
  return FIELDS.reduce((set, field, bit) => set | ((story[field]?.length ?? 0) > 0 ? 1 << bit : 0), 0);
}

/** The story with only these fields and its title. */
export function onlyFields(story: Story, set: number): Story {
  const has = (field: (typeof FIELDS)[number]) => (set & (1 << FIELDS.indexOf(field))) !== 0;
  return {
    ...(story.title !== undefined && { title: story.title }),
    genres: has("genres") ? story.genres : [],
    ...(has("plot_summary") && { plot_summary: story.plot_summary }),
    ...(has("premise") && { premise: story.premise }),
    ...(has("characters") && { characters: story.characters }),
  };
}

/** How far a description is trusted: from 0, which leaves only the reader's votes, to 1. Genres alone have no distance. */
export function trustIn(
  story: Story,
  content: ContentVector,
  { fields, nearness, direction }: DescriptionTrust,
  likeness: Likeness,
): number {
  const set = fieldsOf(story);
  const usual = nearness[set]!;
  const distance = content.terms.length > 0 && usual > 0 ? Math.min(1, along(direction, content, likeness) / usual) : 1;
  return fields[set]! * distance;
}

/** Cosine of a story with a direction of unit length; words never seen in training only lengthen the story. */
export function along(direction: Float32Array, content: ContentVector, likeness: Likeness): number {
  let sum = 0;
  for (let i = 0; i < content.terms.length; i++) {
    const position = likeness.positionOf(content.terms[i]!);
    if (position >= 0) sum += direction[position]! * content.values[i]!;
  }
  return sum;
}
