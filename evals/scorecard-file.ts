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

/** The figures that matter most, by part and figure: what the README has room for. */
const HEADLINES: Readonly<Record<string, readonly string[]>> = {
  jury: ["crowd-reader-pairs-share-right"],
  grader: ["family-chapter-pearson"],
  novelcritique: ["kendall", "kendall-three-genres", "difference"],
  personal: ["pearson-gain"],
  quotations: ["found-word"],
};

/** Those of them that were measured, and how many more there are. */
export function headlineTable({ parts }: Scorecard, headlines = HEADLINES): string {
  const isShown = (part: string, figure: string) => headlines[part]?.includes(figure) ?? false;
  const shown = parts.map(({ figures, ...part }) => ({
    ...part,
    figures: figures.filter(({ id }) => isShown(part.id, id)),
  }));
  const more = parts.reduce((sum, { id, figures }) => sum + figures.filter((one) => !isShown(id, one.id)).length, 0);
  if (more === 0) return table(shown);
  return `${table(shown)}\n\n${more} more figures, with the commands that print them, are on the [scorecard](evals/scorecard.md).`;
}

/** All figures, with the commands that print them: `evals/scorecard.md`. */
export function scorecardDocument({ parts }: Scorecard): string {
  const sections = parts.map(
    (part) => `## ${part.title}\n\n\`${part.command}\`\n\n${table([{ ...part, title: "" }])}\n`,
  );
  return [
    "# Scorecard",
    "",
    "How well Fabula's own judges do, as `evals/scorecard.ts` measured it. Intervals are 95%.",
    "",
    ...sections,
  ].join("\n");
}

function table(parts: Scorecard["parts"]): string {
  if (parts.length === 0) return "";
  const rows = parts.flatMap(({ title, figures }) =>
    figures.map(({ name, value, interval, n, compare }, index) => {
      const part = index === 0 && title ? `**${title}**` : "";
      const range = interval ? `${number(interval[0])} to ${number(interval[1])}` : "";
      const beside = compare ? `${compare.name}: ${number(compare.value)}` : "";
      return `| ${part} | ${name} | ${number(value)} | ${range} | ${n.toLocaleString("en-GB")} | ${beside} |`;
    }),
  );
  return [
    "| | measured | figure | 95% interval | cases | for comparison |",
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
