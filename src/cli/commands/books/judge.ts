import { FabulaError } from "../../../core/errors.ts";
import type { ReadVerdict } from "../../../judge/replies/on-scale.ts";
import { compareTask, repliesTask, rubricCheckTask, scoreTask } from "../../../tasks/books/judge.ts";
import type { ScoreSummary } from "../../../tasks/books/score-items.ts";
import { comparisonInWords, juryComparisonInWords } from "../../output/comparison-wording.ts";
import { showAsked } from "../../output/show-plan.ts";
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

export const rubricCheckCommand = taskCommand(rubricCheckTask, {
  usage: "`fabula rubric check` takes one FILE. See `fabula rubric check --help`.",
  examples: ["fabula rubric check my-rubric.yaml"],
  async present({ file, rubric, problems }, { show }) {
    await show(() => {
      if (rubric === null)
        return problems.map(({ at, problem }) => `${at === "" ? file : `${file} at ${at}`}: ${problem}`).join("\n");
      const { id, version, criteria, scale } = rubric;
      return `${file} is in order: ${id} ${version}, ${criteria.length} criteria, ${scale.minimum} to ${scale.maximum}.`;
    });
    return rubric === null ? 1 : 0;
  },
});

export const compareCommand = taskCommand(compareTask, {
  usage: "Name at least two books: `fabula compare one.epub two.epub`.",
  examples: [
    "fabula compare draft-1.docx draft-2.docx",
    "fabula compare draft-1.docx draft-2.docx --judge openai:gpt-4.1 --max-cost 2",
    "fabula compare shortlist/*.epub --judge ollama:llama3.1 --until top3",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) =>
      result.kind === "jury"
        ? {
            lines: juryComparisonInWords(result),
            isWhole: result.books.every(({ overall }) => overall.kind === "scored"),
          }
        : { lines: comparisonInWords(result), isWhole: result.failures.length === 0 },
    ),
});

export const repliesCommand = taskCommand(repliesTask, {
  usage: "Name the files that hold the replies, or - for standard input.",
  examples: ["fabula replies gpt-4o/*.md --rubric long-story", "fabula replies saved.jsonl --scale 1-5 --json"],
  async present(replies, { terminal, show }) {
    await show(() => replies.flatMap((reply) => linesOf(reply)).join("\n"));
    const verdicts = replies.flatMap(({ aspects, overall }) => [overall, ...Object.values(aspects)]);
    const unscored = verdicts.filter(({ kind }) => kind === "unscored").length;
    if (unscored === 0) return 0;
    terminal.note(`Exit code 3: ${unscored} of ${verdicts.length} verdicts are unscored, each with its reason.`);
    return 3;
  },
});

interface Reply {
  readonly file: string;
  readonly id?: string;
  readonly aspects: Readonly<Record<string, ReadVerdict>>;
  readonly overall: ReadVerdict;
}

function linesOf({ file, id, aspects, overall }: Reply): string[] {
  return [
    [file, id].filter(Boolean).join(" · "),
    ...Object.entries({ ...aspects, overall }).map(
      ([name, verdict]) => `  ${name.padEnd(14)} ${replyInWords(verdict)}`,
    ),
  ];
}

function replyInWords(verdict: ReadVerdict): string {
  if (verdict.kind === "unscored") return `unscored: ${verdict.reason}`;
  const { score, written } = verdict;
  return written ? `${score} (written as ${written.value}/${written.outOf})` : String(score);
}
