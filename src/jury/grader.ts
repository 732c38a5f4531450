import { FabulaError } from "../core/errors.ts";
import { scored, unscored, type Verdict } from "../core/verdict.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import type { Criterion, Rubric } from "../criteria/rubric.ts";
import { scanProse } from "../prose/scan-prose.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";
import { detectLanguage } from "../text/language.ts";
import type { SharedCounts } from "./counted-text.ts";
import { LinearJudge } from "./linear-judge.ts";
import { type ModelHead, readModel, shippedGraderModel } from "./model-file.ts";
import { languageName, MINIMUM_FUNCTION_WORDS, reasonRepetitive } from "./readable.ts";

/** Fewer words than this show too little of the writing. */
export const MINIMUM_WORDS = 150;

/** The grader's verdict on a text, on the scale of its rubric (0–20). */
export interface GraderVerdicts {
  readonly overall: Verdict;
  /** By criterion id. For a fault, a high grade is bad. */
  readonly criteria: Readonly<Record<string, Verdict>>;
  /** Words of prose that were read; headings and other layout lines are not counted. */
  readonly words: number;
}

/**
 * Verdicts broken down by sentence. For each output (`overall` and every criterion), the intercept and the shares of
 * all sentences add up to `sums`, and the verdict is that sum, clipped to the scale in the rare case that it exceeds
 * it.
 */
export interface GraderExamination extends GraderVerdicts {
  /** Where each sentence is in the text. Empty when the text was not scored. */
  readonly sentences: readonly { readonly start: number; readonly end: number; readonly words: number }[];
  /** By output: the signed share of each sentence, in points of the scale. */
  readonly shares: Readonly<Record<string, Float64Array>>;
  readonly intercepts: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, number>>;
}

/**
 * The embedded judge that imitates a language-model grader: no key, no network, and every score a sum over sentences.
 */
export interface Grader {
  readonly id: "grader";
  /** Changes whenever the weights do. */
  readonly version: string;
  readonly rubric: Rubric;
  readonly criteria: readonly Criterion[];
  score(text: string): GraderVerdicts;
  /** The same verdicts, with each sentence's share of them: for evidence. */
  examine(text: string): GraderExamination;
  /** Verdicts on texts that are known to be readable: their mean, weighted by words. */
  scorePrepared(chapters: readonly CountedProse[]): GraderVerdicts & {
    /** The overall sum of each. */
    readonly chapters: readonly number[];
  };
  /** The overall score of such a text as a sum over its sentences. */
  sharesOfOverall(text: CountedProse): { readonly intercept: number; readonly sentences: Float64Array };
}

interface CountedProse {
  readonly prose: ScannedProse;
  readonly counts: SharedCounts;
}

let shipped: Promise<Grader> | undefined;

/** The judge in `folder`; by default the judge that ships with the package, which is loaded once. */
export async function loadGrader(folder?: string): Promise<Grader> {
  if (folder !== undefined) return load(readModel(folder));
  shipped ??= load(shippedGraderModel());
  return shipped;
}

async function load({ model, digest }: ReturnType<typeof readModel>): Promise<Grader> {
  const rubric = await loadRubric("grader");
  const { outputs } = model.head;
  const expected = ["overall", ...rubric.criteria.map(({ id }) => id)];
  if (outputs.join() !== expected.join()) {
    throw new FabulaError(
      "E_WEIGHTS_RUBRIC",
      "The grader's weights grade other criteria than its rubric names: train it again with `npm run train -- grader`.",
      { evidence: { outputs, expected } },
    );
  }
  const linear = new LinearJudge(model);
  const verdictsOf = (sums: Float64Array, words: number): GraderVerdicts => {
    const verdicts = outputs.map((_, output) => verdictOf(sums[output]!, output, words, model.head, rubric));
    return {
      overall: verdicts[0]!,
      criteria: Object.fromEntries(outputs.slice(1).map((id, position) => [id, verdicts[position + 1]!])),
      words,
    };
  };
  return {
    id: "grader",
    version: digest.slice(0, 12),
    rubric,
    criteria: rubric.criteria,
    scorePrepared(chapters) {
      const words = chapters.reduce((sum, { prose }) => sum + prose.wordCount, 0);
      const sums = new Float64Array(outputs.length);
      const each = chapters.map(({ prose, counts }) => {
        if (prose.wordCount === 0) return 0;
        const scores = linear.score(linear.read(prose, counts));
        for (const [output, score] of scores.entries())
          sums[output] = sums[output]! + (score * prose.wordCount) / words;
        return scores[0]!;
      });
      return { ...verdictsOf(sums, words), chapters: each };
    },
    sharesOfOverall({ prose, counts }) {
      const { shares, intercepts } = linear.breakDown(linear.read(prose, counts));
      return { intercept: intercepts[0]!, sentences: shares[0]! };
    },
    score(text) {
      const prose = scanProse(text);
      const refusal = reasonNotToScore(prose, text);
      if (refusal !== null) return refused(refusal, rubric, prose.wordCount);
      return verdictsOf(linear.score(linear.read(prose)), prose.wordCount);
    },
    examine(text) {
      const prose = scanProse(text);
      const refusal = reasonNotToScore(prose, text);
      if (refusal !== null) {
        return { ...refused(refusal, rubric, prose.wordCount), sentences: [], shares: {}, intercepts: {}, sums: {} };
      }
      const { shares, intercepts } = linear.breakDown(linear.read(prose));
      const sums = intercepts.map((intercept, output) =>
        shares[output]!.reduce((sum, share) => sum + share, intercept),
      );
      return {
        ...verdictsOf(sums, prose.wordCount),
        sentences: Array.from({ length: prose.sentenceCount }, (_, sentence) => ({
          start: prose.starts[sentence]!,
          end: prose.ends[sentence]!,
          words: prose.words[sentence]!,
        })),
        shares: byOutput(outputs, (output) => shares[output]!),
        intercepts: byOutput(outputs, (output) => intercepts[output]!),
        sums: byOutput(outputs, (output) => sums[output]!),
      };
    },
  };
}

function byOutput<T>(outputs: readonly string[], value: (output: number) => T): Record<string, T> {
  return Object.fromEntries(outputs.map((id, output) => [id, value(output)]));
}

function reasonNotToScore(prose: ScannedProse, text: string): string | null {
  const isEnglish =
    prose.foreignLetters <= prose.wordCount && prose.functionWordCount >= MINIMUM_FUNCTION_WORDS * prose.wordCount;
  if (prose.wordCount + prose.foreignLetters >= MINIMUM_WORDS && !isEnglish) {
    const language = detectLanguage(text);
    const named = language === null || language === "en" ? "" : ` (it looks like ${languageName(language)})`;
    return `the text is not English prose${named}, and the grader reads English only`;
  }
  if (prose.wordCount < MINIMUM_WORDS) {
    return `the text has ${prose.wordCount} words of prose, and the grader needs at least ${MINIMUM_WORDS}`;
  }
  return reasonRepetitive([{ text, prose }]);
}

function refused(reason: string, rubric: Rubric, words: number): GraderVerdicts {
  return {
    overall: unscored(reason),
    criteria: Object.fromEntries(rubric.criteria.map(({ id }) => [id, unscored(reason)])),
    words,
  };
}

function verdictOf(sum: number, output: number, words: number, head: ModelHead, { scale }: Rubric): Verdict {
  const clip = (value: number) => Math.min(scale.maximum, Math.max(scale.minimum, value));
  const halfWidth = calibrationFor(words, head).halfWidths[output]!;
  return scored(clip(sum), [clip(sum - halfWidth), clip(sum + halfWidth)]);
}

/**
 * The calibration for the longest pieces that are not longer than this text, so that no interval assumes more than
 * was read.
 */
function calibrationFor(words: number, { calibration }: ModelHead): ModelHead["calibration"][number] {
  return calibration.filter((entry) => entry.words <= words).at(-1) ?? calibration[0]!;
}
