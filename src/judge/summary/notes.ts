import { z } from "zod";

export const characterSchema = z.object({
  name: z.string(),
  profile: z.string(),
  current: z.string(),
  overall: z.string(),
});

/** What the summariser keeps of a book after reading a segment of it. */
export const notesSchema = z.object({
  segment: z.string().min(1),
  plot: z.string().min(1),
  characters: z.array(characterSchema),
});

export type Character = z.infer<typeof characterSchema>;
export type Notes = z.infer<typeof notesSchema>;

/** The characters as a judge reads them. `current` is for the reader who follows the book, not for one who judges the whole. */
export function charactersText(characters: readonly Character[]): string {
  return characters.map(({ name, profile, overall }) => `${name}\n- ${profile}\n- ${overall}`).join("\n\n");
}

/** Everything known up to a point, for a judge who reads on from there. */
export function notesText({ plot, characters }: Pick<Notes, "plot" | "characters">): string {
  return characters.length === 0 ? plot : `${plot}\n\n${charactersText(characters)}`;
}
