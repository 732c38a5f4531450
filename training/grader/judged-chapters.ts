import { z } from "zod";
import { FabulaError } from "../../src/core/errors.ts";
import { readJsonLines } from "../../src/core/json-lines.ts";

const rowSchema = z.object({
  writer: z.string().min(1),
  story: z.string().min(1),
  chapter: z.number(),
  text: z.string(),
  scores_0_to_20: z.record(z.string(), z.number().nullable()).nullable().optional(),
});

/** The benchmark's names for the criteria the judge learns, by the ids of `assets/criteria/grader.yaml`. */
const CRITERION_NAMES: Readonly<Record<string, readonly string[]>> = {
  "nuanced-characters": ["Nuanced Characters"],
  "emotionally-engaging": ["Emotionally Engaging"],
  "compelling-plot": ["Compelling Plot"],
  coherent: ["Coherent"],
  "well-earned-lightness-or-darkness": ["Well-earned Lightness or Darkness"],
  "weak-dialogue": ["Weak Dialogue"],
  "tell-dont-show": ["Tell-Don't-Show", "Tell-Don't Show"],
  "unsurprising-or-uncreative": ["Unsurprising or Uncreative"],
  amateurish: ["Amateurish"],
  "purple-prose": ["Purple Prose"],
  "forced-poetry-or-metaphor": ["Forced Poetry or Metaphor"],
};

/** Grades where less is better, turned round for the overall score. */
const FAULTS = new Set([
  "Weak Dialogue",
  "Tell-Don't-Show",
  "Tell-Don't Show",
  "Unsurprising or Uncreative",
  "Amateurish",
  "Purple Prose",
  "Forced Poetry or Metaphor",
  "Unearned Transformations",
]);

export const OUTPUTS: readonly string[] = ["overall", ...Object.keys(CRITERION_NAMES)];

/** A chapter in which nobody speaks has no dialogue to grade; any other gap is a grading that was not finished. */
const MAY_BE_MISSING = new Set(["weak-dialogue"]);

export interface JudgedChapter {
  readonly writer: string;
  /** Every name under which the data lists this text: the writer's and, for a few, a second one. */
  readonly names: readonly string[];
  /** Writers that are one model in several tunings or snapshots share a family. */
  readonly family: string;
  readonly story: string;
  readonly text: string;
  /** By {@link OUTPUTS}; NaN where the grader gave none. */
  readonly targets: Float64Array;
}

/**
 * The graded chapters, once each: the data lists some writers under two names with the same texts, and a text that
 * stands on both sides of a split would flatter every figure.
 */
export async function loadJudgedChapters(path: string): Promise<JudgedChapter[]> {
  const rows = await readJsonLines(path, rowSchema);
  const chapters = new Map<string, JudgedChapter & { readonly names: string[] }>();
  for (const { writer, story, text, scores_0_to_20: scores } of rows) {
    if (!scores) continue;
    const targets = targetsOf(scores);
    if (targets.some((target, output) => Number.isNaN(target) && !MAY_BE_MISSING.has(OUTPUTS[output]!))) continue;
    const known = chapters.get(text);
    if (known) known.names.push(writer);
    else {
      chapters.set(text, {
        writer,
        names: [writer],
        family: familyOf(writer),
        story: promptOf(story),
        text,
        targets,
      });
    }
  }
  if (chapters.size === 0) {
    throw new FabulaError("E_TRAINING_DATA", `"${path}" holds no graded chapters: give the judged-chapters file.`);
  }
  return [...chapters.values()];
}

/** Overall is the mean of all grades given, faults turned round: the benchmark's own chapter average, on 0–20. */
function targetsOf(scores: Readonly<Record<string, number | null>>): Float64Array {
  const grades = Object.entries(scores).flatMap(([name, grade]) =>
    grade === null ? [] : [FAULTS.has(name) ? 20 - grade : grade],
  );
  const overall = grades.length === 0 ? Number.NaN : grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  const criteria = Object.values(CRITERION_NAMES).map(
    (names) => names.map((name) => scores[name]).find((grade) => typeof grade === "number") ?? Number.NaN,
  );
  return Float64Array.from([overall, ...criteria]);
}

/** Stories are told apart by their genre heading; later parts are titles and stray scores. */
function promptOf(story: string): string {
  return story.split(" — ")[0]!.trim();
}

/** One family per model: without maker, date, size of tuning run or way of access. */
function familyOf(writer: string): string {
  return writer
    .toLowerCase()
    .replace(/^.*__/, "")
    .replace(
      /-(?:it|instruct|dpo|free|preview|beta|exp\d+|antislop|\d{2}-\d{2}|\d{4}-\d{2}-\d{2}|\d{8}|\d{4})(?=-|$)/g,
      "",
    )
    .replace(
      /-(?:it|instruct|dpo|free|preview|beta|exp\d+|antislop|latest|\d+b-\d+e|\d{2}-\d{2}|\d{4}-\d{2}-\d{2})(?=-|$)/g,
      "",
    )
    .replace(/-17b.*$/, "");
}
