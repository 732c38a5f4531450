import { seededRandom } from "../../src/core/random.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { topLevel } from "../../src/criteria/rubric.ts";
import type { ReadVerdict } from "../../src/judge/replies/on-scale.ts";
import { type ReadReply, readVerdicts } from "../../src/judge/replies/read-verdicts.ts";
import { wilsonInterval } from "../../src/stats/distribution.ts";
import { type WrittenReply, writtenReplies } from "../../test/fixtures/written-replies.ts";
import { defineEval, type Figure } from "../part.ts";
import { type MadeReply, makeReplies } from "../replies/mixed-replies.ts";

const SEED = 77;
const PER_LAYOUT = 100;

/**
 * How well saved replies are read: made replies in every layout, with traps in their prose, and replies written by hand.
 * The reader was corrected on the latter, so they only show that nothing was lost since; what new replies would
 * give is in `evals/reading-rules.md`, where each round stands as it was read at first sight.
 */
export default defineEval({
  id: "reading-replies",
  title: "Reading verdicts out of replies",
  data: {},
  async run() {
    const rubric = await loadRubric("long-story");
    const ids = topLevel(rubric).map(({ id }) => id);
    const written = writtenReplies().map((reply) => fromWritten(reply, ids));
    const outcomes = (replies: readonly Expected[]) =>
      replies.map((reply) => ({ ...reply, outcome: judge(reply, readVerdicts(reply.text, rubric, reply.asked), ids) }));
    return [
      ...figuresOf(outcomes(makeReplies(seededRandom(SEED), PER_LAYOUT).map(fromMade)), "", {
        "well-formed": "Well-formed synthetic replies read without a gap or a mistake",
        sloppy: "Malformed synthetic replies read without a gap or a mistake",
        mistakes: "Synthetic replies in which any score was read wrongly",
      }),
      ...figuresOf(outcomes(written), "written-", {
        "well-formed":
          "Well-formed replies written by hand, on which the reader was corrected (no estimate for new ones)",
        sloppy: "Malformed replies written by hand, on which the reader was corrected (no estimate for new ones)",
        mistakes: "Replies written by hand, on which the reader was corrected, in which any score was read wrongly",
      }),
    ];
  },
});

type Expected = Pick<MadeReply, "text" | "form" | "aspects" | "overall"> & Pick<WrittenReply, "asked">;
type Outcome = "right" | "missed" | "wrong";

/** Made replies are asked for 1–5 or 0–100. */
function fromMade(reply: MadeReply): Expected {
  const five = [...Object.values(reply.aspects), reply.overall].every((score) => (score ?? 0) <= 5);
  return { ...reply, asked: five ? { minimum: 1, maximum: 5 } : { minimum: 0, maximum: 100 } };
}

function fromWritten({ text, form, scores, asked }: WrittenReply, ids: readonly string[]): Expected {
  return {
    text,
    asked,
    form: form === "well" ? "well-formed" : "sloppy",
    aspects: Object.fromEntries(ids.map((id, at) => [id, scores[at] ?? null])),
    overall: scores[ids.length] ?? null,
  };
}

function figuresOf(
  replies: readonly (Expected & { readonly outcome: Outcome })[],
  prefix: string,
  names: Readonly<Record<MadeReply["form"] | "mistakes", string>>,
): Figure[] {
  const share = (form: MadeReply["form"]): Figure => {
    const of = replies.filter((reply) => reply.form === form);
    const right = of.filter(({ outcome }) => outcome === "right").length;
    // What the reader was corrected on is no sample of anything, so it has no interval.
    const interval = prefix === "" ? wilsonInterval(right, of.length, 0.95) : null;
    return {
      id: `${prefix}${form}-right`,
      name: names[form],
      value: right / of.length,
      interval,
      n: of.length,
      better: "higher",
    };
  };
  const wrong = replies.filter(({ outcome }) => outcome === "wrong").length;
  return [
    share("well-formed"),
    share("sloppy"),
    {
      id: `${prefix}silent-mistakes`,
      name: names.mistakes,
      value: wrong,
      interval: null,
      n: replies.length,
      better: "lower",
    },
  ];
}

function judge(made: Expected, read: ReadReply, ids: readonly string[]): Outcome {
  const compared = [
    ...ids.map((id) => compare(read.aspects[id], made.aspects[id] ?? null)),
    compare(read.overall, made.overall),
  ];
  return compared.includes("wrong") ? "wrong" : compared.includes("missed") ? "missed" : "right";
}

function compare(verdict: ReadVerdict | undefined, expected: number | null): Outcome {
  if (verdict?.kind !== "scored") return expected === null ? "right" : "missed";
  // Some layouts write one decimal.
  const value = verdict.written?.value ?? verdict.score;
  return expected !== null && Math.abs(value - expected) < 0.051 ? "right" : "wrong";
}
