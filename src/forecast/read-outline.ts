import { FabulaError } from "../core/errors.ts";
import { parseYaml } from "../core/parse-yaml.ts";
import { countWords } from "../text/words.ts";
import { type Field, forecastInputSchema, type KnownBook } from "./forecast-input.ts";

/** What an outline may say of itself: what the book is, how many will read it, and what its author published before. */
type Part = Field | "expected_ratings" | "earlier_books";

/** What the parts of an outline are headed in practice. */
const HEADINGS: readonly (readonly [Part, RegExp])[] = [
  ["title", /^(working )?title$/],
  ["genres", /^(genres?|shelves|categories|category)$/],
  ["premise", /^(premise|logline|pitch|blurb|hook|concept|back cover)$/],
  ["words", /^(words|word count|length|target length)$/],
  ["plot_summary", /^(plot|plot summary|synopsis|summary|outline|story|the story|plot outline)$/],
  ["characters", /^(characters?|cast|character analysis|main characters|dramatis personae)$/],
  ["expected_ratings", /^((expected )?ratings|number of ratings)$/],
  ["earlier_books", /^(earlier books|earlier books by the author|also by( the author)?|previous books)$/],
];

/** Parts that are said in a line or in a list: what stands behind a blank line is something else. */
const SHORT_PARTS: ReadonlySet<Part> = new Set(["title", "genres", "words", "expected_ratings"]);
/** A list that goes on in the next line. */
const UNFINISHED = /[,;|]\s*$/;
const BULLETED = /^\s*[-*+]\s+(?=.*\p{L})/u;
const SENTENCE = /[.!?…]["”’)]?\s*$/;
/** One to three words and nothing else: an item of a list without bullets. */
const FEW_WORDS = /^\s*\p{L}[\p{L}\p{M}'’&/-]*(?:\s+[\p{L}\p{M}'’&/-]+){0,2}\s*$/u;

/** Premise, plot and characters of the books that the forecast learnt from have at most 1,023 words together. */
const LONGEST_OUTLINE = 1500;

/**
 * Whether a text is short enough for an outline: prose is no plot summary. That a text labels its parts changes nothing, since a
 * story's prose may name its genre too, or head a chapter "The Plot".
 */
export function isOutline(text: string): boolean {
  return countWords(text) <= LONGEST_OUTLINE;
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

/**
 * Reads an outline: YAML front matter, headings ("## Premise"), or lines such as "Genres: Fantasy, Mystery", in any mixture.
 * Text under no heading that is known belongs to the plot summary, as does what follows a title or a list of genres. `labelled` says
 * whether the text itself names a part other than its title, which a book names too.
 */
export function readOutline(source: string, name: string): { book: KnownBook; labelled: boolean } {
  const text = source.replaceAll("\r\n", "\n");
  const head = FRONT_MATTER.exec(text);
  const values: Partial<Record<Part, unknown>> = head ? fromMatter(parseMatter(head[1]!, name)) : {};
  const collected: Partial<Record<Part, string[]>> = {};
  let current: Part = "plot_summary";
  let labelled = false;
  for (const line of text.slice(head?.[0].length ?? 0).split("\n")) {
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const label = heading ? null : /^\s*(?:[-*]\s*)?\**([A-Za-z][A-Za-z ]{2,24}?)\**\s*:\**\s*(.*)$/.exec(line);
    const field = fieldFor(heading?.[2] ?? label?.[1] ?? "");
    if (field) {
      labelled ||= field !== "title";
      current = field;
      collected[field] ??= [];
      if (label?.[2]) {
        collected[field].push(label[2]);
        if (SHORT_PARTS.has(field) && !UNFINISHED.test(label[2])) current = "plot_summary";
      }
    } else if (heading?.[1] === "#" && values.title === undefined && collected.title === undefined) {
      collected.title = [heading[2]!];
      current = "plot_summary";
    } else {
      const text = heading ? heading[2]! : line;
      if (endsPart(current, collected[current] ?? [], text, heading !== null)) {
        current = "plot_summary";
        collected.plot_summary?.push("");
      }
      collected[current] ??= [];
      collected[current]!.push(text);
    }
  }
  for (const [field, lines] of Object.entries(collected) as [Part, string[]][]) {
    const body = lines.join("\n").trim();
    if (body !== "") values[field] ??= asWritten(field, body);
  }
  return { book: forecastInputSchema.parse(values), labelled };
}

/** Whether a text under no heading that is known stands behind a part that was said in a line or in a list. */
function endsPart(part: Part, lines: readonly string[], text: string, isHeading: boolean): boolean {
  const said = lines.filter((line) => line.trim() !== "");
  if (!SHORT_PARTS.has(part) || said.length === 0 || text.trim() === "") return false;
  if (isHeading) return true;
  return lines.at(-1)!.trim() === "" && !(part === "genres" && isNextItem(said, text));
}

/** Items of a list may stand apart from each other by blank lines. */
function isNextItem(items: readonly string[], line: string): boolean {
  if (BULLETED.test(line)) return !SENTENCE.test(line);
  return [...items, line].every((item) => FEW_WORDS.test(item));
}

function parseMatter(source: string, name: string): unknown {
  try {
    return parseYaml(source);
  } catch (cause) {
    throw new FabulaError(
      "E_OUTLINE",
      `The front matter of ${name} is not YAML: correct the text between the --- lines.`,
      {
        cause,
      },
    );
  }
}

function asWritten(field: Part, body: string): unknown {
  switch (field) {
    case "words":
    case "expected_ratings":
      return wordCount(body);
    case "genres":
      return listed(body);
    case "earlier_books":
      return earlierBooks(body.split("\n"));
    default:
      return body;
  }
}

/** Lines such as "The Salt Road: 4.12"; in YAML also titles with their ratings, or whole descriptions. */
function earlierBooks(value: unknown): unknown[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return String(item).split("\n").flatMap(earlierBook);
    if ("average_rating" in item) return [item];
    return Object.entries(item).map(([title, rating]) => ({ title, average_rating: Number(rating) }));
  });
}

/** A line without a rating tells nothing. */
function earlierBook(line: string): { title: string; average_rating: number }[] {
  const [, title = "", rating = ""] = /^\s*(?:[-*]\s+)?(.*?)[\s:–—,(|]+([1-5](?:\.\d+)?)\W*$/.exec(line) ?? [];
  const average = Number(rating);
  return rating === "" || average > 5 ? [] : [{ title: title.trim(), average_rating: average }];
}

function fromMatter(matter: unknown): Partial<Record<Part, unknown>> {
  if (matter === null || typeof matter !== "object" || Array.isArray(matter)) return {};
  const values: Partial<Record<Part, unknown>> = {};
  for (const [key, value] of Object.entries(matter)) {
    const field = fieldFor(key);
    if (!field || value === null) continue;
    if (field === "words" || field === "expected_ratings") {
      values[field] = typeof value === "number" ? value : wordCount(String(value));
    } else if (field === "earlier_books") {
      values[field] = earlierBooks(value);
    } else if (field === "genres") values.genres = Array.isArray(value) ? value.map(String) : listed(String(value));
    else values[field] = field === "characters" ? value : String(value);
  }
  return values;
}

function fieldFor(label: string): Part | null {
  const plain = label
    .toLowerCase()
    .replace(/[_\-*:]+/g, " ")
    .replace(/^\s*(the )?\d*\.?\s*/, "")
    .trim();
  return HEADINGS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
}

/** "110,000 words", "about 90k": null when there is no number in it. */
function wordCount(text: string): number | null {
  const match = /(\d[\d,. ]*)\s*(k\b)?/i.exec(text);
  if (!match) return null;
  const number = Number(match[1]!.replace(/[,. ]+/g, ""));
  return match[2] ? number * 1000 : number;
}

function listed(text: string): string[] {
  return text
    .split(/[,;|\n]/)
    .map((item) => item.replace(/^\s*[-*+]\s*/, "").trim())
    .filter((item) => item !== "");
}
