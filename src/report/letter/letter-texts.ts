import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";

const template = z.string();

/** The letter's sentences in one language: a data file, so that a writer's words are no code. */
const letterTextsSchema = z.object({
  version: z.number().int(),
  items: z.record(z.string(), z.object({ title: template, finding: template, advice: template })),
  headings: z.record(z.string(), template),
  /** The editor's reasons for a change. */
  reasons: z.record(z.string(), template),
  rate: template,
  /** Figures of the first sentence where there is no reference, by their id. */
  counted: z.record(z.string(), template),
  /** Names of the map's figures, where they are not English. */
  figures: z.record(z.string(), z.string()).default({}),
  opening: z.record(z.string(), template),
  notJudged: z.record(z.string(), template),
  and: z.string(),
  /** Names of the aspects, where the rubric's own are in another language. */
  aspects: z.record(z.string(), z.string()),
});

export type LetterTexts = z.infer<typeof letterTextsSchema>;
export type LetterLanguage = "en" | "zh";

const loaded = new Map<LetterLanguage, LetterTexts>();

export function loadLetterTexts(language: LetterLanguage): LetterTexts {
  const known = loaded.get(language);
  if (known) return known;
  const texts = letterTextsSchema.parse(parse(readFileSync(assetPath("letter", `${language}.yaml`), "utf8")));
  loaded.set(language, texts);
  return texts;
}

/** A sentence with its variables filled in. A variable without a value is a fault of ours, never a gap in a letter. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the letter's text "${text}" needs a value for ${name}`);
    return String(value);
  });
}
