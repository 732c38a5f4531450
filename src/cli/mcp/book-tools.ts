import { basename } from "node:path";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import pc from "picocolors";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { countOf } from "../../core/wording.ts";
import type { Forecast, NoForecast } from "../../forecast/forecast.ts";
import { readBook } from "../../library/manuscript.ts";
import { mapTask } from "../../tasks/books/explore.ts";
import { checkTask, notesTask } from "../../tasks/books/faults.ts";
import { forecastTask } from "../../tasks/books/forecast.ts";
import { checkInput } from "../../tasks/define/check.ts";
import type { Task, TaskServices } from "../../tasks/define/task.ts";
import { AS_DECLARED, openBooks, wireSchema } from "../../tasks/define/wire.ts";
import type { Book } from "../../text/book.ts";
import { describeChecks } from "../output/fault-wording.ts";
import { describeMap } from "../output/map-wording.ts";
import type { FindBook } from "./book-folder.ts";
import { answer, progressTo } from "./question-tools.ts";

const book = z.string().min(1).describe("path of the book, from the shared folder");
const READ_ONLY = { readOnlyHint: true, openWorldHint: false };
const EXCERPT_MARGIN = 120;

/** Tools that read, count and search without sending anything from this machine. */
export function addBookTools(server: McpServer, services: ToolServices): void {
  const { findBook } = services;
  server.registerTool(
    "read_book",
    {
      title: "Read a book",
      description: "Title, language and chapters of a book file, or the whole text of one chapter.",
      inputSchema: { book, chapter: z.number().int().positive().optional().describe("give the text of this chapter") },
      outputSchema: z.looseObject({ title: z.string(), words: z.number() }),
      annotations: READ_ONLY,
    },
    ({ book: given, chapter }) =>
      answer(async () => {
        const read = await readBook(await findBook(given));
        return chapter === undefined ? contents(read) : chapterText(read, chapter);
      }),
  );
  server.registerTool(
    "search_book",
    {
      title: "Search a book",
      description: "Every place where the given words occur in a book, with the chapter and the text around them.",
      inputSchema: {
        book,
        query: z.string().min(2).describe("the words to find, as the book has them; capitals do not matter"),
        limit: z.number().int().positive().max(100).default(20),
      },
      outputSchema: z.looseObject({
        total: z.number(),
        passages: z.array(z.looseObject({ chapter: z.number(), passage: z.string() })),
      }),
      annotations: READ_ONLY,
    },
    ({ book: given, query, limit }) =>
      answer(async () => {
        const found = passagesWith(await readBook(await findBook(given)), query);
        const shown = found.slice(0, limit);
        const lines = shown.map(({ chapter, passage }) => `Chapter ${chapter}: …${passage}…`);
        return {
          text: [
            `${countOf(found.length, "place")}${found.length > limit ? `, the first ${limit}` : ""}`,
            ...lines,
          ].join("\n"),
          data: { total: found.length, passages: shown },
        };
      }),
  );
  addTaskTool(
    server,
    mapTask,
    {
      name: "map_manuscript",
      title: "Map a manuscript",
      description: "What can be counted in a book, beside published novels: dialogue, sentences, pace, characters.",
      output: z.looseObject({ book: z.looseObject({ title: z.string() }) }),
      answer: (map) => {
        const { schema, fabula, book, reference, figures } = map;
        return { text: describeMap(map).join("\n"), data: { schema, fabula, book, reference, figures } };
      },
    },
    services,
  );
  addTaskTool(
    server,
    checkTask,
    {
      name: "check_manuscript",
      title: "Check a manuscript",
      description:
        "What would stop a reader, found by code alone, with the passages that show it: passages that appear twice, names in two spellings, changes of tense, contradictions, people who vanish.",
      output: z.looseObject({ books: z.array(z.looseObject({ title: z.string() })) }),
      answer: ({ result: { books, failed } }) => ({
        text: [
          ...books.map((checked) => describeChecks(checked, pc.createColors(false)).join("\n")),
          ...failed.map(({ reason }) => reason),
        ].join("\n\n"),
        data: {
          books: books.map(({ title, words, chapters, findings, notTried }) => ({
            title,
            words,
            chapters,
            findings,
            notTried,
          })),
        },
      }),
    },
    services,
  );
  addTaskTool(
    server,
    notesTask,
    {
      name: "line_notes",
      title: "Line notes",
      description: "The sentences a professional editor would most likely change, with the likeliest kind of change.",
      output: z.looseObject({ notes: z.array(z.looseObject({ sentence: z.string(), change: z.number() })) }),
      also: { top: z.number().int().positive().max(200).default(20) },
      answer: ({ title, sentences, notes, unscored }, { top }) => {
        const likeliest = [...notes].sort((left, right) => right.change - left.change).slice(0, top);
        const lines = likeliest.map(
          ({ chapter, change, why, sentence }) =>
            `${Math.round(100 * change)}% · chapter ${chapter}${why === null ? "" : ` · ${why}`} · ${sentence}`,
        );
        const text = unscored === null ? lines.join("\n") : `No line notes: ${unscored}.`;
        return { text, data: { title, sentences, notes: likeliest, unscored } };
      },
    },
    services,
  );
  addTaskTool(
    server,
    forecastTask,
    {
      name: "forecast_rating",
      title: "Forecast ratings",
      description:
        "How readers would rate books, outlines or descriptions on average, from 1 to 5, with intervals and reasons.",
      output: z.looseObject({}),
      answer: (results) => ({
        text: results.map(({ file, forecast }) => forecastLine(file, forecast)).join("\n"),
        data: forecastTask.output.body(results),
      }),
    },
    services,
  );
}

function forecastLine(file: string, forecast: Forecast | NoForecast): string {
  const name = basename(file);
  if (forecast.kind === "unscored") return `${name}: no forecast, ${forecast.reason}.`;
  const [low, high] = forecast.interval.map((end) => end.toFixed(2));
  return `${name}: expected average rating ${forecast.rating.toFixed(2)} out of 5, nine in ten such books between ${low} and ${high}; above ${forecast.percentile.toFixed(0)} % of the novels it learnt from.`;
}

function contents({ title, author, language, words, chapters, warnings }: Book) {
  const list = chapters.map(({ index, title: heading, words: length }) => ({ index, title: heading, words: length }));
  const lines = list.map(({ index, title: heading, words: length }) => `${index}. ${heading ?? "–"} (${length} words)`);
  return {
    text: [`${title}${author ? ` by ${author}` : ""}, ${words} words`, ...lines].join("\n"),
    data: { title, author, language, words, chapters: list, warnings: [...warnings] },
  };
}

function chapterText({ title, chapters }: Book, wanted: number) {
  const chapter = chapters.find(({ index }) => index === wanted);
  if (!chapter) {
    const known = chapters.map(({ index }) => index).join(", ");
    throw new FabulaError("E_NOT_FOUND", `"${title}" has no chapter ${wanted}: it has ${known}.`);
  }
  return { text: chapter.text, data: { title, chapter: wanted, heading: chapter.title, words: chapter.words } };
}

function passagesWith({ chapters }: Book, query: string) {
  const wanted = query.toLowerCase();
  return chapters.flatMap(({ index, text }) => {
    const lower = text.toLowerCase();
    const places: { chapter: number; start: number; end: number; passage: string }[] = [];
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      const end = at + wanted.length;
      const passage = text.slice(Math.max(0, at - EXCERPT_MARGIN), end + EXCERPT_MARGIN).replace(/\s+/g, " ");
      places.push({ chapter: index, start: at, end, passage });
    }
    return places;
  });
}

/** What the definition does not contain: the tool's name, and the compact result for an assistant. */
interface Tool<Result, Also extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The part of the data that an assistant can rely on. */
  readonly output: z.ZodObject;
  /** Options that affect only the answer, such as the number of rows. */
  readonly also?: Also;
  /** A result may be large and contain paths of this machine, so an assistant gets a compact view of it. */
  answer(result: Result, also: z.output<z.ZodObject<Also>>): { text: string; data: object };
}

interface ToolServices extends Pick<TaskServices, "signal" | "host"> {
  readonly findBook: FindBook;
}

/** Offers a task as a tool. Books are paths in the shared folder, and only options that the task allows can be set. */
function addTaskTool<Result, Also extends z.ZodRawShape = Record<never, never>>(
  server: McpServer,
  task: Task<z.ZodObject, Result>,
  { name, title, description, output, also, answer: compact }: Tool<Result, Also>,
  { findBook, signal, host }: ToolServices,
): void {
  const path = z.string().min(1).describe("path of the book, from the shared folder");
  const own = z.object(also ?? {});
  const inputSchema = wireSchema(task, { book: path, judge: z.string() });
  if (!inputSchema) throw new Error(`the task "${task.name}" needs what an assistant may not give`);
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: { ...inputSchema.shape, ...own.shape },
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (given: Record<string, unknown>, extra) =>
      answer(async () => {
        const sent = Object.fromEntries(Object.entries(given).filter(([key]) => !(key in own.shape)));
        const opened = await openBooks(task, sent, { schema: path, open: findBook });
        const input = checkInput(task, opened, { name, spell: AS_DECLARED });
        const work = await task.load();
        const result = await work(input, {
          signal: AbortSignal.any([signal, extra.signal]),
          onProgress: progressTo(extra),
          onEvent: () => {},
          host,
        });
        return compact(result, own.parse(given) as z.output<z.ZodObject<Also>>);
      }),
  );
}
