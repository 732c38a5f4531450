import { join } from "node:path";
import { z } from "zod";
import { readJsonLines } from "../../../src/core/json-lines.ts";
import type { Lesson } from "../lesson.ts";
import { applyEdits } from "../notes/apply-edits.ts";
import { type FamilyOf, textFamilies } from "./text-families.ts";

const paragraphSchema = z.object({ text: z.string(), score_1_to_10: z.number() });
const pairSchema = z.object({
  before: z.string(),
  after: z.string(),
  score_before: z.number(),
  score_after: z.number(),
});
const editsSchema = z.object({
  text: z.string(),
  editor: z.string().nullish(),
  edits: z.array(z.object({ before: z.string(), after: z.string(), why: z.string() })),
});

export type EditedPair = z.infer<typeof pairSchema>;
export type ExplainedEdits = z.infer<typeof editsSchema>;

export interface ExpertEdits {
  readonly paragraphs: readonly z.infer<typeof paragraphSchema>[];
  readonly pairs: readonly EditedPair[];
  readonly edits: readonly ExplainedEdits[];
  /** A draft, its edits and every other version of it are one family. */
  readonly familyOf: FamilyOf;
}

export async function loadExpertEdits(folder: string): Promise<ExpertEdits> {
  const paragraphs = await readJsonLines(join(folder, "paragraphs.jsonl.gz"), paragraphSchema);
  const pairs = await readJsonLines(join(folder, "pairs.jsonl.gz"), pairSchema);
  const edits = await readJsonLines(join(folder, "edits.jsonl.gz"), editsSchema);
  const familyOf = textFamilies(
    [
      ...paragraphs.map(({ text }) => text),
      ...pairs.flatMap(({ before, after }) => [before, after]),
      ...edits.map(({ text }) => text),
    ],
    pairs.map(({ before, after }) => [before, after]),
  );
  return { paragraphs, pairs, edits, familyOf };
}

/** Scored paragraphs, and drafts beside what an editor made of them: as a whole, or edit by edit. */
export function expertLessons({ paragraphs, pairs, edits, familyOf }: ExpertEdits): Lesson[] {
  const versions = [
    ...pairs,
    ...edits
      .map((edited) => ({ before: edited.text, after: applyEdits(edited) }))
      .filter(({ before, after }) => before !== after),
  ];
  return [
    ...paragraphs.map(
      ({ text, score_1_to_10 }): Lesson => ({
        text,
        source: "expert-scores",
        target: score_1_to_10,
        family: familyOf(text),
      }),
    ),
    ...versions.flatMap(({ before, after }, pair): Lesson[] => {
      const shared = { source: "expert-pairs", family: familyOf(before), pair } as const;
      return [
        { ...shared, text: after, target: 1 },
        { ...shared, text: before, target: 0 },
      ];
    }),
  ];
}
