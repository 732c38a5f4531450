import { readFile } from "node:fs/promises";
import { FabulaError } from "../../../core/errors.ts";
import { checkRubric } from "../../../criteria/check-rubric.ts";
import { defineCommand } from "../../command.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary:
    "Check a rubric file and name everything that is wrong with it. Its JSON Schema ships as assets/schemas/rubric.json.",
  operands: "FILE",
  flags: {},
  examples: ["fabula rubric check my-rubric.yaml"],
  async run({ operands, flags, terminal }) {
    const file = requireOperand("rubric check", "FILE", operands);
    const checked = checkRubric(await textOf(file));
    const problems = checked.kind === "wrong" ? checked.problems : [];
    if (flags.json) terminal.print(jsonDocument("rubric-check", { file, ok: problems.length === 0, problems }));
    else if (checked.kind === "rubric") {
      const { id, version, criteria, scale } = checked.rubric;
      terminal.print(
        `${file} is in order: ${id} ${version}, ${criteria.length} criteria, ${scale.minimum} to ${scale.maximum}.`,
      );
    } else {
      for (const { at, problem } of problems) terminal.print(`${at === "" ? file : `${file} at ${at}`}: ${problem}`);
    }
    return problems.length === 0 ? 0 : 1;
  },
});

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_RUBRIC_MISSING", `No rubric at "${file}": check the path.`, { cause });
  }
}
