import { csvBenchmark } from "../../../report/bench/csv-benchmark.ts";
import { htmlBenchmark } from "../../../report/bench/html-benchmark.ts";
import { markdownBenchmark } from "../../../report/bench/markdown-benchmark.ts";
import { terminalBenchmark } from "../../../report/bench/terminal-benchmark.ts";
import { leaderboardTable } from "../../../report/tables/leaderboard-rows.ts";
import { benchReportTask } from "../../../tasks/bench/benchmark.ts";
import { writeTable } from "../../../workflows/tables.ts";
import { writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchReportTask, {
  usage: "Give the scores to rank: `fabula bench report scores.jsonl`.",
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "write a report: .html, .md or .json, or a table: .csv, .jsonl or .parquet",
    },
  },
  examples: [
    "fabula bench report scores.jsonl --population population.json --out leaderboard.html",
    "fabula bench report published.jsonl.gz --rubric longform --json",
  ],
  async present({ benchmark, names }, { flags: { out, json }, terminal, document, show }) {
    if (out && /\.(?:jsonl|parquet)$/i.test(out)) {
      const { columns, rows } = leaderboardTable(benchmark);
      await writeTable(out, columns, rows);
    } else if (out) {
      await writeReport(out, {
        html: () => htmlBenchmark(benchmark, names),
        md: () => markdownBenchmark(benchmark, names),
        csv: () => csvBenchmark(benchmark),
        json: () => `${document()}\n`,
      });
    }
    await show(() => terminalBenchmark(benchmark, { colours: terminal.colours }));
    if (out && !json) terminal.note(`The report is in ${out}.`);
    return benchmark.board.unplaced.length > 0 ? 3 : 0;
  },
});
