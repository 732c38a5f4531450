import { FabulaError } from "../../../core/errors.ts";
import { JUROR_IDS } from "../../../jury/juror.ts";
import { type ScoreSummary, scoreItems } from "../../../workflows/books/score-items.ts";
import { assembleScores, piecesOfItems } from "../../../workflows/queue/jobs/score-items.ts";
import { scoresInto } from "../../../workflows/tables/score-table.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { refuseStandardInput, runHereOrShared, SHARING_FLAGS, settingsWithoutModels } from "../../shared-run.ts";

export default defineCommand({
  summary: "Score many texts: one per line in, one set of verdicts per line out.",
  operands: "",
  insteadOfFile:
    "For one book or story, use `fabula evaluate FILE`; for many texts, a JSONL file with --in: `fabula score --in texts.jsonl`.",
  flags: {
    in: { type: "string", value: "FILE", help: 'JSONL of {"id","text"}; - is standard input', default: "-" },
    out: {
      type: "string",
      value: "FILE",
      help: "where to write the verdicts: .jsonl, or .csv or .parquet with a row per text and criterion; - is standard output",
      default: "-",
    },
    judge: {
      type: "string",
      value: "JUDGE",
      help: "the judge: readers, professional editors or a language-model grader [crowd; grader with --rubric]",
      choices: JUROR_IDS,
    },
    rubric: {
      type: "string",
      value: "RUBRIC",
      help: "what the grader scores: its own criteria, or the long-story aspects they correspond to",
      choices: ["grader", "long-story"],
    },
    keep: {
      type: "string",
      value: "FIELD,…",
      help: "fields of each line to keep beside its scores, such as human ratings for `fabula agree` and `fabula trust`",
    },
    ...SHARING_FLAGS,
  },
  examples: [
    "fabula score --in items.jsonl --out scores.jsonl",
    "fabula score --in rated.jsonl --keep rating,writer --out scores.jsonl",
    "fabula score --judge editor --in paragraphs.jsonl --out scores.jsonl",
    "fabula score --in items.jsonl --out scores.parquet",
    "cat items.jsonl | fabula score --rubric long-story > scores.jsonl",
    "fabula score --in items.jsonl --out scores.jsonl --store postgres://fabula@db.example/fabula",
  ],
  async run({ flags, terminal, signal }) {
    const judge = flags.judge ?? (flags.rubric === undefined ? "crowd" : "grader");
    const keep = (flags.keep ?? "").split(",").flatMap((name) => name.trim() || []);
    const scoring = {
      judge,
      ...(keep.length > 0 && { keep }),
      ...(flags.rubric !== undefined && { rubric: flags.rubric }),
    };
    const settings = settingsWithoutModels(flags);
    const input = refuseStandardInput(flags.in, settings, flags);
    const summary = await runHereOrShared(
      settings,
      flags,
      { terminal, signal },
      () => ({ kind: "score-items", options: scoring, models: [], pieces: piecesOfItems(input) }),
      (_own, shared) =>
        scoresInto(flags.out, keep, (output) =>
          shared
            ? assembleScores(shared.results(), output, scoring)
            : scoreItems({ input, output, ...scoring, signal, onProgress: terminal.progress }),
        ),
    );
    if (!summary) return 0;
    terminal.endProgress();
    if (flags.json && flags.out !== "-") terminal.print(jsonDocument("scored-items", { ...summary, out: flags.out }));
    else terminal.note(inWords(summary));
    if (summary.unreadableLines.length > 0) {
      throw new FabulaError("E_SCORE_LINES", unreadable(summary.unreadableLines));
    }
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
