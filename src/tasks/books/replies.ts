import { z } from "zod";
import { TEXT_INPUT, textInput } from "../define/book-input.ts";
import { field } from "../define/field.ts";
import { rubric } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

const SCALE = '{this} "{given}" is not a scale: write the lowest and the highest score, as in 1-5.';

export const repliesTask = defineTask({
  name: "replies",
  summary: "Read verdicts from saved replies of any model.",
  library: { function: "readReplies", options: "RepliesOptions", first: "files" },
  input: z.strictObject({
    files: field(z.array(z.union([z.string(), textInput])).min(1), "the files that hold the replies", {
      operand: "FILE...",
      remote: () => z.array(textInput).min(1),
      type: `readonly (${TEXT_INPUT})[]`,
    }),
    rubric: rubric("long-story", "the aspects to look for"),
    scale: field(
      z
        .strictObject({ minimum: z.number(), maximum: z.number() }, SCALE)
        .refine(({ minimum, maximum }) => minimum < maximum, SCALE)
        .exactOptional(),
      "the scale the prompt asked for; scores are reported on it too (default: the rubric's). A score on another scale is converted in proportion: 7/10 is 3.5 on 1-5, 70 on 0-100",
      {
        value: "1-5",
        fromText: scaleFrom,
        remote: true,
        type: "{ readonly minimum: number; readonly maximum: number }",
      },
    ),
    aspect: field(
      z.string().exactOptional(),
      "every reply was asked about this aspect alone: the score it gives for the whole is the aspect's",
      { value: "ID", remote: true },
    ),
    critiques: field(z.boolean().default(false), "the critiques too", {
      help: "with --json: the critiques too",
      remote: true,
    }),
  }),
  async run({ files, rubric: named, scale, aspect, critiques }) {
    const { loadRubric } = await import("../../criteria/load-rubric.ts");
    const { readReplies } = await import("./read-replies.ts");
    const replies = await readReplies(files, typeof named === "string" ? await loadRubric(named) : named, {
      ...(scale && { scale }),
      ...(aspect !== undefined && { aspect }),
    });
    return replies.map(({ critiques: words, assessment, ...verdicts }) =>
      critiques ? { ...verdicts, critiques: words, assessment } : verdicts,
    );
  },
  output: { kind: "replies", body: (replies) => ({ replies }) },
});

function scaleFrom(text: string): unknown {
  const [, minimum, maximum] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  return maximum === undefined ? text : { minimum: Number(minimum), maximum: Number(maximum) };
}
