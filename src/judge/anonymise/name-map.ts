import { z } from "zod";

/** New names for old ones, as a model made them. */
export const nameMapSchema = z.object({
  names: z.array(z.object({ from: z.string(), to: z.string(), kind: z.enum(["character", "place"]) })),
});
export type NameMap = z.infer<typeof nameMapSchema>;

/** A replacement to carry out, whole words only. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

const SMALL_WORDS = new Set([
  "of",
  "the",
  "de",
  "von",
  "van",
  "la",
  "le",
  "du",
  "der",
  "den",
  "di",
  "da",
  "and",
  "bin",
  "al",
  "el",
]);

/**
 * A model's map made complete and consistent: parts of full names follow the full name (`Glenn Holland` → `William Thompson`
 * gives `Glenn` → `William` and `Holland` → `Thompson`), members of a family keep one family name, and nothing is mapped to
 * a name that the book already uses. Longest first, so that whole names are replaced before their parts.
 */
export function completeNameMap({ names }: NameMap): Replacement[] {
  const taken = new Set(names.map(({ from }) => from.trim()));
  const parts = new Map<string, string>();
  const whole = new Map<string, string>();
  const sorted = [...names].sort((left, right) => right.from.length - left.from.length);
  for (const { from: source, to: target } of sorted) {
    const from = source.trim();
    const to = target.trim();
    if (from.length < 2 || to === "" || whole.has(from) || taken.has(to) || from === to) continue;
    const fromParts = from.split(/\s+/);
    const toParts = to.split(/\s+/);
    // The first member of a family to be named settles the family name for all of them.
    const consistent =
      fromParts.length === toParts.length
        ? fromParts.map((part, at) => (SMALL_WORDS.has(part.toLowerCase()) ? part : (parts.get(part) ?? toParts[at]!)))
        : null;
    whole.set(from, consistent?.join(" ") ?? to);
    if (!consistent || fromParts.length < 2) continue;
    fromParts.forEach((part, at) => {
      if (part.length > 1 && !SMALL_WORDS.has(part.toLowerCase()) && !parts.has(part)) parts.set(part, consistent[at]!);
    });
  }
  // A part that the map names by itself follows the full name it belongs to.
  for (const [from, to] of parts) whole.set(from, to);
  return [...whole]
    .map(([from, to]) => ({ from, to }))
    .sort((left, right) => right.from.length - left.from.length || (left.from < right.from ? -1 : 1));
}
