import { plainLine } from "../../../report/markup.ts";
import { mapReviews } from "../../../workflows/reviews/prepare-reviews.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

const UNMAPPED_SHOWN = 40;

export default defineCommand({
  summary: "Map the free aspect names used in reviews to the eight aspects and four others.",
  operands: "",
  flags: {
    in: { type: "string", value: "FILE", help: "JSONL of reviews whose aspects go by any names" },
    out: {
      type: "string",
      value: "FILE",
      help: "the same, grouped by aspect; names without an aspect are kept as they are",
    },
  },
  examples: ["fabula reviews map --in structured.jsonl --out mapped.jsonl"],
  async run({ flags, terminal }) {
    const report = await mapReviews({
      input: requireFlag("reviews map", "in", flags.in),
      output: requireFlag("reviews map", "out", flags.out),
    });
    if (flags.json) terminal.print(jsonDocument("mapped-reviews", report));
    else {
      const { reviews, names, exact, similar, unmapped } = report;
      terminal.note(
        `${reviews} reviews, ${names} names: ${exact} known, ${similar} like a known one, ${unmapped.length} kinds unknown.`,
      );
      for (const { name, count } of unmapped.slice(0, UNMAPPED_SHOWN)) terminal.note(`  ${count}  ${plainLine(name)}`);
    }
    return 0;
  },
});
