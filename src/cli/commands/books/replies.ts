import { FabulaError } from "../../../core/errors.ts";
import { isScored } from "../../../core/verdict.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import type { ReadVerdict, Scale } from "../../../judge/reading/on-scale.ts";
import { readReplies } from "../../../workflows/books/read-replies.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Read verdicts from saved replies of any model.",
  operands: "FILE...",
  flags: {
    rubric: { type: "string", default: "long-story", value: "NAME|FILE", help: "the aspects to look for" },
    scale: {
      type: "string",
      value: "1-5",
      help: "the scale the prompt asked for; scores are reported on it too (default: the rubric's). A score on another scale is converted in proportion: 7/10 is 3.5 on 1-5, 70 on 0-100",
    },
    critiques: { type: "boolean", help: "with --json: the critiques too" },
  },
  examples: ["fabula replies gpt-4o/*.md --rubric long-story", "fabula replies saved.jsonl --scale 1-5 --json"],
  async run({ operands, flags, terminal }) {
    if (operands.length === 0) {
      throw new FabulaError("E_USAGE", "Name the files that hold the replies, or - for standard input.");
    }
    const imported = await readReplies(operands, await loadRubric(flags.rubric), scaleOf(flags.scale));
    if (flags.json) {
      const replies = imported.map(({ critiques, assessment, ...verdicts }) =>
        flags.critiques ? { ...verdicts, critiques, assessment } : verdicts,
      );
      terminal.print(jsonDocument("replies", { replies }));
    } else {
      for (const { file, id, aspects, overall } of imported) {
        terminal.print([file, id].filter(Boolean).join(" · "));
        for (const [aspect, verdict] of Object.entries(aspects))
          terminal.print(`  ${aspect.padEnd(14)} ${show(verdict)}`);
        terminal.print(`  ${"overall".padEnd(14)} ${show(overall)}`);
      }
    }
    const verdicts = imported.flatMap(({ aspects, overall }) => [overall, ...Object.values(aspects)]);
    const unscored = verdicts.filter((verdict) => !isScored(verdict)).length;
    if (unscored === 0) return 0;
    terminal.note(`Exit code 3: ${unscored} of ${verdicts.length} verdicts are unscored, each with its reason.`);
    return 3;
  },
});

function scaleOf(flag: string | undefined): Scale | undefined {
  if (flag === undefined) return undefined;
  const [, minimum, maximum] = /^(\d+)-(\d+)$/.exec(flag) ?? [];
  if (maximum !== undefined && Number(minimum) < Number(maximum))
    return { minimum: Number(minimum), maximum: Number(maximum) };
  throw new FabulaError(
    "E_USAGE",
    `--scale "${flag}" is not a scale: write the lowest and the highest score, as in 1-5.`,
  );
}

function show(verdict: ReadVerdict): string {
  if (verdict.kind === "unscored") return `unscored: ${verdict.reason}`;
  const { score, written } = verdict;
  return written ? `${score} (written as ${written.value}/${written.outOf})` : String(score);
}
