import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { lineNotes, mapManuscript, readBook } from "../../library/manuscript.ts";
import { forecastRating } from "../../library/readers.ts";
import type { Book } from "../../text/book.ts";
import { describeMap } from "../output/map-wording.ts";
import type { FindBook } from "./book-folder.ts";
import { answer } from "./tool-result.ts";

const file = z.string().min(1).describe("path of the book, from the shared folder");
const READ_ONLY = { readOnlyHint: true, openWorldHint: false };
const AROUND = 120;

/** Tools that read, count and search: nothing leaves the machine. */
export function addBookTools(server: McpServer, findBook: FindBook): void {
  server.registerTool(
    "read_book",
    {
      title: "Read a book",
      description: "Title, language and chapters of a book file, or the whole text of one chapter.",
      inputSchema: { file, chapter: z.number().int().positive().optional().describe("give the text of this chapter") },
      annotations: READ_ONLY,
    },
    ({ file: given, chapter }) =>
      answer(async () => {
        const book = await readBook(await findBook(given));
        return chapter === undefined ? contents(book) : chapterText(book, chapter);
      }),
  );
  server.registerTool(
    "search_book",
    {
      title: "Search a book",
      description: "Every place where the given words occur in a book, with the chapter and the text around them.",
      inputSchema: {
        file,
        query: z.string().min(2).describe("the words to find, as the book has them; capitals do not matter"),
        limit: z.number().int().positive().max(100).default(20),
      },
      annotations: READ_ONLY,
    },
    ({ file: given, query, limit }) =>
      answer(async () => {
        const found = passagesWith(await readBook(await findBook(given)), query);
        const shown = found.slice(0, limit);
        const lines = shown.map(({ chapter, passage }) => `Chapter ${chapter}: …${passage}…`);
        return {
          text: [
            `${found.length} ${found.length === 1 ? "place" : "places"}${found.length > limit ? `, the first ${limit}` : ""}`,
            ...lines,
          ].join("\n"),
          data: { total: found.length, passages: shown },
        };
      }),
  );
  server.registerTool(
    "map_manuscript",
    {
      title: "Map a manuscript",
      description: "What can be counted in a book, beside published novels: dialogue, sentences, pace, characters.",
      inputSchema: { file },
      annotations: READ_ONLY,
    },
    ({ file: given }) =>
      answer(async () => {
        const map = await mapManuscript(await findBook(given));
        const { schema, fabula, book, reference, figures } = map;
        return { text: describeMap(map).join("\n"), data: { schema, fabula, book, reference, figures } };
      }),
  );
  server.registerTool(
    "line_notes",
    {
      title: "Line notes",
      description: "The sentences a professional editor would most likely change, with the likeliest kind of change.",
      inputSchema: { file, top: z.number().int().positive().max(200).default(20) },
      annotations: READ_ONLY,
    },
    ({ file: given, top }) =>
      answer(async () => {
        const { title, sentences, notes, unscored } = await lineNotes(await findBook(given));
        const likeliest = [...notes].sort((left, right) => right.change - left.change).slice(0, top);
        const lines = likeliest.map(
          ({ chapter, change, why, sentence }) =>
            `${Math.round(100 * change)}% · chapter ${chapter}${why === null ? "" : ` · ${why}`} · ${sentence}`,
        );
        const text = unscored === null ? lines.join("\n") : `No line notes: ${unscored}.`;
        return { text, data: { title, sentences, notes: likeliest, unscored } };
      }),
  );
  server.registerTool(
    "forecast_rating",
    {
      title: "Forecast a rating",
      description: "How readers would rate a book or an outline on average, from 1 to 5, with an interval and reasons.",
      inputSchema: { file },
      annotations: READ_ONLY,
    },
    ({ file: given }) =>
      answer(async () => {
        const forecast = await forecastRating(await findBook(given));
        if (forecast.kind === "unscored") return { text: `No forecast: ${forecast.reason}.`, data: forecast };
        const { rating, interval, percentile } = forecast;
        const [low, high] = interval.map((end) => end.toFixed(2));
        return {
          text: `Expected average rating ${rating.toFixed(2)} out of 5, nine in ten such books between ${low} and ${high}; above ${percentile.toFixed(0)} % of the novels it learnt from.`,
          data: forecast,
        };
      }),
  );
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
      const passage = text.slice(Math.max(0, at - AROUND), end + AROUND).replace(/\s+/g, " ");
      places.push({ chapter: index, start: at, end, passage });
    }
    return places;
  });
}
