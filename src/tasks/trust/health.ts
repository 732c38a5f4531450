import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import type { Scale } from "../../stats/judge-health/scale-use.ts";
import { field } from "../define/field.ts";
import { spending } from "../define/model-fields.ts";
import { defined, seed } from "../define/shared-fields.ts";
import { defineTask, evaluationsOf } from "../define/task.ts";

const SCALE = "{this} {given} is not two numbers, the lower first: 0,20.";
const scale = z
  .strictObject({ minimum: z.number(), maximum: z.number() }, SCALE)
  .refine(({ minimum, maximum }) => maximum > minimum, SCALE);

function scaleFrom(text: string): Scale | string {
  const [minimum, maximum, ...rest] = text.split(",").map(Number);
  if (minimum === undefined || maximum === undefined || rest.length > 0 || !(maximum > minimum)) return text;
  return { minimum, maximum };
}

export const healthTask = defineTask({
  name: "health",
  summary: "Can this judge be trusted? Repeats, biases of position, length and self, halo, use of the scale, drift.",
  library: { function: "judgeHealth", options: "HealthOptions", first: "scores" },
  input: z.strictObject({
    scores: field(z.string().exactOptional(), "a file or folder of scores, or of evaluations", { operand: "SCORES" }),
    run: field(z.string().exactOptional(), "instead of SCORES: the evaluations of a run in the store", {
      value: "RUN",
    }),
    store: spending.store,
    score: field(z.string().default("overall"), "the judge's score", { value: "COLUMN" }),
    aspects: field(z.array(z.string()).exactOptional(), "its scores by aspect [those in criteria or aspects]", {
      value: "COLUMN,…",
    }),
    anchors: field(z.string().exactOptional(), "earlier scores of the same pinned texts, for drift", { value: "FILE" }),
    comparisons: field(
      z.string().exactOptional(),
      "pairwise outcomes, a row each: first, second, winner (first, second or tie), judge",
      { value: "FILE" },
    ),
    stress: field(z.string().exactOptional(), "a stress test of the same judge: `fabula stress --json`", {
      value: "FILE",
    }),
    votes: field(z.string().exactOptional(), "blind votes given in the web app: its votes.jsonl, or its library", {
      value: "PATH",
    }),
    scale: field(scale.exactOptional(), "the ends of the scale [known for evaluations]", {
      value: "LOW,HIGH",
      fromText: scaleFrom,
      type: "{ readonly minimum: number; readonly maximum: number }",
    }),
    resamples: field(z.number().int().min(1).default(1000), "bootstrap resamples", { value: "N" }),
    seed: seed(),
  }),
  async run({ scores, run, store, score, aspects, resamples, seed: drawn, ...given }, { onProgress, host }) {
    const { checkHealth } = await import("../../workflows/trust/health.ts");
    if ((scores === undefined) === (run === undefined))
      throw new FabulaError("E_USAGE", "Give one file or folder of scores, or a run: `fabula health scores.jsonl`.");
    return checkHealth({
      scores: scores ?? { name: `run ${run}`, evaluations: await evaluationsOf(host, run!, store) },
      ...defined(given),
      columns: { score, ...defined({ aspects }) },
      seed: drawn,
      resamples,
      onProgress,
    });
  },
  output: { kind: "judge-health", body: (report) => report },
});
