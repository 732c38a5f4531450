import { countOf } from "../../../core/wording/count-of.ts";
import { cleanTexts } from "../../../workflows/qa/clean.ts";
import { defineCommand } from "../../command.ts";
import { QUESTION_FLAGS } from "../../flags/question-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Remove everything that is not the story from the books' texts, and repair garbled characters in summaries.",
  operands: "",
  flags: {
    ...QUESTION_FLAGS,
    texts: {
      type: "string",
      value: "FOLDER",
      help: "the texts as downloaded, named by document id or Gutenberg number",
    },
    "out-texts": { type: "string", value: "FOLDER", help: "write the clean texts here" },
    out: { type: "string", value: "FILE", help: "write the books with repaired summaries" },
  },
  examples: ["fabula qa clean --in test.jsonl --texts downloads/ --out-texts books/ --out clean.jsonl"],
  async run({ flags, terminal, signal }) {
    const report = await cleanTexts({
      input: requireFlag("qa clean", "in", flags.in),
      texts: requireFlag("qa clean", "texts", flags.texts),
      cleanTexts: requireFlag("qa clean", "out-texts", flags["out-texts"]),
      ...(flags.split !== undefined && { split: flags.split }),
      ...(flags.out !== undefined && { output: flags.out }),
      signal,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (flags.json) terminal.print(jsonDocument("qa-clean", report));
    else if (flags.out !== "-") {
      const { books, failed, summariesMended, meanWordsRemoved } = report;
      const removed = meanWordsRemoved === null ? "" : `, ${Math.round(meanWordsRemoved)} words removed on average`;
      terminal.print(`${countOf(books.length, "book")} cleaned${removed}; ${summariesMended} summaries repaired.`);
      for (const { title, warnings } of books) for (const warning of warnings) terminal.note(`${title}: ${warning}`);
      if (failed.length > 0) {
        terminal.print(`${failed.length} books could not be cleaned, such as:`);
        for (const { title, reason } of failed.slice(0, 5)) terminal.print(`  ${title}: ${reason}`);
      }
    }
    return report.failed.length > 0 ? 3 : 0;
  },
});
