import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { adviceFor, countOf } from "../../core/wording.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { mapManuscript } from "../../library/manuscript.ts";
import { renderReport } from "../../library/report.ts";
import type { OpenQuestion } from "../../models/answered-by-hand.ts";
import { describeMap } from "../output/map-wording.ts";
import type { AssistantRuns } from "./assistant-runs.ts";
import { BOOK_FORMATS, type BookFolder } from "./book-folder.ts";

/** A tool's answer: text for the assistant, and the same content as data. */
export async function answer(operation: () => Promise<{ text: string; data: object }>): Promise<CallToolResult> {
  try {
    const { text, data } = await operation();
    return { content: [{ type: "text", text }], structuredContent: { ...data } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { content: [{ type: "text", text: adviceFor("tools", message) }], isError: true };
  }
}

/** Reports progress to the assistant, if it asked for it. */
export function progressTo(
  extra: Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, "_meta" | "sendNotification">,
): ProgressListener {
  const progressToken = extra._meta?.progressToken;
  return ({ stage, done, total }) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, message: stage, ...(total !== null && { total }) };
    void extra.sendNotification({ method: "notifications/progress", params });
  };
}

const book = z.string().min(1).describe("path of the book, from the shared folder");

export interface QuestionServices {
  readonly folder: BookFolder;
  readonly runs: AssistantRuns;
  /** Evaluations made in this session, by path. */
  readonly judged: Map<string, BookEvaluation>;
  /** The assistant's name, recorded with each answer. */
  readonly client: () => string;
}

/** Tools for an assistant that the server cannot query: it fetches questions and returns answers. */
export function addQuestionTools(server: McpServer, services: QuestionServices): void {
  const { folder, runs, judged, client } = services;
  server.registerTool(
    "list_books",
    {
      title: "List the folder",
      description: "The files in the shared folder that can be read as books, with their sizes.",
      outputSchema: { books: z.array(z.object({ path: z.string(), bytes: z.number() })), others: z.number() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      answer(async () => {
        const files = await folder.files();
        const readable = files.filter((path) => BOOK_FORMATS.has(extname(path).slice(1).toLowerCase()));
        const books = await Promise.all(
          readable.map(async (path) => ({ path, bytes: (await stat(await folder.find(path))).size })),
        );
        const lines = books.map(({ path, bytes }) => `${path} (${Math.ceil(bytes / 1024)} KB)`);
        const others = files.length - books.length;
        return {
          text: books.length === 0 ? "The folder holds no file that can be read as a book." : lines.join("\n"),
          data: { books, others },
        };
      }),
  );
  server.registerTool(
    "next_question",
    {
      title: "Next question about a book",
      description:
        "You judge the book yourself: this returns the next question about it, with the text to read. Answer it with answer_question, then call this again, until it says that the letter is ready. Answers are stored, so another assistant can continue later.",
      inputSchema: {
        book,
        full: z.boolean().default(false).describe("send the whole text again, when you no longer have it"),
        refresh: z
          .boolean()
          .default(false)
          .describe("begin again once a reading has ended or failed: every question is asked again"),
      },
      outputSchema: {
        isDone: z.boolean(),
        question: z.string().nullable(),
        open: z.number(),
        left: z.number().nullable(),
        letter: z.string().nullable(),
      },
    },
    ({ book: given, full, refresh }) =>
      answer(async () => {
        const path = await folder.find(given);
        const run = runs.of(path, { refresh });
        await run.questions.untilAsked(run.result);
        const [question] = run.questions.open;
        if (question) {
          const planned = await run.planned;
          const left =
            planned && Math.max(run.questions.open.length, planned.calls - planned.cached - run.questions.answered);
          const stage = run.progress ? ` ${run.progress.stage}.` : "";
          const leftInWords = left === null ? "" : ` About ${countOf(left, "question")} left, with this one.`;
          const text = `Question ${question.id}.${stage}${leftInWords} Answer it with answer_question.\n\n${handOut(question, run.handedOut, full)}`;
          return {
            text,
            data: { isDone: false, question: question.id, open: run.questions.open.length, left, letter: null },
          };
        }
        const evaluation = await run.result;
        judged.set(path, evaluation);
        const letter = letterUri(given);
        const text = `All questions are answered, and the letter is ready: read the resource ${letter}.`;
        return { text, data: { isDone: true, question: null, open: 0, left: 0, letter } };
      }),
  );
  server.registerTool(
    "answer_question",
    {
      title: "Answer a question about a book",
      description:
        "Takes your answer to a question of next_question. It is checked at once: whether it has the requested format, and whether its quotations occur in the book word for word. If not, you are told what is wrong and answer again.",
      inputSchema: {
        question: z.string().min(1).describe("the id that next_question gave"),
        reply: z.string().min(1).describe("your answer, in the shape that the question asks for"),
      },
      outputSchema: { accepted: z.boolean(), problems: z.array(z.string()) },
    },
    ({ question, reply }) =>
      answer(async () => {
        const run = runs.withQuestion(question);
        if (!run) throw new FabulaError("E_NOT_FOUND", `There is no question ${question}: call next_question first.`);
        const handled = run.questions.answer(question, reply, client());
        switch (handled.kind) {
          case "unknown":
            throw new FabulaError("E_NOT_FOUND", handled.reason);
          case "rejected": {
            const problems = [...handled.problems];
            const text = `Not accepted. ${problems.map((problem) => `${problem}.`).join(" ")} Nothing is lost: correct it and send the whole answer again.`;
            return { text, data: { accepted: false, problems } };
          }
          case "accepted":
            return { text: "Accepted. Call next_question to go on.", data: { accepted: true, problems: [] } };
          default:
            return handled satisfies never;
        }
      }),
  );
}

/** A book is sent once; later questions refer to it. */
function handOut({ prompt, parts }: OpenQuestion, handedOut: Set<string>, full: boolean): string {
  if (parts === null) return prompt;
  const isKnown = handedOut.has(parts.sharedId);
  handedOut.add(parts.sharedId);
  if (!isKnown || full) return prompt;
  return `The text is the one you were given before (text ${parts.sharedId}); call next_question with full: true if you no longer have it.\n\n${parts.own}`;
}

function letterUri(path: string): string {
  return `fabula://letter/${encodeURIComponent(path)}`;
}

/**
 * Offers the letter, the story and the map of every book in the folder as resources, and common requests as prompts.
 */
export function addResources(server: McpServer, { folder, runs, judged }: QuestionServices): void {
  const evaluationOf = async (given: string): Promise<BookEvaluation> => {
    const path = await folder.find(given);
    const known = judged.get(path);
    if (known) return known;
    const run = runs.of(path);
    await run.questions.untilAsked(run.result);
    const open = run.questions.open.length;
    if (open > 0) {
      throw new FabulaError(
        "E_NOT_FOUND",
        `"${given}" has no letter yet: ${countOf(open, "question")} ${open === 1 ? "waits" : "wait"} for an answer. Call next_question, or evaluate_book.`,
      );
    }
    const evaluation = await run.result;
    judged.set(path, evaluation);
    return evaluation;
  };
  const offer = (
    kind: "letter" | "story" | "map",
    title: string,
    mimeType: string,
    read: (given: string) => Promise<string>,
  ) => {
    const list = async () => {
      const files = (await folder.files()).filter((path) => BOOK_FORMATS.has(extname(path).slice(1).toLowerCase()));
      const shown = kind === "map" ? files : await withLetters(files);
      return {
        resources: shown.map((path) => ({
          uri: `fabula://${kind}/${encodeURIComponent(path)}`,
          name: `${title}: ${path}`,
          mimeType,
        })),
      };
    };
    server.registerResource(
      kind,
      new ResourceTemplate(`fabula://${kind}/{book}`, { list }),
      { title, mimeType },
      async (uri, { book: given }) => {
        const text = await read(decodeURIComponent(String(given)));
        return { contents: [{ uri: uri.href, mimeType, text }] };
      },
    );
  };
  const withLetters = async (files: readonly string[]) => {
    const found = await Promise.all(files.map(async (path) => ({ path, real: await folder.find(path) })));
    return found.filter(({ real }) => judged.has(real)).map(({ path }) => path);
  };
  offer("letter", "Edit letter", "text/markdown", async (given) => renderReport(await evaluationOf(given), "markdown"));
  offer("story", "Story", "application/json", async (given) => {
    const { letter } = await evaluationOf(given);
    const story = letter?.close?.story;
    if (!story)
      throw new FabulaError("E_NOT_FOUND", `Nobody has read the story of "${given}" closely yet: call next_question.`);
    return JSON.stringify(story, null, 2);
  });
  offer("map", "Manuscript map", "text/plain", async (given) =>
    describeMap(await mapManuscript(await folder.find(given))).join("\n"),
  );
  const asked = (text: string) => ({ messages: [{ role: "user" as const, content: { type: "text" as const, text } }] });
  server.registerPrompt(
    "edit_letter",
    {
      title: "Write me an edit letter",
      description: "A close reading of the whole book by you, with checked quotations, and the letter at the end",
      argsSchema: { book: z.string().describe("path of the book, from the shared folder") },
    },
    ({ book: given }) =>
      asked(
        `Write me an edit letter for ${given}. Use Fabula: call evaluate_book with judge "assistant"; if it answers with a question, go on with answer_question and next_question until the letter is ready. Answer every question from the text alone, quote word for word, and do not soften anything. At the end read the resource ${letterUri(given)} and show me the letter as it is.`,
      ),
  );
  server.registerPrompt(
    "first_look",
    {
      title: "What stands out in my manuscript?",
      description: "What can be counted in the book, beside published novels; nothing leaves this machine",
      argsSchema: { book: z.string().describe("path of the book, from the shared folder") },
    },
    ({ book: given }) =>
      asked(
        `What stands out in ${given}? Call map_manuscript and line_notes of Fabula and tell me what a professional editor would look at first, with the figures and the passages. Do not judge what was not measured.`,
      ),
  );
}
