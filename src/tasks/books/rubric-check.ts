import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { TEXT_INPUT, textInput } from "../define/book-input.ts";
import { field } from "../define/field.ts";
import { defineTask } from "../define/task.ts";

export const rubricCheckTask = defineTask({
  name: "rubric check",
  summary:
    "Check a rubric file and name everything that is wrong with it. Its JSON Schema ships as assets/schemas/rubric.json.",
  library: { function: "checkRubric", options: "CheckRubricOptions", first: "file" },
  input: z.strictObject({
    file: field(z.union([z.string(), textInput]), "the rubric", {
      operand: "FILE",
      remote: () => textInput,
      type: TEXT_INPUT,
    }),
  }),
  async run({ file }) {
    const { checkRubric } = await import("../../criteria/load-rubric.ts");
    const checked = checkRubric(typeof file === "string" ? await textOf(file) : file.text);
    return {
      file: typeof file === "string" ? file : (file.name ?? "text"),
      rubric: checked.kind === "rubric" ? checked.rubric : null,
      problems: checked.kind === "wrong" ? checked.problems : [],
    };
  },
  output: {
    kind: "rubric-check",
    body: ({ file, problems }) => ({ file, ok: problems.length === 0, problems }),
  },
});

async function textOf(file: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_RUBRIC_MISSING", `No rubric at "${file}": check the path.`, { cause });
  }
}
