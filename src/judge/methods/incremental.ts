import { askJudge } from "../ask.ts";
import type { JudgeReply } from "../judge-reply.ts";
import type { LedgerEntry, Method, SegmentOutcome } from "./method.ts";
import { gap, judgedSegment, ledgerEntry, outcomeOf, unscoredOutcome, verdictOf } from "./outcome.ts";
import { segmentValues } from "./segment-values.ts";

/**
 * An evaluation carried along the book and brought up to date with every segment, as a reader's opinion is; the last
 * segment is named as the ending. S segments and R runs take S + S·R calls; the runs go side by side.
 */
export const incremental: Method = {
  name: "incremental",
  about: "an evaluation carried along and updated",
  async judge(judge, material, run, signal) {
    const { segments, judging } = material;
    const { criteria } = judging;
    const ledger: LedgerEntry[] = [];
    const course: SegmentOutcome[] = [];
    let evaluation: JudgeReply | null = null;
    for (const segment of segments) {
      const values = {
        ...(await segmentValues(material, segment)),
        ending: segment.index === segments.length ? "last" : null,
        // Last in the prompt, since it differs between runs: what stands before it can be served from a prefix cache.
        evaluation: evaluation ? JSON.stringify(evaluation) : null,
      };
      const answer = await askJudge(judge, judging, { prompt: "judge-update", values, sample: run }, signal);
      material.onSegment?.(judgedSegment(segment, answer));
      if (answer.kind === "unread") {
        ledger.push(ledgerEntry(segment, "nothing", answer.reason));
        continue;
      }
      evaluation = answer.value;
      ledger.push(ledgerEntry(segment, "text"));
      const { aspects, overall } = answer.value;
      course.push({
        segment: segment.index,
        chapter: segment.spans[0]?.chapter ?? 1,
        aspects: Object.fromEntries(criteria.map(({ id }) => [id, verdictOf(aspects[id]?.score ?? null)])),
        overall: verdictOf(overall),
      });
    }
    await material.summary().whole;
    const missing = gap(ledger) ?? endingMissed(ledger);
    if (!evaluation || missing) return unscoredOutcome(judging, missing ?? "nothing was judged", ledger);
    return { ...outcomeOf(evaluation, ledger), course };
  },
};

/** An evaluation that never saw the ending is one of another book. */
function endingMissed(ledger: readonly LedgerEntry[]): string | null {
  const last = ledger.at(-1);
  return last?.seenAs === "nothing" ? `the last segment could not be judged: ${last.reason}` : null;
}
