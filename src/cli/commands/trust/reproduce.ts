import { countOf } from "../../../core/wording.ts";
import {
  missingFigures,
  reasonsOf,
  reproductionHtml,
  reproductionMarkdown,
  reproductionTable,
} from "../../../report/reproduce/reproduction-report.ts";
import { reproduceTask } from "../../../tasks/trust/reproduce.ts";
import { loadPaper, PAPERS } from "../../../workflows/reproduce/paper.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export const reproduceCommand = taskCommand(reproduceTask, {
  usage: `Name one paper of ${PAPERS.join(", ")}: \`fabula reproduce literaryqa --data LiteraryQA/\`.`,
  helpList: async () => ({
    title: "Papers, with the files that go into the folder (each may end in .gz)",
    rows: await Promise.all(
      PAPERS.map(async (paper) => {
        const { files, get } = await loadPaper(paper);
        const needed = files.map(({ name, about, optional }) => {
          const file = name.endsWith("-") ? `${name}NAME.jsonl` : name;
          return `${file}${optional ? " (optional)" : ""}: ${about}`;
        });
        return { left: paper, right: `${needed.join(". ")}. From ${get}.` };
      }),
    ),
  }),
  flags: { out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" } },
  examples: [
    "fabula reproduce longstoryeval --data LongStoryEval/",
    "fabula reproduce longstoryeval --data LongStoryEval/ --set test",
    "fabula reproduce literaryqa --data LiteraryQA/ --out literaryqa.html",
    "fabula reproduce literaryqa --data LiteraryQA/ --judge prometheus-7b-v2.0@http://localhost:8000/v1 --protocol prometheus",
    "fabula reproduce longstoryeval --data LongStoryEval/ --evaluations evaluations.jsonl",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["html", "md", "json"]);
    return input;
  },
  async present(reproduction, { flags: { out, json }, terminal, document, show }) {
    if (reproduction.plan) return showPlan(reproduction.plan, json, terminal);
    if (out !== undefined) {
      await writeReport(out, {
        html: () => reproductionHtml(reproduction),
        md: () => reproductionMarkdown(reproduction),
        json: () => `${document()}\n`,
      });
      terminal.note(`Wrote ${out}`);
    }
    await show(() => {
      const { title, headings, rows, note } = reproductionTable(reproduction);
      const differences = reproduction.differences.map((difference) => `- ${difference}`);
      const without = missingFigures(reproduction).map((line) => `- ${line}`);
      const reasons = reasonsOf(reproduction).map((reason) => `Printed, and not computed here, because ${reason}:`);
      return [
        title,
        "",
        textTable(headings, rows),
        "",
        note ?? "",
        "",
        ...reasons,
        ...without,
        "",
        "What differs, and why:",
        ...differences,
      ].join("\n");
    });
    if (reproduction.run) terminal.note(runInWords(reproduction.run));
    const missing = reproduction.figures.flatMap(({ name: figure, value, reason }) =>
      value === null && reason === undefined ? [figure] : [],
    );
    if (missing.length === 0) return 0;
    const figures = countOf(missing.length, "figure");
    terminal.note(`Exit code 3: too little data to compute ${figures}, shown as a dash: ${missing.join("; ")}.`);
    return 3;
  },
});
