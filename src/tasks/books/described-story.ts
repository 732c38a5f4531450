import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { isOutline, readOutline } from "../../forecast/read-outline.ts";
import type { StoryDetails } from "../../judge/subjects.ts";
import { STARS } from "../../reader/predictor/personal-model.ts";
import { hasContent, type Story, storySchema } from "../../reader/predictor/story.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";

/**
 * Reads a story from a JSON file (title, genres, premise, plot_summary, characters), from an outline in plain text,
 * or from a book, of which it uses only the metadata and description.
 */
export async function readStoryFile(path: string): Promise<Story> {
  if (BOOKS.has(extname(path).toLowerCase())) return described(bookStory(await readBook(path)), path);
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${path}" could not be read: check the path.`, { cause });
  }
  const isJson = path.toLowerCase().endsWith(".json");
  const written = isJson ? parsed(source, path) : plain(source, path);
  if (written === null) return described(bookStory(await readBook(path)), path);
  if (Number(written.average_rating) > STARS.maximum) {
    throw new FabulaError(
      "E_RATING_SCALE",
      `"${path}": the average_rating ${written.average_rating} is more than five stars: give it on a scale from 1 to 5.`,
    );
  }
  return described(storySchema.parse(written), path);
}

/** A story from an outline that somebody wrote or pasted; refuses the prose of a whole book. */
export function storyFromOutline(source: string, name: string): Story {
  const written = plain(source, name);
  if (written === null) {
    throw new FabulaError(
      "E_STORY_EMPTY",
      `"${name}" is too long for an outline: tell the plot in up to 1,500 words; the prose of a whole book is not used.`,
    );
  }
  return described(storySchema.parse(written), name);
}

/** Formats that hold whole books and never a plot in plain words. */
const BOOKS: ReadonlySet<string> = new Set([".epub", ".docx", ".pdf"]);

function described(story: Story, path: string): Story {
  if (hasContent(story)) return story;
  throw new FabulaError(
    "E_STORY_EMPTY",
    `"${path}" describes no story: give JSON with plot_summary, premise, characters or genres, or a text of up to 1,500 words that tells the plot; the prose of a whole book is not used.`,
  );
}

/** The story of an outline that labels its parts ("Premise: …", "## Plot"); null for any other text, which is a book. */
export async function labelledOutline(path: string): Promise<Story | null> {
  const source = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  const { book, labelled } = readOutline(source, path);
  const story = labelled && isOutline(source) ? storySchema.parse(book) : null;
  return story !== null && hasContent(story) ? story : null;
}

type Written = Readonly<Record<string, unknown>>;

function parsed(source: string, path: string): Written {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "object" && value !== null ? (value as Written) : {};
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${path}" is not JSON: correct it, or give the plot as plain text.`, {
      cause,
    });
  }
}

/** Reads an outline as `fabula forecast` does; null for a whole book, whose prose is no plot summary. */
function plain(source: string, path: string): Written | null {
  return isOutline(source) ? readOutline(source.replace(/^\uFEFF/, ""), path).book : null;
}

/** A book as the personal predictor sees stories: its description, not its text. */
export function bookStory(book: Pick<Book, "title" | "genres" | "premise" | "words">, details?: StoryDetails): Story {
  return {
    title: book.title,
    genres: [...book.genres],
    premise: book.premise ?? undefined,
    words: book.words,
    plot_summary: details?.plot ?? undefined,
    characters: details?.characters ?? undefined,
  };
}

/** Adds the details the user gave to a story; those left out stay unchanged. */
export function withGivenDetails(story: Story, details: Partial<Story>): Story {
  const given = Object.entries(details).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { ...story, ...Object.fromEntries(given) };
}

/** Details that are missing and would make the prediction more certain. */
export function missingFrom(story: Story): string[] {
  return [
    ...(story.genres.length === 0 ? ["genres"] : []),
    ...(story.premise ? [] : ["premise"]),
    ...(story.plot_summary ? [] : ["plot summary"]),
    ...(story.characters ? [] : ["characters"]),
  ];
}
