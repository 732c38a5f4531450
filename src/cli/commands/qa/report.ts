import { FabulaError } from "../../../core/errors.ts";
import { reportSteps } from "../../../workflows/qa/report.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";

export default defineCommand({
  summary: "Show, step by step, what each stage removed from a data set.",
  operands: "FILE",
  flags: {},
  examples: ["fabula qa report refined.jsonl"],
  async run({ operands, flags, terminal }) {
    const [file] = operands;
    if (file === undefined) throw new FabulaError("E_USAGE", "Give the file: `fabula qa report refined.jsonl`.");
    const steps = await reportSteps(file);
    if (flags.json) {
      terminal.print(jsonDocument("qa-steps", { file, steps }));
      return 0;
    }
    const rows = steps.map(({ kind, reason, documents, questions }) =>
      kind === "removed"
        ? [`  – ${reason}`, signed(documents), signed(questions)]
        : [reason, `${documents}`, `${questions}`],
    );
    terminal.print(textTable(["step", "books", "questions"], rows));
    return 0;
  },
});

function signed(difference: number): string {
  return difference === 0 ? "-" : `−${Math.abs(difference)}`;
}
