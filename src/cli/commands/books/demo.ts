import { assetPath } from "../../../core/assets.ts";
import { writeWholeFile } from "../../../core/files.ts";
import { evaluationView } from "../../../report/evaluation-view.ts";
import { htmlReport } from "../../../report/html-report.ts";
import { terminalReport } from "../../../report/terminal-report.ts";
import { evaluateBook } from "../../../workflows/books/evaluate-book.ts";
import { hasGaps } from "../../../workflows/books/gaps.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";

export const demoCommand = defineCommand({
  summary: "Evaluate the story that ships with Fabula and write a report: no key, no network, no cost.",
  operands: "",
  flags: {
    out: { type: "string", value: "FILE", default: "fabula-report.html", help: "where the HTML report goes" },
  },
  examples: ["fabula demo", "fabula demo --out try.html"],
  async run({ flags, terminal, signal }) {
    const story = assetPath("examples", "the-inspector-of-weights.md");
    const evaluation = await evaluateBook(story, { onProgress: terminal.progress, signal });
    terminal.endProgress();
    const view = evaluationView(evaluation);
    await writeWholeFile(flags.out, await htmlReport(view));
    if (flags.json) terminal.print(jsonDocument("demo", { report: flags.out, evaluations: [evaluation] }));
    else {
      terminal.print(terminalReport(view, { colours: terminal.colours, width: terminal.width }));
      terminal.print(`The report is in ${flags.out}: open it in a browser. Next: \`fabula evaluate YOUR-BOOK.epub\`.`);
    }
    return hasGaps(evaluation) ? 3 : 0;
  },
});
