import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../../src/core/json-lines.ts";
import type { Lesson } from "../lesson.ts";

const rating = z.number().min(0).max(1);
const storySchema = z.discriminatedUnion("source", [
  z.object({ source: z.literal("prompt-stories"), text: z.string(), rating_0_to_1: rating }),
  z.object({ source: z.literal("scary-stories"), text: z.string(), rating_0_to_1: rating }),
  z.object({
    source: z.literal("machine-stories"),
    text: z.string(),
    premise: z.string(),
    writer: z.string(),
    /** By reader: five marks of 1 to 5. */
    ratings: z.array(z.array(z.number().min(1).max(5)).min(1)).min(1),
  }),
]);
const pairSchema = z.object({ prompt: z.string(), preferred: z.string(), other: z.string() });

/** Stories that readers rated, from 0 to 1 whatever the scale was, and pairs of which they preferred one. */
export async function loadReaderRatings(folder: string): Promise<Lesson[]> {
  const stories = await readJsonLines(join(folder, "stories.jsonl.gz"), storySchema);
  const pairs = await readJsonLines(join(folder, "pairs.jsonl.gz"), pairSchema);
  return [
    ...stories.map((story, place): Lesson => {
      const { source, text } = story;
      if (story.source !== "machine-stories") {
        return { text, source, target: story.rating_0_to_1, family: `${source} ${place}` };
      }
      const target = (meanOf(story.ratings.map(meanOf)) - 1) / 4;
      return { text, source, target, family: `premise ${story.premise}`, author: authorOf(story.writer) };
    }),
    ...pairs.flatMap(({ prompt, preferred, other }, pair): Lesson[] => {
      const shared = { source: "reader-pairs", family: `prompt ${prompt}`, pair } as const;
      return [
        { ...shared, text: preferred, target: 1 },
        { ...shared, text: other, target: 0 },
      ];
    }),
  ];
}

/** Four of the stories are by people, each of another; a model wrote eight or more. */
function authorOf(writer: string): string {
  return writer.startsWith("Human") ? "people" : writer;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
