import { z } from "zod";
import { contentHash } from "../core/hash.ts";
import { rubricHash } from "../criteria/rubric.ts";
import type { PromptSource } from "../prompts/own-prompts.ts";
import { LONG_STORY_SEGMENT_WORDS } from "../text/segments.ts";
import type { JudgeInstructions, Protocol } from "./material.ts";
import type { MethodName } from "./methods/method.ts";

/**
 * All settings of an evaluation except the book. Scores made with other settings are scores of another judge: they
 * are never combined.
 */
export const settingsSchema = z.object({
  /** Hash of all other settings. */
  hash: z.string(),
  judges: z.array(z.string()).min(1),
  method: z.string(),
  protocol: z.string(),
  rubric: z.object({ id: z.string(), version: z.number().int(), hash: z.string() }),
  aspects: z.array(z.string()),
  definitions: z.boolean(),
  /** The language of the prompts. */
  language: z.string(),
  temperature: z.number().nullable(),
  /** Null if no summary was made. */
  summariser: z.string().nullable(),
  chapterSummaries: z.boolean(),
  /** Null if the book was not cut into segments. */
  segmentWords: z.number().int().nullable(),
  /** How the book is cut and shown; absent for Fabula's own way. */
  presentation: z
    .strictObject({
      excerpts: z.enum(["spread", "one chapter"]),
      genres: z.number().int().positive().nullable(),
      before: z.enum(["plot and characters", "plot"]),
      rest: z.enum(["joined", "apart"]),
    })
    .exactOptional(),
  /** The number of runs requested, which `--until-ci` may cut short. */
  runs: z.number().int().positive(),
  untilHalfWidth: z.number().nullable(),
  /** The hash of each prompt by name, or of each embedded judge. */
  prompts: z.record(z.string(), z.string()),
});
export type EvaluationSettings = z.infer<typeof settingsSchema>;

export function withHash(settings: Omit<EvaluationSettings, "hash">): EvaluationSettings {
  return { hash: contentHash(settings).slice(0, HASH_LENGTH), ...settings };
}

const HASH_LENGTH = 16;

/** What is judged: the text by a method, an existing summary, or an outline. */
export type Basis = MethodName | "given summary" | "outline";

export interface ChosenSettings {
  readonly judges: readonly string[];
  readonly basis: Basis;
  readonly instructions: JudgeInstructions;
  readonly summariser: string;
  readonly bySegment: boolean;
  readonly segmentWords?: number | undefined;
  readonly runs: number;
  readonly untilHalfWidth: number | null;
}

/** The settings of an evaluation by language models, with the prompts it uses. */
export async function settingsOf(chosen: ChosenSettings, prompts: PromptSource): Promise<EvaluationSettings> {
  const { instructions, basis } = chosen;
  const { rubric, protocol = "rubric", language } = instructions;
  const isSummarised = basis === "aggregate" || basis === "incremental" || basis === "summary";
  const names = [...judgePrompts(basis, protocol), ...(isSummarised ? ["summarise-opening", "summarise-next"] : [])];
  // The layout that a model was trained on is English, whatever the book's language.
  const languageOf = (name: string) => (name.startsWith("novel-critique") ? "en" : language);
  const hashes = names.map(async (name) => [name, (await prompts(name, languageOf(name))).hash] as const);
  return withHash({
    judges: [...chosen.judges],
    method: basis === "given summary" ? "summary" : basis,
    protocol,
    rubric: { id: rubric.id, version: rubric.version, hash: rubricHash(rubric) },
    aspects: instructions.criteria.map(({ id }) => id),
    definitions: instructions.definitions,
    language,
    temperature: instructions.temperature,
    summariser: isSummarised ? chosen.summariser : null,
    chapterSummaries: basis === "summary" && chosen.bySegment,
    segmentWords: isSummarised ? (chosen.segmentWords ?? LONG_STORY_SEGMENT_WORDS) : null,
    ...(instructions.presentation && { presentation: { ...instructions.presentation } }),
    runs: chosen.runs,
    untilHalfWidth: chosen.untilHalfWidth,
    prompts: Object.fromEntries(await Promise.all(hashes)),
  });
}

function judgePrompts(basis: Basis, protocol: Protocol): string[] {
  if (protocol === "novelcritique") return ["novel-critique"];
  switch (basis) {
    case "close":
      return [
        "close-story",
        "close-story-missing",
        "close-continuity",
        "close-threads",
        "close-craft",
        "close-refute",
        "close-refute-whole",
        "close-letter",
        "judge-close",
      ];
    case "one-pass":
      return ["judge-one-pass"];
    case "aggregate":
      return ["judge-segment"];
    case "incremental":
      return ["judge-update"];
    case "summary":
    case "given summary":
      return ["judge-summary"];
    case "outline":
      return ["judge-outline"];
    default:
      return basis satisfies never;
  }
}

const NAMES = {
  judges: "judge",
  method: "method",
  protocol: "protocol",
  rubric: "rubric",
  aspects: "aspects",
  definitions: "definitions",
  language: "language of the prompts",
  temperature: "temperature",
  summariser: "summariser",
  chapterSummaries: "chapter summaries",
  segmentWords: "segment words",
  presentation: "presentation",
  runs: "runs",
  untilHalfWidth: "until ±",
  prompts: "prompts",
} as const satisfies Record<Exclude<keyof EvaluationSettings, "hash">, string>;

/** A setting that is not the same everywhere, with its values. */
export interface SettingDifference {
  readonly name: string;
  readonly values: readonly string[];
}

/** Lists differing settings: `temperature (0, 0.7)`. Evaluations read from saved replies have no settings. */
export function differingSettings(all: readonly (EvaluationSettings | undefined)[]): SettingDifference[] {
  if (all.some((settings) => settings === undefined)) {
    if (all.every((settings) => settings === undefined)) return [];
    return [{ name: "settings", values: all.map((settings) => settings?.hash ?? "not recorded") }];
  }
  return (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((key) => {
    const values = all.map((settings) => settingInWords(key, settings!));
    return new Set(values).size > 1 ? [{ name: NAMES[key], values }] : [];
  });
}

export function differencesInWords(all: readonly (EvaluationSettings | undefined)[]): string {
  return differingSettings(all)
    .map(({ name, values }) => `${name} (${[...new Set(values)].join(", ")})`)
    .join("; ");
}

function settingInWords(key: keyof typeof NAMES, settings: EvaluationSettings): string {
  const value = settings[key];
  if (value === null || value === undefined) return "none";
  if (key === "presentation")
    return Object.entries(settings.presentation!)
      .map(([name, how]) => `${name}: ${how ?? "all"}`)
      .join(", ");
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join(" + ");
  if (key === "rubric")
    return `${settings.rubric.id} version ${settings.rubric.version}, ${settings.rubric.hash.slice(0, 8)}`;
  return typeof value === "object" ? contentHash(value).slice(0, 8) : String(value);
}
