import { createColors } from "picocolors";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { plainLine } from "../markup.ts";
import { benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";
import { reportWordsIn } from "./words.ts";

/** Characters that take two columns of a terminal: Chinese, Japanese and Korean, and full-width forms. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function widthOf(character: string): number {
  return WIDE.test(character) || character.codePointAt(0)! > 0x1ffff ? 2 : 1;
}

/** How many columns of a terminal a line takes. */
function terminalWidth(line: string): number {
  let width = 0;
  for (const character of line) width += widthOf(character);
  return width;
}

/** The line cut or filled with spaces to just this many columns. */
function inColumns(line: string, columns: number): string {
  let text = "";
  let width = 0;
  for (const character of line) {
    if (width + widthOf(character) > columns) break;
    text += character;
    width += widthOf(character);
  }
  return text + " ".repeat(columns - width);
}

const BAR = 20;

export function terminalBenchmark(benchmark: WriterBenchmark, options: { readonly colours: boolean }): string {
  const paint = createColors(options.colours);
  const rows = benchmarkTable(benchmark);
  const words = reportWordsIn(benchmark.population.language);
  const { columns } = words;
  const width = Math.min(44, Math.max(terminalWidth(words.anchors), ...rows.map((row) => terminalWidth(row.writer))));
  const judges = Object.keys(rows[0]?.judges ?? {});
  const drawn = (level: number) => {
    const filled = Math.round((level / 100) * BAR);
    return paint.cyan("█".repeat(filled)) + paint.dim("░".repeat(BAR - filled));
  };
  const line = (rank: string, name: string, level: number, interval: readonly [number, number], rest: string) =>
    `${rank.padStart(3)}  ${inColumns(plainLine(name), width)}  ${drawn(level)}  ${level.toFixed(1).padStart(5)}  ${`${interval[0].toFixed(1)}–${interval[1].toFixed(1)}`.padEnd(12)}  ${rest}`;
  const { anchors } = benchmark;
  return [
    "",
    `${"".padStart(3)}  ${inColumns(columns.writer, width)}  ${"".padEnd(BAR)}  ${inColumns(columns.level, 5)}  ${inColumns(columns.interval, 12)}  ${inColumns(columns.composite, 9)}  ${columns.groups}`,
    ...rows.map((row) => {
      const byJudge = judges.map((judge) => row.judges?.[judge]?.toFixed(1) ?? "–").join(" / ");
      const rest = `${row.composite.toFixed(2).padStart(8)}${row.atCeiling ? "↑" : " "}  ${row.groups}${byJudge === "" ? "" : paint.dim(`  (${byJudge})`)}`;
      return line(String(row.rank), row.writer, row.level, [row.low, row.high], rest);
    }),
    ...(anchors ? [line("–", words.anchors, anchors.level, anchors.interval, "")] : []),
    ...(judges.length > 0 ? [words.inBrackets(judges.map(plainLine).join(" / "))] : []),
    "",
    populationInWords(benchmark),
    words.sharedLetter,
    ...(rows.some(({ atCeiling }) => atCeiling) ? [words.above] : []),
    ...validityInWords(benchmark),
    ...benchmark.warnings.map((warning) => paint.yellow(words.warning(plainLine(warning)))),
    "",
  ].join("\n");
}
