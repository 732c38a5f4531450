import { defineCommand } from "../../src/cli/command.ts";
import { FabulaError } from "../../src/core/errors.ts";
import type { Agreement } from "../grader/agreement.ts";
import { type GraderTrainingReport, selectGraderSettings, trainGraderFromFile } from "../grader/grader-from-files.ts";
import type { Selection, SelectionRow } from "../grader/select-settings.ts";

export default defineCommand({
  summary: "Train the grader from graded chapters; the same data gives the same weights, byte for byte",
  operands: "",
  flags: {
    data: { type: "string", value: "FILE", help: "graded chapters, JSONL or JSONL.gz" },
    out: { type: "string", value: "DIR", help: "folder for the weights", default: "grader-judge" },
    select: { type: "boolean", help: "compare features and penalties instead of training (takes long)" },
  },
  examples: [
    "npm run train -- grader --data chapters.jsonl.gz --out my-judge",
    "npm run train -- grader --data chapters.jsonl.gz --select",
  ],
  async run({ flags, terminal }) {
    if (flags.data === undefined) {
      throw new FabulaError("E_USAGE", "Say which chapters to learn from: --data chapters.jsonl.gz.");
    }
    if (flags.select) {
      const selection = await selectGraderSettings(flags.data, terminal.progress);
      terminal.endProgress();
      terminal.print(flags.json ? JSON.stringify(selection) : selectionTable(selection));
      return 0;
    }
    const report = await trainGraderFromFile(flags.data, flags.out, terminal.progress);
    terminal.endProgress();
    terminal.print(flags.json ? JSON.stringify(report) : trainingTable(report));
    return 0;
  },
});

function trainingTable({ chapters, writers, stories, weights, agreement }: GraderTrainingReport): string {
  const width = Math.max(...agreement.outputs.map(({ id }) => id.length));
  return [
    `${chapters} chapters by ${writers} writers of ${stories} stories; agreement on writers and stories both left out:`,
    "",
    `${"".padEnd(width)}  Pearson per chapter   Kendall across writers`,
    ...agreement.outputs.map(
      (output) => `${output.id.padEnd(width)}  ${inWords(output.chapters)}  ${inWords(output.writers)}`,
    ),
    ...agreement.pieces.map((piece) => `${`overall, ${piece.words} words`.padEnd(width)}  ${inWords(piece.agreement)}`),
    "",
    `Weights: ${weights.file}, ${weights.bytes} bytes, SHA-256 ${weights.digest}`,
  ].join("\n");
}

const FEATURES_WIDTH = 28;

function selectionTable({ rows, chosen, chosenByOthers }: Selection): string {
  const line = (row: SelectionRow) => {
    const figures = [row.chapters, row.writers, row.shortPieces, row.newestChapters, row.newestWriters, row.mean];
    const cells = figures.map((figure) => figure.toFixed(3).padStart(13));
    const mark = row === chosen ? "  ← chosen" : "";
    const { writerWeight, penalty } = row.settings;
    const settings = [writerWeight, penalty].map((value) => String(value).padStart(9)).join("");
    return `${row.features.padEnd(FEATURES_WIDTH)}${settings}${cells.join("")}${mark}`;
  };
  const columns = ["chapters r", "writers τ", "200 words r", "newest r", "newest τ", "mean"];
  return [
    "Families of writers and stories left out at once; the newest writers judged by what older ones taught:",
    "",
    `${"features".padEnd(FEATURES_WIDTH)}  writers  penalty${columns.map((name) => name.padStart(13)).join("")}`,
    ...rows.map(line),
    "",
    "Each family judged by the settings that the others alone would have chosen:",
    `chapters r ${inWords(chosenByOthers.chapters)}  writers τ ${inWords(chosenByOthers.writers)}`,
  ].join("\n");
}

function inWords({ value, interval }: Agreement): string {
  const range = interval ? `[${interval[0].toFixed(3)}, ${interval[1].toFixed(3)}]` : "";
  return `${value.toFixed(3)} ${range}`.padEnd(20);
}
