import { z } from "zod";
import { ownPrompts, shippedPrompts } from "../../prompts/own-prompts.ts";
import { type Asked, askedBody, fromModels } from "../define/asked.ts";
import { field } from "../define/field.ts";
import { runServicesOf, runSettingsOf, spending } from "../define/model-fields.ts";
import { seed } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";
import type { DuelResult } from "./run-duels.ts";

const names = (description: string) => field(z.array(z.string().min(1)).exactOptional(), description, { value: "A,B" });

export const benchDuelTask = defineTask({
  name: "bench duel",
  summary:
    "Compare writers head to head on the same synopses, both orders, with the human original among them, and rate everybody. Scores tell writers apart with fewer calls.",
  input: z.strictObject({
    folder: field(z.string(), "a benchmark's folder with texts of at least two writers, frozen or not", {
      operand: "FOLDER",
    }),
    judge: names("who compares; none counts only the answers and votes that are there"),
    writer: names("only these writers [all, and the human original]"),
    meetings: field(z.number().int().min(1).exactOptional(), "meetings in all, two calls each [10 per contestant]", {
      value: "N",
    }),
    originals: field(
      z.string().exactOptional(),
      "the prepared folder with the originals' texts, where the benchmark does not have them",
      { value: "FOLDER" },
    ),
    votes: field(
      z.string().exactOptional(),
      "people's blind votes beside those that the web app has kept in the folder",
      { value: "FILE.jsonl" },
    ),
    rubric: field(z.string().exactOptional(), "what counts [the rubric of the benchmark]", { value: "NAME|FILE" }),
    prompts: field(z.string().exactOptional(), "prompts of your own, LANGUAGE/NAME.md", { value: "FOLDER" }),
    seed: seed("the random seed for who meets first"),
    ...spending,
  }),
  async run(input, services): Promise<Asked<DuelResult>> {
    const { runDuels } = await import("./run-duels.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const outcome = await inRun(runSettingsOf(input, services.host), runServicesOf(services), (run) =>
      runDuels(run, {
        folder: input.folder,
        judges: [...new Set(input.judge ?? [])],
        writers: input.writer ?? [],
        meetings: input.meetings ?? null,
        originals: input.originals ?? null,
        votes: input.votes ?? null,
        rubric: input.rubric ?? null,
        prompts: input.prompts === undefined ? shippedPrompts : ownPrompts(input.prompts),
        seed: input.seed,
        onProgress: services.onProgress,
        signal: services.signal,
      }),
    );
    return fromModels(outcome);
  },
  output: { kind: "head-to-head", body: askedBody },
});
