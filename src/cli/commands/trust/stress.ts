import { FabulaError } from "../../../core/errors.ts";
import { JUROR_NAMES, jurorNamed } from "../../../jury/juror-name.ts";
import { type StressReport, stressBooks } from "../../../workflows/trust/stress-books.ts";
import { defineCommand } from "../../command.ts";
import { textTable } from "../../output/table.ts";

export default defineCommand({
  summary: "Does a judge react to damage it should notice?",
  operands: "FILE...",
  flags: {
    judge: { type: "string", value: "JUDGE", help: "the judge to test", choices: JUROR_NAMES, default: "crowd" },
    strength: {
      type: "number",
      value: "PART",
      help: "how much of the book is damaged, from 0 to 1",
      default: 1,
      minimum: 0.05,
      maximum: 1,
    },
    seed: { type: "number", value: "N", help: "the same seed damages the same places", default: 1, integer: true },
  },
  examples: [
    "fabula stress novel.epub",
    "fabula stress library/*.epub --judge editor --json",
    "fabula stress novel.epub --strength 0.3",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0) throw new FabulaError("E_USAGE", "Give at least one book: `fabula stress novel.epub`.");
    const report = await stressBooks({
      files: operands,
      judge: jurorNamed(flags.judge),
      seed: flags.seed,
      strength: flags.strength,
      signal,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    terminal.print(flags.json ? JSON.stringify(report, null, 2) : inWords(report));
    return report.books.every(({ rows }) => rows.every(({ reaction }) => reaction === "not tried")) ? 3 : 0;
  },
});

function inWords({ judge, books, summary }: StressReport): string {
  const one = books.length === 1 ? books[0]! : null;
  const rows = summary.map(({ damage, name, harmless, counts, meanMove }) => {
    const row = one?.rows.find((candidate) => candidate.damage === damage);
    const range = row?.interval ? ` [${signed(row.interval[0])}, ${signed(row.interval[1])}]` : "";
    return [
      `${name}${harmless ? " (harmless)" : ""}`,
      meanMove === null ? "–" : `${signed(meanMove)}${range}`,
      one ? describe(row?.reaction ?? "not tried", harmless, row?.reason ?? null) : String(counts.right),
      ...(one ? [] : [String(counts.blind), String(counts.wrong)]),
    ];
  });
  const heading = one ? ["damage", "move", "reaction"] : ["damage", "mean move", "right", "no reaction", "wrong way"];
  return [`The ${judge} and ${one ? one.title : `${books.length} books`}`, "", textTable(heading, rows)].join("\n");
}

function describe(reaction: string, harmless: boolean, reason: string | null): string {
  if (reason !== null) return reaction === "not tried" ? `not tried: ${reason}` : `${reaction}: unscored, ${reason}`;
  if (reaction === "blind") return "no reaction";
  return reaction === "wrong" ? "WRONG way" : harmless ? "right: no reaction" : "right";
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
