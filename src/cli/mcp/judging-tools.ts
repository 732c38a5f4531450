import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import { METHOD_NAMES } from "../../judge/methods/method.ts";
import { compareBooks } from "../../library/compare.ts";
import { evaluateBook } from "../../library/evaluate.ts";
import { renderReport } from "../../library/report.ts";
import { isOfTheJury, JURY } from "../../workflows/books/jury/embedded-judge.ts";
import { comparisonInWords, juryComparisonInWords } from "../output/comparison-wording.ts";
import type { FindBook } from "./book-folder.ts";
import type { McpSettings } from "./mcp-settings.ts";
import { answer } from "./tool-result.ts";

const file = z.string().min(1).describe("path of the book, from the shared folder");
const judge = z.string().default(JURY).describe("jury, crowd, editor, grader, or a language model the user allows");
const DEFAULT_RUNS = 1;

type JudgingSettings = Pick<McpSettings, "judges" | "maximumCost" | "store" | "signal">;

/** Tools that judge. Language models only where the user allows them, and never beyond the user's cost limit. */
export function addJudgingTools(server: McpServer, findBook: FindBook, settings: JudgingSettings): void {
  const maxCost = z.number().nonnegative().optional().describe("US dollars; never more than the user's own limit");
  const optionsFor = (name: string, cost: number | undefined) => {
    if (isOfTheJury(name)) return { judge: name, signal: settings.signal };
    if (!settings.judges.includes(name)) {
      throw new FabulaError(
        "E_FORBIDDEN",
        `The judge "${name}" is not allowed here. Allowed: ${["jury, crowd, editor, grader", ...settings.judges].join(", ")}. The user adds others with \`fabula mcp --judges\`.`,
      );
    }
    const limit = Math.min(settings.maximumCost, cost ?? settings.maximumCost);
    return { judge: name, maxCost: limit, store: settings.store, signal: settings.signal };
  };
  server.registerTool(
    "evaluate_book",
    {
      title: "Evaluate a book",
      description:
        "A verdict on a book aspect by aspect, with evidence. The embedded jury is free and judges prose only.",
      inputSchema: {
        file,
        judge,
        method: z.enum(METHOD_NAMES).optional().describe("how a language model is shown the book"),
        runs: z.number().int().positive().max(10).default(DEFAULT_RUNS),
        maxCost,
      },
      annotations: { readOnlyHint: true },
    },
    ({ file: given, judge: name, method, runs, maxCost: cost }) =>
      answer(async () => {
        const options = { ...optionsFor(name, cost), runs, ...(method && { method }) };
        const evaluation = await evaluateBook(await findBook(given), options);
        const { book, overall, aspects, jury, calls, cost: spent, coverage } = evaluation;
        return {
          text: await renderReport(evaluation, "markdown"),
          data: {
            title: book.title,
            judge: evaluation.judge,
            overall: plain(overall),
            aspects: aspects.map(({ id, verdict }) => ({ id, verdict: plain(verdict) })),
            jurors: jury?.jurors.map((juror) => ({
              id: juror.id,
              speaker: juror.speaker,
              overall: plain(juror.overall),
            })),
            coverage: coverage.share,
            calls,
            cost: spent,
          },
        };
      }),
  );
  server.registerTool(
    "compare_books",
    {
      title: "Compare books",
      description: "Which of two or more books is better, and in what, as far as the judge can tell them apart.",
      inputSchema: { files: z.array(file).min(2).max(20), judge, maxCost },
      annotations: { readOnlyHint: true },
    },
    ({ files, judge: name, maxCost: cost }) =>
      answer(async () => {
        const books = await Promise.all(files.map(findBook));
        const comparison = await compareBooks(books, { ...optionsFor(name, cost), runs: DEFAULT_RUNS });
        const lines = comparison.kind === "jury" ? juryComparisonInWords(comparison) : comparisonInWords(comparison);
        return { text: [...lines].join("\n"), data: comparison };
      }),
  );
}

function plain(verdict: Verdict): Verdict {
  if (!isScored(verdict)) return { kind: "unscored", reason: verdict.reason };
  return { kind: "scored", score: verdict.score, ...(verdict.interval && { interval: verdict.interval }) };
}
