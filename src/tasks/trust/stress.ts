import { z } from "zod";
import { countOf } from "../../core/wording.ts";
import type { StressReport } from "../../workflows/trust/stress-books.ts";
import { type Asked, askedBody, fromInside, fromModels, wouldDo } from "../define/asked.ts";
import { field, group } from "../define/field.ts";
import { judge, judgesOf, judgingRun, method, WITH_MODELS } from "../define/judge-fields.ts";
import { runServicesOf, runSettingsOf } from "../define/model-fields.ts";
import { books } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const stressTask = defineTask({
  name: "stress",
  summary: "Does a judge react to damage it should notice?",
  library: { function: "stressJudge", options: "StressOptions", first: "books" },
  input: z.strictObject({
    books,
    judge: judge(
      "crowd",
      "the judge to test: crowd, editor, grader, openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …",
    ),
    strength: field(z.number().min(0.05).max(1).default(1), "how much of the book is damaged, from 0 to 1", {
      value: "PART",
      remote: true,
    }),
    ...group(WITH_MODELS, {
      method: field(method, "how a language model reads the book [summary]", { value: "NAME", remote: true }),
      runs: field(z.number().int().min(1).max(50).default(3), "how many times a language model judges each version", {
        value: "N",
        remote: true,
      }),
    }),
    seed: field(z.number().int().default(1), "the same seed damages the same places", { value: "N", remote: true }),
    ...judgingRun,
  }),
  async run(input, services): Promise<Asked<StressReport>> {
    const { books: files, seed, strength, runs } = input;
    const judges = judgesOf(input);
    const { signal, onProgress } = services;
    if (judges.kind === "models") {
      const { stressWithModels } = await import("../../workflows/trust/stress-with-models.ts");
      const outcome = await stressWithModels({
        files,
        seed,
        strength,
        judge: judges.models[0]!,
        method: input.method ?? "summary",
        runs,
        settings: runSettingsOf(input, services.host),
        services: runServicesOf(services),
        onProgress,
      });
      return fromModels(outcome);
    }
    if (input.dryRun) return wouldDo(`judge ${countOf(files.length, "book")} and every damaged copy`);
    const { jurorNamed } = await import("../../jury/juror.ts");
    const { stressBooks } = await import("../../workflows/trust/stress-books.ts");
    const juror = jurorNamed(judges.name);
    return fromInside(await stressBooks({ files, seed, strength, judge: juror, signal, onProgress }));
  },
  output: { kind: "stress", body: askedBody },
});
