import { filterDocuments } from "../../../workflows/qa/filter.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { QUESTION_FLAGS } from "../../flags/question-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "Remove films, plays, non-fiction and books whose summary belongs to another book, with evidence.",
  operands: "",
  flags: {
    ...QUESTION_FLAGS,
    texts: { type: "string", value: "FOLDER", help: "the books' texts, named by document id or Gutenberg number" },
    judge: { type: "string", value: "MODEL", help: "also ask this model about what the rules keep" },
    out: { type: "string", value: "FILE", help: "write the books that are kept" },
    review: { type: "string", value: "FILE", help: "write what was removed and why, with a decision to change" },
    decisions: { type: "string", value: "FILE", help: "apply the decisions of such a file" },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula qa filter --in narrativeqa/ --split test --texts books/ --out filtered.jsonl --review removed.jsonl",
    "fabula qa filter --in narrativeqa/ --split test --decisions removed.jsonl --out filtered.jsonl",
  ],
  async run({ flags, terminal, signal }) {
    const { result, run, plan } = await filterDocuments({
      input: requireFlag("qa filter", "in", flags.in),
      ...(flags.split !== undefined && { split: flags.split }),
      ...(flags.texts !== undefined && { texts: flags.texts }),
      ...(flags.judge !== undefined && { judge: flags.judge }),
      ...(flags.decisions !== undefined && { decisions: flags.decisions }),
      ...(flags.out !== undefined && { output: flags.out }),
      ...(flags.review !== undefined && { review: flags.review }),
      settings: runSettings(flags),
      services: runServices(terminal, signal),
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (plan) return showPlan(plan, flags.json, terminal);
    if (flags.json) terminal.print(jsonDocument("qa-filter", result));
    else if (flags.out !== "-" && flags.review !== "-") {
      for (const { title, reason, evidence, by, decision } of result.removed) {
        terminal.print(`${decision}  ${title}: ${reason} (${by})`);
        for (const line of evidence) terminal.print(`        ${line.replace(/\s+/g, " ")}`);
      }
      terminal.print(`${result.documents} books with ${result.questions} questions stay.`);
      if (result.unjudged.length > 0) {
        terminal.print(`${result.unjudged.length} books were kept without a check, such as:`);
        for (const { document_id, reason } of result.unjudged.slice(0, 5))
          terminal.print(`  ${document_id}: ${reason}`);
      }
    }
    if (run) terminal.note(runInWords(run));
    return result.unjudged.length > 0 ? 3 : 0;
  },
});
