import { z } from "zod";
import type { ContaminationReport } from "../../workflows/trust/probe-contamination.ts";
import { type Asked, askedBody, fromModels } from "../define/asked.ts";
import { field } from "../define/field.ts";
import { reader, runServicesOf, runSettingsOf, spending } from "../define/model-fields.ts";
import { book, rubric } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const probeTask = defineTask({
  name: "probe",
  summary: "Ask whether a judge already knows a book, and whether that changes its verdict.",
  library: { function: "probeJudge", options: "ProbeOptions", first: "book" },
  input: z.strictObject({
    book,
    judge: field(reader, "the judge to probe: openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …", {
      value: "NAME",
      type: "string | ChatModel",
    }),
    runs: field(z.number().int().min(2).max(50).default(5), "judgements of each version", { value: "N" }),
    rubric: rubric("long-story", "the aspects to judge"),
    ...spending,
  }),
  async run({ book: source, judge, runs, rubric: aspects, ...input }, services): Promise<Asked<ContaminationReport>> {
    const { probeContamination } = await import("../../workflows/trust/probe-contamination.ts");
    const outcome = await probeContamination(source, {
      judge,
      runs,
      rubric: aspects,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
      onProgress: services.onProgress,
    });
    return fromModels(outcome);
  },
  output: { kind: "probe", body: askedBody },
});
