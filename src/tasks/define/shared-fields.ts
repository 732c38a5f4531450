import { z } from "zod";
import type { Rubric } from "../../criteria/rubric.ts";
import { DEPTHS } from "../../judge/methods/method.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import type { Book } from "../../text/book.ts";
import type { ChapterCorrections } from "../../text/corrections/chapter-corrections.ts";
import { characterCorrectionsSchema } from "../../text/corrections/character-and-story.ts";
import type { ReadOptions } from "../../text/read-book.ts";
import { type FieldGroup, field, type Host, type TaskServices, withNotes } from "./task.ts";

/** Options that several tasks share, each declared once. */

/**
 * Drops properties that are undefined, so that an option that was not given is left out and not passed on as
 * undefined.
 */
export function defined<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/**
 * What every task accepts as a book: the path of a file or folder, bytes, text, or a book that was already read. A
 * string is always a path; text is wrapped, so that the two cannot be confused.
 */
export type BookInput =
  | string
  | Uint8Array
  | { readonly bytes: Uint8Array; readonly name?: string }
  | { readonly text: string; readonly name?: string }
  | Book;

export const NOT_A_BOOK =
  "A book is a path, bytes, { text }, { bytes, name } or what `readBook` returned: give one of these.";

export const bookInput = z.custom<BookInput>(isBookInput, NOT_A_BOOK);

/** Distinguishes a book from a description of a story, which has no text. */
export function isBookInput(value: unknown): value is BookInput {
  if (typeof value === "string" || value instanceof Uint8Array) return true;
  if (typeof value !== "object" || value === null) return false;
  return "chapters" in value || "text" in value || "bytes" in value;
}

/** What a task accepts as a text that is not a book, such as a rubric: the path of a file, or the text itself. */
export const textInput = z.strictObject({ text: z.string(), name: z.string().exactOptional() });
export type TextInput = string | z.output<typeof textInput>;
export const TEXT_INPUT = "string | { readonly text: string; readonly name?: string }";

export const book = field(bookInput, "the book", { operand: "FILE", remote: (far) => far.book, type: "BookInput" });

export const books = field(z.array(bookInput).min(1), "the books", {
  operand: "FILE...",
  remote: (far) => z.array(far.book).min(1),
  type: "readonly BookInput[]",
});

/** The formats of `src/text/formats/recognise-format.ts`. */
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

/** For a command with a flag for them: corrections to characters, or a file of them. */
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

/** Options for reading a book. Programs can give all of them; a command has flags for those named here. */
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

/** Picks the options for reading a book from a task's input. */
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

/** The aspects to judge: a rubric by its name, by the path of its file, or as returned by `loadRubric`. */
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

/** Many texts instead of one book: reads a file of JSON lines and writes one line for each. */
export function linesIn(what: string) {
  return field(z.string(), `${what}: JSONL of {"id","text"}; - is standard input`, { value: "FILE" });
}

export const linesOut = field(z.string().default("-"), "JSONL to write to, - for standard output", { value: "FILE" });

/**
 * Options of tasks that ask a language model. Remote callers cannot give any of them: they concern keys, addresses
 * and money.
 */

export const ownModel = z.custom<ChatModel>(
  (value) => typeof value === "object" && value !== null && "complete" in value,
);

export const reader = field(
  z.union([z.string(), ownModel]),
  "the language model that reads: openai:MODEL, anthropic:MODEL, ollama:MODEL, local, MODEL@http://host/v1, command:PROGRAM",
  { value: "NAME", type: "string | ChatModel" },
);

/** Options of a close reading. */
export const closeReading = {
  depth: field(
    z.enum(DEPTHS).default("quick"),
    "how closely the story is read: full also reads every chapter alone, at about twice the price",
    { value: "NAME" },
  ),
  context: field(
    z.number().int().min(2000).exactOptional(),
    "the model's context length in tokens, if Fabula does not know it or is wrong",
    { value: "TOKENS" },
  ),
  temperature: field(z.number().min(0).max(2).default(0.7), "the model's temperature", { value: "T" }),
};

/** For tasks that work without a model, but find more with one. */
export const optionalReader = field(
  z.union([z.string(), ownModel]).exactOptional(),
  "have this language model read as well, which costs money: openai:MODEL, anthropic:MODEL, MODEL@http://host/v1",
  { value: "NAME", type: "string | ChatModel" },
);

export const WITH_READER: FieldGroup = {
  title: "With a language model",
  refused: {
    unless: ({ judge }: { readonly judge?: unknown }) => judge !== undefined,
    sentence: "{this} goes with {judge}: without a model nothing is sent and nothing is spent.",
  },
};

export const spending = {
  maxCost: field(z.number().min(0).exactOptional(), "hard limit on the cost of the whole run", {
    value: "USD",
  }),
  dryRun: field(z.boolean().default(false), "print the planned calls, tokens and cost; send nothing"),
  refresh: field(z.boolean().default(false), "ask again even when the store has the answer"),
  batch: field(
    z.boolean().default(false),
    "submit calls to the provider's batch API: about half the price, hours instead of seconds",
  ),
  concurrency: field(
    z.number().int().min(1).max(1000).exactOptional(),
    "concurrent calls; adapts to the provider when not given",
    { value: "N" },
  ),
  requestsPerMinute: field(z.number().min(1).exactOptional(), "never send more requests than this", { value: "N" }),
  tokensPerMinute: field(z.number().min(1).exactOptional(), "never send more tokens than this", { value: "N" }),
  store: field(z.string().exactOptional(), "where calls are kept: a file, or postgres://…", {
    value: "STORE",
    help: "where calls are kept: a file, or postgres://… (FABULA_STORE; else a file in the user's data folder)",
  }),
  prices: field(z.string().exactOptional(), "your own price table", {
    value: "FILE",
    help: "your own price table (FABULA_PRICES)",
  }),
  resume: field(z.string().exactOptional(), "resume a run; `fabula runs resume RUN` does it for you", {
    value: "RUN",
  }),
};

type Spending = z.output<z.ZodObject<typeof spending>>;

/** The input of a task that reads a book closely, besides the book. */
export type CloseInput = Spending &
  z.output<z.ZodObject<typeof closeReading>> & { readonly judge: z.output<typeof reader> };

/** The settings of a task's run. Keys come from the host, and so does the store unless the input names one. */
export function runSettingsOf(input: Spending, host: Host): RunSettings {
  const { dryRun, refresh, batch, concurrency, requestsPerMinute, tokensPerMinute, resume } = input;
  return {
    store: input.store ?? host.store,
    connections: host.connections,
    dryRun,
    refresh,
    batch,
    ...defined({ command: host.command, folder: host.folder, prices: input.prices ?? host.prices, resume }),
    ...defined({ maximumCost: input.maxCost, concurrency, requestsPerMinute, tokensPerMinute }),
  };
}

/** What a task's run needs besides its settings. */
export function runServicesOf({ signal, onEvent, byHand }: TaskServices): RunServices {
  return { signal, onEvent, ...(byHand && { byHand }) };
}
