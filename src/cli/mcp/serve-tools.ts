import { once } from "node:events";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { isScored, type Verdict } from "../../core/verdict.ts";
import { fabulaVersion } from "../../core/version.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { isOfTheJury, JURY } from "../../jury/juror.ts";
import { compareBooks, evaluateBook } from "../../library/evaluate.ts";
import { renderReport } from "../../library/report.ts";
import type { CompareOptions, EvaluateOptions } from "../../library/task-options.ts";
import { evaluateTask } from "../../tasks/books/evaluate.ts";
import { compareTask } from "../../tasks/books/judge.ts";
import { wireSchema } from "../../tasks/define/wire.ts";
import { userJudges } from "../config/user-judges.ts";
import { comparisonInWords, juryComparisonInWords } from "../output/comparison-wording.ts";
import { ASSISTANT, AssistantRuns, samplingModel } from "./assistant-runs.ts";
import { openBookFolder } from "./book-folder.ts";
import { addBookTools } from "./book-tools.ts";
import { addQuestionTools, addResources, answer, progressTo, type QuestionServices } from "./question-tools.ts";

const book = z.string().min(1).describe("path of the book, from the shared folder");
/** Lists only judges that can be used here, because an assistant will use whatever a description offers. */
function judgeSchema(allowed: readonly string[], isCompared = false) {
  const models = allowed.length === 0 ? "no language model is allowed here" : `allowed models: ${allowed.join(", ")}`;
  const assistant = isCompared
    ? `${ASSISTANT}: you, where your client offers sampling`
    : `${ASSISTANT}: you read the book yourself, closely, at no extra cost`;
  return z
    .string()
    .default(JURY)
    .describe(`jury, crowd, editor, grader: embedded, free, judge prose only; ${assistant}; ${models}`);
}
const verdict = z.looseObject({ kind: z.enum(["scored", "unscored"]) });
const DEFAULT_RUNS = 1;

interface ToolInput {
  readonly book: string;
  readonly books: readonly string[];
  readonly judge?: string;
}

type JudgeToolSettings = Pick<McpSettings, "judges" | "maximumCost" | "store" | "signal">;

/** Tools that judge. Language models are used only if the user allows them, and never beyond the user's cost limit. */
function addJudgeTools(server: McpServer, services: QuestionServices, settings: JudgeToolSettings): void {
  const { find: findBook } = services.folder;
  const [judge, comparing] = [judgeSchema(settings.judges), judgeSchema(settings.judges, true)];
  const refresh = z.boolean().default(false).describe("ask everything again, also what was answered before");
  const maxCost = z.number().nonnegative().optional().describe("US dollars; never more than the user's own limit");
  const optionsFor = (name: string, cost: number | undefined) => {
    if (isOfTheJury(name)) return { judge: name, signal: settings.signal };
    if (name === ASSISTANT) {
      const sampling = samplingModel(server);
      if (sampling) return { judge: sampling, store: settings.store, signal: settings.signal };
      throw new FabulaError(
        "E_JUDGE_UNREADY",
        "You cannot be asked while a tool runs, since your client offers no sampling: read one book at a time with next_question and answer_question.",
      );
    }
    if (!settings.judges.includes(name)) {
      throw new FabulaError(
        "E_FORBIDDEN",
        `The judge "${name}" is not allowed here. Allowed: ${["jury, crowd, editor, grader", ASSISTANT, ...settings.judges].join(", ")}. The user adds others with \`fabula mcp --judges\`.`,
      );
    }
    const limit = Math.min(settings.maximumCost, cost ?? settings.maximumCost);
    return {
      judge: name,
      maxCost: limit,
      store: settings.store,
      signal: settings.signal,
      connections: userJudges(),
    };
  };
  server.registerTool(
    "evaluate_book",
    {
      title: "Evaluate a book",
      description:
        "A verdict on a book aspect by aspect, with evidence. The embedded jury is free and judges prose only.",
      inputSchema: {
        book,
        ...wireSchema(evaluateTask, { book, judge })!.omit({ books: true }).shape,
        judge,
        maxCost,
        refresh,
      },
      outputSchema: z.looseObject({
        title: z.string(),
        judge: z.string(),
        /** Absent while questions are open. */
        overall: verdict.optional(),
        question: z.string().optional(),
      }),
      annotations: { readOnlyHint: true },
    },
    (sent, extra) =>
      answer(async () => {
        const {
          book: given,
          judge: name = JURY,
          maxCost: cost,
          refresh: refreshed,
          ...options
        } = sent as EvaluateOptions & ToolInput;
        const path = await findBook(given);
        const onProgress = progressTo(extra);
        if (name === ASSISTANT && !samplingModel(server)) {
          return {
            text: `You read "${given}" yourself: call next_question with it, answer each question with answer_question, and go on until the letter is ready.`,
            data: { title: given, judge: ASSISTANT },
          };
        }
        const evaluation = await evaluateBook(path, {
          ...(!isOfTheJury(name) && { runs: DEFAULT_RUNS }),
          ...options,
          ...optionsFor(name, cost),
          ...(refreshed && !isOfTheJury(name) && { refresh: true }),
          onEvent: (event) => {
            if (event.kind === "progress") onProgress(event);
          },
        });
        services.judged.set(path, evaluation);
        const { book: judged, overall, aspects, jury, calls, cost: spent, coverage } = evaluation;
        return {
          text: await renderReport(evaluation, "markdown"),
          data: {
            title: judged.title,
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
      inputSchema: { ...wireSchema(compareTask, { book, judge: comparing })!.shape, judge: comparing, maxCost },
      outputSchema: z.looseObject({ judge: z.string() }),
      annotations: { readOnlyHint: true },
    },
    (sent) =>
      answer(async () => {
        const { books: named, judge: name = JURY, maxCost: cost, ...options } = sent as CompareOptions & ToolInput;
        const books = await Promise.all(named.map(findBook));
        const runs = isOfTheJury(name) ? {} : { runs: DEFAULT_RUNS };
        const comparison = await compareBooks(books, { ...runs, ...options, ...optionsFor(name, cost) });
        if (comparison.kind === "plan") return { text: "", data: comparison };
        const lines = comparison.kind === "jury" ? juryComparisonInWords(comparison) : comparisonInWords(comparison);
        return { text: [...lines].join("\n"), data: comparison };
      }),
  );
}

function plain(verdict: Verdict): Verdict {
  if (!isScored(verdict)) return { kind: "unscored", reason: verdict.reason };
  return { kind: "scored", score: verdict.score, ...(verdict.interval && { interval: verdict.interval }) };
}

const INSTRUCTIONS =
  "Fabula reads book-length stories and says, with evidence, how good they are. Its embedded judges measure prose and need no key; they do not read the story. You can: call evaluate_book with judge assistant, or next_question and answer_question, and the edit letter is a resource at the end. list_books shows the folder. A missing score is never a zero: it comes with a reason, and the range beside a score belongs to it.";

/**
 * Serves an assistant on standard input and output until it disconnects. Its requests are then interrupted, since no
 * one would read the answer; calls already sent are finished and stored.
 */
export async function serveTools(settings: McpSettings): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
  const server = new McpServer({ name: "fabula", version: fabulaVersion() }, { instructions: INSTRUCTIONS });
  const folder = await openBookFolder(settings.folder);
  const services: QuestionServices = {
    folder,
    runs: new AssistantRuns(settings.store, gone.signal),
    judged: new Map<string, BookEvaluation>(),
    client: () => server.server.getClientVersion()?.name ?? ASSISTANT,
  };
  addBookTools(server, {
    findBook: folder.find,
    signal: gone.signal,
    host: { connections: {}, store: settings.store },
  });
  addJudgeTools(server, services, { ...settings, signal: gone.signal });
  addQuestionTools(server, services);
  addResources(server, services);
  process.stdin.once("end", leave).once("close", leave);
  settings.signal.addEventListener("abort", leave, { once: true });
  if (settings.signal.aborted) leave();
  await server.connect(new StdioServerTransport());
  if (!gone.signal.aborted) await once(gone.signal, "abort");
  await server.close();
}

interface McpSettings {
  /** The folder whose books can be opened; no others can. */
  readonly folder: string;
  /** Language models that may judge. An assistant cannot send a manuscript to any other. */
  readonly judges: readonly string[];
  /** US dollars for one evaluation. */
  readonly maximumCost: number;
  readonly store: string;
  readonly signal: AbortSignal;
}
