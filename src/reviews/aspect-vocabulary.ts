import { readFile } from "node:fs/promises";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { parseYaml } from "../core/parse-yaml.ts";

const namesSchema = z.record(z.string(), z.array(z.string().min(1)).min(1));
const vocabularySchema = z.strictObject({
  version: z.number().int().positive(),
  aspects: namesSchema,
  others: namesSchema,
});

/** The words readers use for what they judge, by the aspect they mean. */
export type AspectVocabulary = z.infer<typeof vocabularySchema>;

export async function loadAspectVocabulary(): Promise<AspectVocabulary> {
  const source = await readFile(assetPath("criteria", "aspect-vocabulary.yaml"), "utf8");
  return vocabularySchema.parse(parseYaml(source));
}
