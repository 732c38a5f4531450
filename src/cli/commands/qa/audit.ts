import { join } from "node:path";
import { FabulaError } from "../../../core/errors.ts";
import { auditTables } from "../../../report/qa/audit-tables.ts";
import { auditRefinement, prepareAudit } from "../../../workflows/qa/audit.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";

export default defineCommand({
  summary: "Have people check a refinement blind, and print what it got right: LiteraryQA's Tables 1, 2 and 11.",
  operands: "[FOLDER...]",
  flags: {
    in: { type: "string", value: "FILE", help: "the refined books" },
    dropped: { type: "string", value: "FILE", help: "the samples that refinement dropped" },
    removed: { type: "string", value: "FILE", help: "the documents that `qa filter --review` removed" },
    sheets: { type: "string", value: "FOLDER", help: "write sheets to fill in; copy the folder for each reviewer" },
    changed: {
      type: "number",
      default: 200,
      minimum: 1,
      integer: true,
      value: "N",
      help: "changed samples on the sheets",
    },
    unchanged: {
      type: "number",
      default: 200,
      minimum: 1,
      integer: true,
      value: "N",
      help: "unchanged samples mixed in",
    },
    seed: {
      type: "number",
      default: 1,
      integer: true,
      value: "N",
      help: "the random seed for the samples and their order",
    },
  },
  examples: [
    "fabula qa audit --in refined.jsonl --dropped dropped.jsonl --removed removed.jsonl --sheets audit/",
    "fabula qa audit --in refined.jsonl --dropped dropped.jsonl --removed removed.jsonl ana/ ben/",
  ],
  async run({ operands, flags, terminal }) {
    const data = {
      input: requireFlag("qa audit", "in", flags.in),
      ...(flags.dropped !== undefined && { dropped: flags.dropped }),
      ...(flags.removed !== undefined && { removed: flags.removed }),
    };
    if (flags.sheets !== undefined) {
      const { changed, unchanged, seed } = flags;
      const lines = await prepareAudit({ ...data, folder: flags.sheets, changed, unchanged, seed });
      if (flags.json) terminal.print(jsonDocument("qa-audit", { folder: flags.sheets, lines }));
      else {
        for (const [file, count] of Object.entries(lines))
          terminal.print(`${join(flags.sheets, file)}: ${count} lines`);
        terminal.print(
          "Fill in the column “decision”; originals first, since the corrections show which samples changed.",
        );
      }
      return 0;
    }
    if (operands.length === 0) {
      throw new FabulaError(
        "E_USAGE",
        "Give --sheets FOLDER to write sheets for reviewers, or the reviewers' folders: `fabula qa audit --in refined.jsonl ana/ ben/`.",
      );
    }
    const report = await auditRefinement(data, operands);
    if (flags.json) terminal.print(jsonDocument("qa-audit", report));
    else {
      for (const { title, headings, rows, note } of auditTables(report)) {
        terminal.print(`${title}\n\n${textTable(headings, rows)}\n${note ? `\n${note}\n` : ""}`);
      }
    }
    return 0;
  },
});
