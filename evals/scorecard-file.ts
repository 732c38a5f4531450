import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { figureSchema } from "./part.ts";

const scorecardSchema = z.strictObject({
  parts: z.array(
    z.strictObject({ id: z.string(), title: z.string(), command: z.string(), figures: z.array(figureSchema) }),
  ),
});

/** What `evals/scorecard.json` holds: the figures of every part, each with the command that printed them. */
export type Scorecard = z.infer<typeof scorecardSchema>;

const START = "<!-- scorecard:start -->";
const END = "<!-- scorecard:end -->";

export function readScorecard(path: URL): Scorecard {
  return scorecardSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

export function writeScorecard(path: URL, scorecard: Scorecard): void {
  writeFileSync(path, `${JSON.stringify(scorecardSchema.parse(scorecard), null, 2)}\n`);
}

/** The scorecard as the README shows it. */
export function scorecardTable({ parts }: Scorecard): string {
  if (parts.length === 0) return "";
  const rows = parts.flatMap(({ title, figures }) =>
    figures.map(({ name, value, interval, n, compare }, index) => {
      const range = interval ? `${number(interval[0])} to ${number(interval[1])}` : "";
      const beside = compare ? `${compare.name}: ${number(compare.value)}` : "";
      return `| ${index === 0 ? `**${title}**` : ""} | ${name} | ${number(value)} | ${range} | ${n.toLocaleString("en-GB")} | ${beside} |`;
    }),
  );
  return [
    "| | measured | figure | 95% interval | cases | beside it |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** The text between the markers of a document, without the blank lines around it. */
export function tableIn(document: string): string {
  const { start, end } = markers(document);
  return document.slice(start, end).trim();
}

export function withTable(document: string, table: string): string {
  const { start, end } = markers(document);
  return `${document.slice(0, start)}\n${table}${table ? "\n" : ""}${document.slice(end)}`;
}

function markers(document: string): { start: number; end: number } {
  const start = document.indexOf(START);
  const end = document.indexOf(END);
  if (start < 0 || end < start) throw new Error(`the document lacks the lines ${START} and ${END}`);
  return { start: start + START.length, end };
}

/** Three significant decimals below ten, so that 0.0412 and 3.88 both say enough; whole numbers stay whole. */
function number(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en-GB");
  return Math.abs(value) >= 100 ? value.toFixed(1) : value.toFixed(3);
}
