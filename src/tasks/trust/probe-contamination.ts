import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import { rubricOf } from "../../criteria/load-rubric.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { anonymiseBook, makeNameMap } from "../../judge/anonymise.ts";
import { type JudgeInstructions, selectCriteria } from "../../judge/material.ts";
import type { PublishedMethod } from "../../judge/methods/method.ts";
import { repeatRuns } from "../../judge/methods/registry.ts";
import { type Recognition, recognise } from "../../judge/probe/recognise.ts";
import { type Spread, spreadOf } from "../../judge/repeats.ts";
import { wholeBook } from "../../judge/subjects.ts";
import { notesText, summariseBook } from "../../judge/summary.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { promptLanguage } from "../../prompts/load-prompt.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { sum } from "../../stats/distribution.ts";
import { studentInterval } from "../../stats/special/student-t.ts";
import type { Book } from "../../text/book.ts";
import { segmentBook } from "../../text/segments.ts";
import { openBook } from "../books/open-book.ts";
import type { BookInput } from "../define/shared-fields.ts";

export interface ProbeOptions {
  readonly judge: string | ChatModel;
  readonly runs: number;
  readonly rubric?: string | Rubric;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress?: ProgressListener;
}

export type VariantName = "original" | "anonymised" | "summarised";

export interface ProbedVariant {
  readonly variant: VariantName;
  /** Null when the judge did not answer. */
  readonly recognition: Recognition | null;
  readonly overall: Verdict;
  readonly standardDeviation: number | null;
}

export interface ContaminationReport {
  readonly title: string;
  readonly judge: string;
  readonly names: number;
  readonly variants: readonly ProbedVariant[];
  /** How much higher the judge scores the original, and whether that is more than its own noise. */
  readonly gaps: readonly {
    readonly against: VariantName;
    readonly points: number;
    readonly interval: readonly [number, number] | null;
    readonly beyondNoise: boolean;
  }[];
}

/** Enough of a book to recognise and judge it; the whole book would cost as much as three evaluations. */
const SAMPLE_SEGMENTS = 3;
const PASSAGE_CHARACTERS = 6000;

/**
 * Asks whether the judge knows the book, and whether that changes its verdict. The judge is asked for the title, and
 * judges three versions of the same passages: unchanged, with other names, and as a summary with other names.
 */
export function probeContamination(source: BookInput, options: ProbeOptions): Promise<RunOutcome<ContaminationReport>> {
  return inRun(options.settings, options.services, async (run) => {
    const { signal } = options.services;
    const [book, rubric, judge] = await Promise.all([
      openBook(source),
      rubricOf(options.rubric ?? "long-story"),
      run.model(options.judge),
    ]);
    const language = promptLanguage(book.language);
    const instructions: JudgeInstructions = {
      rubric,
      criteria: selectCriteria(rubric, null),
      definitions: true,
      language,
      temperature: 0.7,
    };
    const sample = sampleOf(book);
    const map = await makeNameMap(judge, sample, language, signal);
    if (map.kind === "unanswered")
      throw new FabulaError("E_PROBE_NAMES", `The judge made no new names: ${map.reason}.`);
    const anonymous = anonymiseBook(sample, map.value, language === "zh" ? "无题" : "Untitled");
    const segments = segmentBook(anonymous);
    const notes = (await summariseBook(judge, { book: anonymous, segments, language }, signal).whole).notes;
    const versions: { variant: VariantName; book: Book; passage: string; method: PublishedMethod }[] = [
      { variant: "original", book: sample, passage: passageOf(sample), method: "aggregate" },
      { variant: "anonymised", book: anonymous, passage: passageOf(anonymous), method: "aggregate" },
      { variant: "summarised", book: anonymous, passage: notes ? notesText(notes) : "", method: "summary" },
    ];
    let done = 0;
    const probed = await Promise.all(
      versions.map(async ({ variant, book: version, passage, method }) => {
        const spread = await judgeVersion(judge, version, method, instructions, options);
        const recognition = passage === "" ? null : await recognise(judge, passage, book, language, signal);
        options.onProgress?.({ stage: "Probing", done: ++done, total: versions.length });
        return { variant, spread, recognition: recognition?.kind === "answered" ? recognition.value : null };
      }),
    );
    return {
      title: book.title,
      judge: judge.id,
      names: map.value.length,
      variants: probed.map(({ variant, spread, recognition }) => ({
        variant,
        recognition,
        overall: spread.verdict,
        standardDeviation: spread.standardDeviation,
      })),
      gaps: probed.slice(1).flatMap(({ variant, spread }) => gapBetween(probed[0]!.spread, spread, variant)),
    };
  });
}

/** Passages from the beginning, the middle and the end. */
function sampleOf(book: Book): Book {
  const { chapters } = book;
  const places = [...new Set([0, 0.5, 1].map((at) => Math.round(at * (chapters.length - 1))))].slice(
    0,
    SAMPLE_SEGMENTS,
  );
  const chosen = places.map((place) => chapters[place]!);
  return { ...book, chapters: chosen, words: sum(chosen.map(({ words }) => words)) };
}

function passageOf({ chapters }: Book): string {
  const share = Math.floor(PASSAGE_CHARACTERS / Math.max(1, chapters.length));
  return chapters.map(({ text }) => text.slice(0, share)).join("\n\n…\n\n");
}

async function judgeVersion(
  judge: ChatModel,
  book: Book,
  method: PublishedMethod,
  instructions: JudgeInstructions,
  options: ProbeOptions,
): Promise<Spread> {
  const { signal } = options.services;
  const subject = wholeBook(book, { method, instructions, summariser: judge, bySegment: false, signal });
  const { scale } = instructions.rubric;
  const outcomes = await repeatRuns(subject.judge, judge, { runs: options.runs, untilHalfWidth: null, scale, signal });
  return spreadOf(
    outcomes.map(({ overall }) => overall),
    scale,
  );
}

/** Welch's interval for the difference of two means. */
function gapBetween(original: Spread, other: Spread, against: VariantName): ContaminationReport["gaps"] {
  if (!isScored(original.verdict) || !isScored(other.verdict)) return [];
  const points = original.verdict.score - other.verdict.score;
  const [left, right] = [original, other].map(
    ({ standardDeviation, scores }) => (standardDeviation ?? 0) ** 2 / scores.length,
  );
  const variance = left! + right!;
  const degrees = original.scores.length + other.scores.length - 2;
  if (degrees < 2 || variance === 0) return [{ against, points, interval: null, beyondNoise: false }];
  const interval = studentInterval(points, Math.sqrt(variance), degrees);
  return [{ against, points, interval, beyondNoise: interval[0] > 0 || interval[1] < 0 }];
}
