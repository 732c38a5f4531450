import { FabulaError } from "../../../core/errors.ts";
import { isScored, type Verdict } from "../../../core/verdict.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { readReplies } from "../../../workflows/books/read-replies.ts";
import { defineCommand } from "../../command.ts";

export default defineCommand({
  summary: "Read verdicts from saved replies of any model",
  operands: "FILE...",
  flags: {
    rubric: { type: "string", default: "long-story", value: "NAME|FILE", help: "the aspects to look for" },
    critiques: { type: "boolean", help: "with --json: the critiques too" },
  },
  examples: ["fabula replies gpt-4o/*.md --rubric long-story", "fabula replies saved.jsonl --json"],
  async run({ operands, flags, terminal }) {
    if (operands.length === 0) {
      throw new FabulaError("E_USAGE", "Name the files that hold the replies, or - for standard input.");
    }
    const imported = await readReplies(operands, await loadRubric(flags.rubric));
    if (flags.json) {
      const replies = imported.map(({ critiques, assessment, ...verdicts }) =>
        flags.critiques ? { ...verdicts, critiques, assessment } : verdicts,
      );
      terminal.print(JSON.stringify({ replies }));
    } else {
      for (const { file, id, aspects, overall } of imported) {
        terminal.print([file, id].filter(Boolean).join(" · "));
        for (const [aspect, verdict] of Object.entries(aspects))
          terminal.print(`  ${aspect.padEnd(14)} ${show(verdict)}`);
        terminal.print(`  ${"overall".padEnd(14)} ${show(overall)}`);
      }
    }
    const complete = imported.every(({ aspects, overall }) => [overall, ...Object.values(aspects)].every(isScored));
    return complete ? 0 : 3;
  },
});

function show(verdict: Verdict): string {
  return verdict.kind === "scored" ? String(verdict.score) : `unscored: ${verdict.reason}`;
}
