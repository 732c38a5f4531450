import { FabulaError } from "../../../core/errors.ts";
import {
  type HealthReport,
  healthHtml,
  healthMarkdown,
  healthNotes,
  healthTables,
} from "../../../report/health/health-report.ts";
import type { Scale } from "../../../stats/judge-health/scale-use.ts";
import { checkHealth } from "../../../workflows/trust/health.ts";
import { defineCommand } from "../../command.ts";
import { evaluationsOfRun } from "../../evaluations-of-run.ts";
import { STORE_FLAG } from "../../flags/model-flags.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary: "Can this judge be trusted? Repeats, biases of position, length and self, halo, use of the scale, drift.",
  operands: "SCORES",
  flags: {
    run: { type: "string", value: "RUN", help: "instead of SCORES: the evaluations of a run in the store" },
    store: STORE_FLAG,
    score: { type: "string", value: "COLUMN", default: "overall", help: "the judge's score" },
    aspects: { type: "string", value: "COLUMN,…", help: "its scores by aspect [those in criteria or aspects]" },
    anchors: { type: "string", value: "FILE", help: "earlier scores of the same pinned texts, for drift" },
    comparisons: {
      type: "string",
      value: "FILE",
      help: "pairwise outcomes, a row each: first, second, winner (first, second or tie), judge",
    },
    stress: { type: "string", value: "FILE", help: "a stress test of the same judge: `fabula stress --json`" },
    votes: { type: "string", value: "PATH", help: "blind votes given in the web app: its votes.jsonl, or its library" },
    scale: { type: "string", value: "LOW,HIGH", help: "the ends of the scale [known for evaluations]" },
    resamples: { type: "number", value: "N", integer: true, minimum: 1, default: 1000, help: "bootstrap resamples" },
    seed: { type: "number", value: "N", integer: true, default: 1, help: "the random seed" },
    out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" },
  },
  examples: [
    "fabula health scores.jsonl --scale 0,20",
    "fabula health evaluations/ --stress stress.json",
    "fabula health evaluations/ --votes votes.jsonl",
    "fabula health evaluations/ --anchors evaluations-in-march/ --comparisons pairs.jsonl --out health.html",
  ],
  async run({ operands, flags, terminal }) {
    const [file, ...rest] = operands;
    if ((file === undefined) === (flags.run === undefined) || rest.length > 0) {
      throw new FabulaError("E_USAGE", "Give one file or folder of scores, or a run: `fabula health scores.jsonl`.");
    }
    if (flags.out !== undefined) checkedEnding(flags.out, ["html", "md", "json"]);
    const { anchors, comparisons, aspects, scale, stress, votes } = flags;
    const scores =
      flags.run === undefined
        ? file!
        : {
            name: `run ${flags.run}`,
            evaluations: await evaluationsOfRun(flags.run, storeLocation(flags.store, process.env)),
          };
    const report = await checkHealth({
      scores,
      ...(anchors !== undefined && { anchors }),
      ...(comparisons !== undefined && { comparisons }),
      ...(stress !== undefined && { stress }),
      ...(votes !== undefined && { votes }),
      ...(scale !== undefined && { scale: readScale(scale) }),
      columns: {
        score: flags.score,
        ...(aspects !== undefined && { aspects: aspects.split(",").map((name) => name.trim()) }),
      },
      seed: flags.seed,
      resamples: flags.resamples,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (flags.out !== undefined) {
      await writeReport(flags.out, {
        html: () => healthHtml(report),
        md: () => healthMarkdown(report),
        json: () => `${jsonDocument("judge-health", report)}\n`,
      });
      terminal.note(`Wrote ${flags.out}`);
    }
    terminal.print(flags.json ? jsonDocument("judge-health", report) : inText(report));
    return report.judges.some(({ unscored }) => unscored > 0) ? 3 : 0;
  },
});

function readScale(text: string): Scale {
  const [minimum, maximum, ...rest] = text.split(",").map(Number);
  if (minimum === undefined || maximum === undefined || rest.length > 0 || !(maximum > minimum)) {
    throw new FabulaError("E_USAGE", `--scale ${text} is not two numbers, the lower first: --scale 0,20.`);
  }
  return { minimum, maximum };
}

function inText(report: HealthReport): string {
  return [
    healthNotes(report).join("\n"),
    ...healthTables(report).map(({ title, headings, rows }) => `${title}\n${textTable(headings, rows)}`),
  ].join("\n\n");
}
