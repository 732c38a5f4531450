import { seededRandom } from "../../src/core/random.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { topLevel } from "../../src/criteria/rubric.ts";
import { type MadeReply, makeReplies } from "../../src/judge/reading/corpus/made-replies.ts";
import { type ReadReply, readVerdicts } from "../../src/judge/reading/read-verdicts.ts";
import { wilsonInterval } from "../../src/stats/distribution/wilson-interval.ts";
import { defineEval, type Figure } from "../part.ts";

const SEED = 77;
const PER_LAYOUT = 100;

/** How well saved replies are read: made replies in every layout, with traps in their prose. */
export default defineEval({
  id: "reading-replies",
  title: "Reading verdicts out of replies",
  data: {},
  async run() {
    const rubric = await loadRubric("long-story");
    const ids = topLevel(rubric).map(({ id }) => id);
    const replies = makeReplies(seededRandom(SEED), PER_LAYOUT);
    const outcomes = replies.map((reply) => ({
      ...reply,
      outcome: judge(reply, readVerdicts(reply.text, rubric), ids),
    }));
    const share = (form: MadeReply["form"], name: string): Figure => {
      const of = outcomes.filter((reply) => reply.form === form);
      const right = of.filter(({ outcome }) => outcome === "right").length;
      const interval = wilsonInterval(right, of.length, 0.95);
      return { id: `${form}-right`, name, value: right / of.length, interval, n: of.length, better: "higher" };
    };
    const wrong = outcomes.filter(({ outcome }) => outcome === "wrong").length;
    return [
      share("well-formed", "Well-formed replies read without a gap or a mistake"),
      share("sloppy", "Sloppy replies read without a gap or a mistake"),
      {
        id: "silent-mistakes",
        name: "Replies in which any score was read wrongly",
        value: wrong,
        interval: null,
        n: outcomes.length,
        better: "lower",
      },
    ];
  },
});

function judge(made: MadeReply, read: ReadReply, ids: readonly string[]): "right" | "missed" | "wrong" {
  const compared = [
    ...ids.map((id) => compare(read.aspects[id], made.aspects[id] ?? null)),
    compare(read.overall, made.overall),
  ];
  return compared.includes("wrong") ? "wrong" : compared.includes("missed") ? "missed" : "right";
}

function compare(verdict: Verdict | undefined, expected: number | null): "right" | "missed" | "wrong" {
  if (verdict?.kind !== "scored") return expected === null ? "right" : "missed";
  // Some layouts write one decimal.
  return expected !== null && Math.abs(verdict.score - expected) < 0.051 ? "right" : "wrong";
}
