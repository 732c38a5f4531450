import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import {
  missingFigures,
  reasonsOf,
  reproductionHtml,
  reproductionMarkdown,
  reproductionTable,
} from "../../../report/reproduce/reproduction-report.ts";
import { loadPaper, PAPERS } from "../../../workflows/reproduce/paper.ts";
import { reproduce } from "../../../workflows/reproduce/reproduce.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";

export default defineCommand({
  summary: "Compute a paper's figures again from its released data, beside the printed values, and say what differs.",
  operands: "NAME",
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
  flags: {
    data: {
      type: "string",
      value: "FOLDER",
      help: "the paper's data, which you download yourself from the place listed below",
    },
    evaluations: {
      type: "string",
      value: "PATH",
      help: "for longstoryeval: evaluations of its books, for Tables 2, 6, 7 and 8 [evaluations.jsonl in the folder]",
    },
    set: {
      type: "string",
      value: "NAME",
      choices: ["test"],
      help: "for a checkout of LongStoryEval's release: only the 150 books that it names as its test set",
    },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "the random seed" },
    out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" },
  },
  examples: [
    "fabula reproduce longstoryeval --data LongStoryEval/",
    "fabula reproduce longstoryeval --data LongStoryEval/ --set test",
    "fabula reproduce literaryqa --data LiteraryQA/ --out literaryqa.html",
    "fabula reproduce longstoryeval --data LongStoryEval/ --evaluations evaluations.jsonl",
  ],
  async run({ operands, flags, terminal, signal }) {
    const [given, ...rest] = operands;
    const name = PAPERS.find((paper) => paper === given);
    if (name === undefined || rest.length > 0) {
      throw new FabulaError(
        "E_USAGE",
        `Name one paper of ${PAPERS.join(", ")}: \`fabula reproduce literaryqa --data LiteraryQA/\`.`,
      );
    }
    if (flags.evaluations !== undefined && name !== "longstoryeval") {
      throw new FabulaError(
        "E_USAGE",
        `--evaluations is for longstoryeval: leave it out of \`fabula reproduce ${name}\`.`,
      );
    }
    if (flags.out !== undefined) checkedEnding(flags.out, ["html", "md", "json"]);
    const reproduction = await reproduce(name, {
      folder: requireFlag("reproduce", "data", flags.data),
      ...(flags.evaluations !== undefined && { evaluations: flags.evaluations }),
      ...(flags.set === "test" && { set: "test" as const }),
      seed: flags.seed,
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    const json = `${jsonDocument("reproduction", reproduction)}\n`;
    if (flags.out !== undefined) {
      await writeReport(flags.out, {
        html: () => reproductionHtml(reproduction),
        md: () => reproductionMarkdown(reproduction),
        json: () => json,
      });
      terminal.note(`Wrote ${flags.out}`);
    }
    if (flags.json) terminal.print(json);
    else {
      const { title, headings, rows, note } = reproductionTable(reproduction);
      const differences = reproduction.differences.map((difference) => `- ${difference}`);
      const without = missingFigures(reproduction).map((line) => `- ${line}`);
      const reasons = reasonsOf(reproduction).map((reason) => `Printed, and not computed here, because ${reason}:`);
      terminal.print(
        [
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
        ].join("\n"),
      );
    }
    const missing = reproduction.figures.flatMap(({ name: figure, value, reason }) =>
      value === null && reason === undefined ? [figure] : [],
    );
    if (missing.length === 0) return 0;
    const figures = countOf(missing.length, "figure");
    terminal.note(`Exit code 3: too little data to compute ${figures}, shown as a dash: ${missing.join("; ")}.`);
    return 3;
  },
});
