import { checkJsonLinesName, jsonLines, openJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type RawReview, rawReviewSchema, type Structuring, structureReview } from "../../reviews/structure-review.ts";
import { eachBounded, inOrder } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { loadAspectTools } from "./review-pairs.ts";

export interface StructureRequest {
  readonly input: string;
  readonly output: string;
  /** Where to write the reviews that could not be structured, each with the reason. */
  readonly dropped?: string;
  readonly model: string | ChatModel;
  /** A model to ask when the first model's output does not follow the review. */
  readonly secondModel?: string | ChatModel;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
  /** Called with the outcomes, in the order of the reviews. */
  readonly onStructured?: (result: Structuring) => void;
  /** Looks up the result that workers have already made for the review at a position; null if there is none. */
  readonly structured?: ((position: number) => Promise<Structuring | null>) | undefined;
}

export interface StructureReport {
  readonly reviews: number;
  readonly byFirst: number;
  readonly bySecond: number;
  readonly dropped: number;
  /** Reviews for which no model could be asked; running the command again asks again. */
  readonly unscored: number;
  readonly unmapped: readonly { readonly name: string; readonly count: number }[];
}

/**
 * Structures raw reviews line by line in the order of the input, so that a hundred thousand need no more memory than
 * a hundred. Every answer is stored at once, so an interrupted run continues where it stopped.
 */
export function structureReviews(request: StructureRequest): Promise<RunOutcome<StructureReport>> {
  if (request.dropped !== undefined) checkJsonLinesName(request.dropped);
  return inRun(request.settings, request.services, async (run) => {
    const { map } = await loadAspectTools();
    const first = await run.model(request.model);
    const second = request.secondModel === undefined ? [] : [await run.model(request.secondModel)];
    const tally = { reviews: 0, byFirst: 0, bySecond: 0, dropped: 0, unscored: 0 };
    const unmapped = new Map<string, number>();
    const lost = request.dropped === undefined || run.dryRun ? null : openJsonLines(request.dropped);
    const { signal } = request.services;
    const rows = async function* () {
      for await (const { review, result } of inOrder(
        eachBounded(jsonLines(request.input, rawReviewSchema), run.concurrency * 2, async (review, position) => ({
          review,
          result:
            (await request.structured?.(position)) ?? (await structureReview(review, [first, ...second], map, signal)),
        })),
      )) {
        count(tally, result);
        request.onStructured?.(result);
        request.onProgress({
          stage: "Structuring",
          done: tally.reviews,
          total: null,
          note: `${tally.dropped} dropped`,
        });
        if (result.kind !== "structured") {
          await lost?.write({ ...review, [result.kind]: result.reason });
          continue;
        }
        for (const { name, aspect } of result.viewpoints) {
          if (aspect === null) unmapped.set(name, (unmapped.get(name) ?? 0) + 1);
        }
        yield row(review, result);
      }
      // After an interruption the remaining reviews are unscored, so the result is incomplete and is not written.
      signal.throwIfAborted();
    };
    try {
      if (run.dryRun) for await (const _ of rows());
      else await writeJsonLines(request.output, rows());
    } catch (error) {
      await lost?.abandon();
      throw error;
    }
    await lost?.finish();
    const names = [...unmapped].map(([name, times]) => ({ name, count: times }));
    return { ...tally, unmapped: names.sort((left, right) => right.count - left.count) };
  });
}

function row(
  { id, book, reviewer }: RawReview,
  { kind, by, viewpoints, ...facts }: Structuring & { kind: "structured" },
) {
  const { mentionedRating, ...rest } = facts;
  return { ...(id !== undefined && { id }), book, reviewer, ...rest, mentioned_rating: mentionedRating, viewpoints };
}

function count(
  tally: Record<"reviews" | "byFirst" | "bySecond" | "dropped" | "unscored", number>,
  result: Structuring,
) {
  tally.reviews++;
  switch (result.kind) {
    case "structured":
      tally[result.by === "first" ? "byFirst" : "bySecond"]++;
      break;
    case "dropped":
    case "unscored":
      tally[result.kind]++;
      break;
    default:
      result satisfies never;
  }
}
