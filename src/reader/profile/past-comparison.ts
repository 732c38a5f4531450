import { z } from "zod";
import { storySchema } from "../predictor/story.ts";

export const SIDES = ["left", "right", "tie"] as const;
export type Side = (typeof SIDES)[number];

/** The aspects on which readers choose besides the whole: PerSE's five, each recognised by its first letter. */
export const CHOICE_ASPECTS = [
  "interestingness",
  "adaptability",
  "surprise",
  "character-development",
  "ending",
] as const;
const NAMES: readonly string[] = [...CHOICE_ASPECTS, "overall"];

/** "Character Development", "character_development" and "characterDevelopment" are one aspect. */
function plainAspect(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "-");
}

function preferenceWith(unknownAspects: "refused" | "dropped") {
  return z.preprocess(
    (given) => (typeof given === "string" ? { overall: given } : given),
    z.record(z.string(), z.enum(SIDES)).transform((given, context) => {
      const preferred: Record<string, Side> = {};
      for (const [name, side] of Object.entries(given)) {
        const aspect = plainAspect(name);
        if (NAMES.includes(aspect)) preferred[aspect] = side;
        else if (unknownAspects === "refused")
          context.addIssue({
            code: "custom",
            message: `"${name}" is not an aspect: the aspects are ${NAMES.join(", ")}`,
          });
      }
      return preferred;
    }),
  );
}

/** Which story was preferred, by aspect; one word for the whole stands for `overall`. */
export const preferenceSchema = preferenceWith("refused");

/** Two stories and which of them a reader preferred (PerSE's comparative history). */
export const pastComparisonSchema = z.object({
  left: storySchema,
  right: storySchema,
  preferred: preferenceSchema,
});

/** The same in a stored profile: aspects that are no longer known are left out, so that the profile can still be read. */
export const storedComparisonSchema = pastComparisonSchema.extend({ preferred: preferenceWith("dropped") });

export type PastComparison = z.infer<typeof pastComparisonSchema>;
