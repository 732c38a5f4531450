import { FabulaError } from "../../../core/errors.ts";
import { scoreTask } from "../../../tasks/books/score.ts";
import type { ScoreSummary } from "../../../workflows/books/score-items.ts";
import { taskCommand } from "../../task-command.ts";

export const scoreCommand = taskCommand(scoreTask, {
  insteadOfFile:
    "For one book or story, use `fabula evaluate FILE`; for many texts, a JSONL file with --in: `fabula score --in texts.jsonl`.",
  shares: true,
  examples: [
    "fabula score --in items.jsonl --out scores.jsonl",
    "fabula score --in rated.jsonl --keep rating,writer --out scores.jsonl",
    "fabula score --judge editor --in paragraphs.jsonl --out scores.jsonl",
    "fabula score --in items.jsonl --out scores.parquet",
    "cat items.jsonl | fabula score --rubric long-story > scores.jsonl",
    "fabula score --in items.jsonl --out scores.jsonl --store postgres://fabula@db.example/fabula",
  ],
  async present(summary, { flags: { json }, terminal, document }) {
    if (!summary) return 0;
    if (json && summary.out !== "-") terminal.print(document());
    else terminal.note(inWords(summary));
    if (summary.unreadableLines.length > 0) throw new FabulaError("E_SCORE_LINES", unreadable(summary.unreadableLines));
    return summary.unscored > 0 ? 3 : 0;
  },
});

function inWords({ items, scored, unscored, judge, version }: ScoreSummary): string {
  const gap = unscored > 0 ? `, ${unscored} unscored (each line says why)` : "";
  return `${scored} of ${items} texts scored by the ${judge} ${version}${gap}.`;
}

function unreadable(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(", ");
  const more = lines.length > 5 ? ` and ${lines.length - 5} more` : "";
  return `No id could be read on line${lines.length > 1 ? "s" : ""} ${shown}${more}: each line must be a JSON object with "id" and "text". Everything else was scored.`;
}
