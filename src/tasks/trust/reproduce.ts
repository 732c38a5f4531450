import { z } from "zod";
import { PAPERS } from "../../workflows/reproduce/paper.ts";
import { field } from "../define/field.ts";
import { defined, seed } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const reproduceTask = defineTask({
  name: "reproduce",
  summary: "Compute a paper's figures again from its released data, beside the printed values, and say what differs.",
  input: z.strictObject({
    paper: field(z.enum(PAPERS), "the paper", { operand: "NAME" }),
    data: field(z.string(), "the folder of the paper's data", {
      value: "FOLDER",
      help: "the paper's data, which you download yourself from the place listed below",
    }),
    evaluations: field(
      z.string().exactOptional(),
      "for longstoryeval: evaluations of its books, for Tables 2, 6, 7 and 8 [evaluations.jsonl in the folder]",
      { value: "PATH" },
    ),
    set: field(
      z.enum(["test"]).exactOptional(),
      "for a checkout of LongStoryEval's release: only the 150 books that it names as its test set",
      { value: "NAME" },
    ),
    seed: seed(),
  }),
  rules: [
    {
      fields: ["evaluations", "set"],
      when: ({ input }) => input.paper !== "longstoryeval",
      sentence: "{this} is for longstoryeval: leave it out.",
    },
  ],
  async run({ paper, data: folder, evaluations, set, seed: drawn }, { onProgress, signal }) {
    const { reproduce } = await import("../../workflows/reproduce/reproduce.ts");
    return reproduce(paper, { folder, ...defined({ evaluations, set }), seed: drawn, onProgress, signal });
  },
  output: { kind: "reproduction", body: (reproduction) => reproduction },
});
