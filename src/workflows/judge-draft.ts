import { FabulaError } from "../core/errors.ts";
import { loadRubric } from "../criteria/load-rubric.ts";
import { rubricHash } from "../criteria/rubric.ts";
import { buildEvaluation } from "../judge/build-evaluation.ts";
import { alignDrafts } from "../judge/drafts/align-drafts.ts";
import type { Change, DraftChanges } from "../judge/drafts/change-schema.ts";
import { draftChanges } from "../judge/drafts/draft-changes.ts";
import { draftRecord } from "../judge/drafts/draft-record.ts";
import { judgeDraft } from "../judge/drafts/judge-draft.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { selectCriteria } from "../judge/material/judging.ts";
import { findSuspicions } from "../judge/suspicion/find-suspicions.ts";
import { meteredModel } from "../models/metered-model.ts";
import { loadPrices, priceOf } from "../models/prices.ts";
import { promptLanguage } from "../prompts/load-prompt.ts";
import { readBook } from "../text/read-book.ts";
import { archiveDrafts, findDraft } from "./draft-archive.ts";
import { inRun, type RunOutcome } from "./in-run.ts";
import type { JudgeOptions } from "./judge-books.ts";

export type DraftOptions = Pick<
  JudgeOptions,
  "summariser" | "rubric" | "temperature" | "segmentWords" | "definitions" | "settings" | "services"
> & { readonly judge: string; readonly against: string };

/** Judges a new draft of a book by judging only the chapters that changed, and says which changes are more than noise. */
export function judgeNextDraft(file: string, options: DraftOptions): Promise<RunOutcome<BookEvaluation>> {
  return inRun(options.settings, options.services, async (run) => {
    const { signal } = options.services;
    const { store, prices: priceFile } = options.settings;
    const [book, rubric, prices] = await Promise.all([
      readBook(file),
      loadRubric(options.rubric ?? "long-story"),
      loadPrices(priceFile),
    ]);
    const record = await findDraft(store, options.against, book.title);
    if (record.rubric.hash !== rubricHash(rubric) || record.judge !== options.judge) {
      throw new FabulaError(
        "E_DRAFT_OTHER_JUDGE",
        `Run "${options.against}" was judged by ${record.judge} with rubric "${record.rubric.id}": use the same judge and rubric to compare drafts.`,
      );
    }
    const judging = {
      rubric,
      criteria: selectCriteria(rubric, record.criteria),
      definitions: options.definitions ?? true,
      language: promptLanguage(book.language),
      temperature: options.temperature ?? 0.7,
    };
    const model = await run.model(options.judge);
    const meter = meteredModel(model, priceOf(prices, model.id));
    const summariser = options.summariser === undefined ? meter.model : await run.model(options.summariser);
    const aligned = alignDrafts(book, record, options.segmentWords);
    const runs = Math.max(1, ...record.segments.map(({ replies }) => replies.length));
    const judged = await judgeDraft({ judge: meter.model, summariser }, book, judging, aligned, runs, signal);
    const segments = aligned.segments.map(({ segment }) => segment);
    const changes = draftChanges(options.against, record, aligned, judged.outcomes, judging);
    if (run.id !== null) {
      const next = draftRecord({ book, judge: model.id, judging, segments }, judged.progress, judged.outcomes);
      await archiveDrafts(store, run.id, [next]);
    }
    const evaluation = await buildEvaluation({
      book,
      judge: model.id,
      method: "aggregate",
      judging,
      outcomes: judged.outcomes,
      suspicions: findSuspicions(book.chapters),
      ...meter.read(),
    });
    return {
      ...evaluation,
      notes: [...evaluation.notes, ...changesInWords(changes)],
      changes,
      ...(run.id === null ? {} : { run: run.id }),
    };
  });
}

function changesInWords({ run, unchanged, removed, overall, aspects, segments }: DraftChanges): string[] {
  const change = ({ difference, interval, beyondNoise }: Change) => {
    if (difference === null) return "cannot be compared";
    const points = `${difference >= 0 ? "+" : "−"}${Math.abs(difference).toFixed(1)}`;
    const range = interval ? ` [${interval[0].toFixed(1)}, ${interval[1].toFixed(1)}]` : "";
    return `${points}${range}, ${beyondNoise ? "more than the judge's noise" : "within the judge's noise"}`;
  };
  const real = Object.entries(aspects).filter(([, aspect]) => aspect.beyondNoise);
  return [
    `Against run ${run}: ${segments.length} segments changed, ${unchanged} did not, ${removed} are gone; only changed ones were judged. Overall ${change(overall)}.`,
    ...real.map(([id, aspect]) => `${id}: ${change(aspect)}.`),
    ...segments
      .filter((segment) => segment.overall.beyondNoise)
      .map((segment) => `${segment.title}: ${change(segment.overall)}.`),
  ];
}
