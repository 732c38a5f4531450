import { join } from "node:path";
import { parseArgs } from "node:util";
import { reportMarkdown } from "../src/report/report-forms.ts";
import { sectionedReproduction } from "../src/report/reproduce/reproduction-report.ts";
import type { PaperName } from "../src/tasks/reproduce/paper.ts";
import { reproduce } from "../src/tasks/reproduce/reproduce.ts";

/**
 * The papers' figures from real data, beside the printed ones, as Markdown: `npx tsx evals/reproduce.ts --data FOLDER`, where
 * the folder holds `longstoryeval/` and `literaryqa/`; `--only literaryqa` for one paper. PerSE's baselines are computed on LongStoryEval's reviews.
 */
const { values } = parseArgs({ options: { data: { type: "string" }, only: { type: "string" } } });
if (values.data === undefined) throw new Error("Give the folder of the data: npx tsx evals/reproduce.ts --data FOLDER");

const SOURCES: readonly (readonly [PaperName, string])[] = [
  ["longstoryeval", "longstoryeval"],
  ["literaryqa", "literaryqa"],
  ["perse", "longstoryeval"],
];
const signal = new AbortController().signal;
for (const [name, folder] of SOURCES.filter(([paper]) => (values.only ?? paper) === paper)) {
  const found = await reproduce(name, { folder: join(values.data, folder), seed: 1, onProgress: () => {}, signal });
  // Each paper is a part of one file.
  console.log(reportMarkdown(sectionedReproduction(found)).replace(/^#/gm, "##"));
}
