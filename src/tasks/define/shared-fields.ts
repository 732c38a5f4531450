import { z } from "zod";
import type { Rubric } from "../../criteria/rubric.ts";
import type { ChapterCorrections } from "../../text/corrections/chapter-corrections.ts";
import { characterCorrectionsSchema } from "../../text/corrections/character-and-story.ts";
import type { ReadOptions } from "../../text/read-book.ts";
import { bookInput } from "./book-input.ts";
import { field, withNotes } from "./field.ts";

/** Options that several tasks share. Each is declared here once. */

/** An object without what is undefined in it: an option that was not given is left out, not handed on as undefined. */
export function defined<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

export const book = field(bookInput, "the book", { operand: "FILE", remote: (far) => far.book, type: "BookInput" });

export const books = field(z.array(bookInput).min(1), "the books", {
  operand: "FILE...",
  remote: (far) => z.array(far.book).min(1),
  type: "readonly BookInput[]",
});

/** Those of `src/text/formats/recognise-format.ts`. */
const FORMATS = [
  "text",
  "markdown",
  "html",
  "epub",
  "docx",
  "novelwriter",
  "odt",
  "rtf",
  "fb2",
  "mobi",
  "pdf",
  "json",
] as const;

const ABOUT_BOOKS = {
  title: field(z.string().exactOptional(), "the book's title [from book.yaml or the file]", { value: "TEXT" }),
  author: field(z.string().exactOptional(), "the author [from book.yaml or the file]", { value: "NAME" }),
  language: field(
    z
      .string()
      .regex(/^[a-z]{2}$/i, "{this} takes a two-letter code, such as en or zh.")
      .exactOptional(),
    "the language's two-letter code [recognised from the text]",
    { value: "CODE" },
  ),
  genres: field(z.array(z.string()).exactOptional(), "its genres", {
    value: "A,B",
    help: "genres, separated by commas",
  }),
  premise: field(z.string().exactOptional(), "the book's premise", { value: "TEXT" }),
  format: field(z.enum(FORMATS).exactOptional(), "the format, when the file name does not show it", { value: "NAME" }),
};

/** For a command with a flag for them: the same corrections to characters, or a file of them. */
export const characterCorrections = field(
  z.union([z.string(), characterCorrectionsSchema]).exactOptional(),
  "corrections to the characters that are found, or the path of a JSON file with them: names to merge, split, rename or drop",
  {
    flag: "corrections",
    value: "FILE",
    help: "JSON with characters to merge, split, rename or drop",
    remote: () => characterCorrectionsSchema,
    type: "string | CharacterCorrections",
  },
);

/** How a book is read. A command has flags for those that are named; programs can give all of them. */
export function bookFields(...flags: readonly (keyof typeof ABOUT_BOOKS)[]) {
  const chosen = withNotes(ABOUT_BOOKS, { onlyPrograms: true });
  for (const flag of flags) Object.assign(chosen, { [flag]: ABOUT_BOOKS[flag] });
  const { format, ...metadata } = withNotes(chosen, { remote: true });
  return {
    metadata: z.strictObject(metadata).exactOptional(),
    format,
    corrections: field(
      z.custom<ChapterCorrections>(Array.isArray, "give a list of corrections").exactOptional(),
      "corrections to the chapters that are found",
      { onlyPrograms: true, type: "ChapterCorrections" },
    ),
    characterCorrections: field(
      characterCorrectionsSchema.exactOptional(),
      "corrections to the characters that are found: names to merge, split, rename or drop",
      { onlyPrograms: true, remote: true, type: "CharacterCorrections" },
    ),
  };
}

type TaskReadOptions = Pick<ReadOptions, "metadata" | "format" | "corrections" | "characterCorrections">;

/** How a book is read, out of all that a task was given. */
export function bookReadOptions({
  metadata,
  format,
  corrections,
  characterCorrections,
}: TaskReadOptions): TaskReadOptions {
  return defined({ metadata, format, corrections, characterCorrections });
}

const SHIPPED_RUBRIC = z
  .string()
  .regex(/^[a-z][a-z-]*$/, "{this} is the name of a rubric that ships with Fabula, such as long-story.");

/** The aspects that are judged: a rubric by its name, by the path of its file, or as `loadRubric` returned it. */
export function rubric(standard: string, description: string) {
  const loaded = z.custom<Rubric>((value) => typeof value === "object" && value !== null && "criteria" in value);
  return field(z.union([z.string(), loaded]).default(standard), description, {
    value: "NAME|FILE",
    remote: () => SHIPPED_RUBRIC,
    type: "string | Rubric",
  });
}

/** Novels of a writer's own choice, instead of those that ship with Fabula. */
export const reference = field(
  z.string().exactOptional(),
  "compare the figures with these novels, as `fabula population build NOVEL...` wrote them, instead of the 80 public-domain novels that ship with Fabula",
  { value: "FILE" },
);

export function seed(description = "the random seed") {
  return field(z.number().int().default(1), description, { value: "N", remote: true });
}

/** Many texts in place of one book: a file of JSON lines in, one line for each of them out. */
export function linesIn(what: string) {
  return field(z.string(), `${what}: JSONL of {"id","text"}; - is standard input`, { value: "FILE" });
}

export const linesOut = field(z.string().default("-"), "JSONL to write to, - for standard output", { value: "FILE" });
