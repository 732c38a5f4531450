import { open } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { FINDING_MARKS } from "../../api/letters.ts";
import { writeWholeFile } from "../../core/files.ts";
import { withChapters } from "../../judge/letter/corrected-story.ts";
import { readCharacters } from "../../tasks/books/open-book.ts";
import type { Book } from "../../text/book.ts";
import { chapterCorrectionsSchema, chapterFinder } from "../../text/corrections/chapter-corrections.ts";
import type { StoryCorrections } from "../../text/corrections/character-and-story.ts";
import { FORMATS } from "../../text/formats/recognise-format.ts";
import { signatureOf } from "../../text/near-duplicates.ts";
import { changeJsonFile, readJsonFile, writeJsonFile } from "./json-file.ts";

const markSchema = z.object({
  /** Null if it was marked once and is open again. */
  mark: z.enum(FINDING_MARKS).nullable(),
  why: z.string().optional(),
  /** Words of its first passage: another reading may find the same under another id. */
  passage: z.string().optional(),
  /** It was marked done in the previous draft. If it is found again, it is still there. */
  wasDone: z.literal(true).optional(),
});
const saidSchema = z.object({
  findings: z.record(z.string(), markSchema).default({}),
  facts: z.array(z.string()).default([]),
});
export type WriterSays = z.infer<typeof saidSchema>;

const FILE = "story.json";
const NOTHING_SAID: WriterSays = { findings: {}, facts: [] };

/** What the writer said about the findings and the story, in the folder of a book of the library. */
export async function readWriterSays(folder: string): Promise<WriterSays> {
  return (await readJsonFile(join(folder, FILE), saidSchema)) ?? NOTHING_SAID;
}

export function changeWriterSays(folder: string, change: (said: WriterSays) => WriterSays): Promise<void> {
  return changeJsonFile(join(folder, FILE), saidSchema, (said) => change(said ?? NOTHING_SAID));
}

/**
 * Carries the writer's marks to the next draft. A finding that was intended stays intended. One that was done is open again: if
 * the new draft has it, it was not fixed. Facts about a chapter follow it to its new number.
 */
export async function inheritWriterSays(from: string, to: string): Promise<void> {
  const [kept, own] = await Promise.all([from, to].map((folder) => readJsonFile(join(folder, FILE), saidSchema)));
  if (!kept || own) return;
  const findings = Object.fromEntries(
    Object.entries(kept.findings).map(([id, said]) => [
      id,
      said.mark === "done" ? { ...said, mark: null, wasDone: true as const } : said,
    ]),
  );
  const [before, after] = await Promise.all([from, to].map(readStoredBook));
  const finder = chapterFinder(before?.chapters ?? [], after?.chapters ?? []);
  const facts = withChapters(kept.facts, (chapter) => finder(chapter)?.index ?? null);
  await writeJsonFile(join(to, FILE), { findings, facts } satisfies WriterSays);
}

/** The corrections for a model's reading; null if there are none. */
export function storyCorrectionsFrom({ findings, facts }: WriterSays): StoryCorrections | null {
  const intended = Object.entries(findings)
    .filter(([, { mark }]) => mark === "intended")
    .map(([finding, { why, passage }]) => ({ finding, ...(passage && { passage }), ...(why && { why }) }));
  return intended.length + facts.length === 0 ? null : { intended, facts: [...facts] };
}

/** What the library knows about a book without opening it: little enough to read a shelf of a thousand at once. */
export const bookCardSchema = z.object({
  id: z.string(),
  addedAt: z.string(),
  /** The name of the uploaded file: for display, never used as a path. */
  file: z.string(),
  format: z.string(),
  encoding: z.string(),
  bytes: z.number().int(),
  words: z.number().int(),
  chapters: z.number().int(),
  /** The book whose later draft this is, by the id of its first draft; absent for a first draft. */
  draftOf: z.string().optional(),
  /** MinHash of its text, by which drafts of one book are recognised. */
  signature: z.array(z.number()),
  /** As the file states it. */
  found: z.object({
    title: z.string(),
    author: z.string().nullable(),
    language: z.string().nullable(),
    genres: z.array(z.string()),
    premise: z.string().nullable(),
  }),
  /** The user's changes, which win over the file. */
  edits: z.object({
    title: z.string().optional(),
    author: z.string().nullable().optional(),
    language: z.string().nullable().optional(),
    genres: z.array(z.string()).optional(),
    premise: z.string().nullable().optional(),
  }),
  /** The user's corrections to the chapters found in the file. */
  corrections: chapterCorrectionsSchema.default([]),
});
export type BookCard = z.infer<typeof bookCardSchema>;

/** The card of a book that is added to the library; `known` is what is known about it, by the book itself or an earlier draft. */
export function newCard(book: Book, id: string, addedAt: string, known: Pick<Book, keyof BookCard["found"]>): BookCard {
  const { file, format, encoding, bytes } = book.source;
  const { title, author, language, genres, premise } = known;
  return {
    ...{ id, addedAt, file, format, encoding, bytes, words: book.words, chapters: book.chapters.length },
    signature: [...signatureOf(book.chapters.map(({ text }) => text).join("\n"))],
    found: { title, author, language, genres: [...genres], premise },
    ...{ edits: {}, corrections: [] },
  };
}

const contentsSchema = z.object({
  chapters: z.array(
    z.object({
      index: z.number().int(),
      title: z.string().nullable(),
      words: z.number().int(),
      part: z.string().nullable(),
      length: z.number().int(),
      paragraphs: z.number().int(),
      /** Byte offset of its text in the file of all texts. */
      at: z.number().int(),
      bytes: z.number().int(),
    }),
  ),
  removed: z.array(z.object({ rule: z.string(), where: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
  source: z.object({ sha256: z.string(), pages: z.record(z.string(), z.number()).optional() }),
});
export type BookContents = z.infer<typeof contentsSchema>;

const CARD = "card.json";
const CONTENTS = "contents.json";
const TEXTS = "texts.utf8";
/** A scanned book may lose thousands of page numbers; the web app shows the first ones. */
const REMOVALS_KEPT = 1000;

/** Stores a parsed book so that a chapter can be read without the others or parsing again. The card is written last. */
export async function writeBookFiles(folder: string, book: Book, card: BookCard): Promise<void> {
  const texts: Uint8Array[] = [];
  let at = 0;
  const chapters = book.chapters.map(({ index, title, words, part, text }) => {
    const encoded = Buffer.from(text, "utf8");
    texts.push(encoded);
    const place = { at, bytes: encoded.length };
    at += encoded.length;
    return { index, title, words, part: part ?? null, length: text.length, paragraphs: paragraphsOf(text), ...place };
  });
  const { sha256, pages } = book.source;
  const contents: BookContents = {
    chapters,
    removed: book.removed.slice(0, REMOVALS_KEPT),
    warnings: [...book.warnings],
    source: { sha256, ...(pages && { pages }) },
  };
  await writeWholeFile(join(folder, TEXTS), Buffer.concat(texts));
  await writeJsonFile(join(folder, CONTENTS), contents);
  await writeBookYaml(folder, card);
  await writeCard(folder, card);
}

export function writeCard(folder: string, card: BookCard): Promise<void> {
  return writeJsonFile(join(folder, CARD), card);
}

/** Writes the `book.yaml` that `fabula evaluate` reads beside the original, so that both see the same book. */
export async function writeBookYaml(folder: string, card: BookCard): Promise<void> {
  const facts = Object.entries(describedBook(card)).filter(([, value]) => value !== null);
  const chapters = card.corrections.length > 0 ? { chapters: card.corrections } : {};
  const corrected = await readCharacters(folder);
  const characters = corrected === null ? {} : { characters: corrected };
  const said = storyCorrectionsFrom(await readWriterSays(folder));
  const story = said === null ? {} : { story: said };
  await writeWholeFile(
    join(folder, "book.yaml"),
    stringify({ ...Object.fromEntries(facts), ...chapters, ...characters, ...story }),
  );
}

export function readCard(folder: string): Promise<BookCard | null> {
  return readJsonFile(join(folder, CARD), bookCardSchema);
}

export function readContents(folder: string): Promise<BookContents | null> {
  return readJsonFile(join(folder, CONTENTS), contentsSchema);
}

export async function readTexts(
  folder: string,
  chapters: readonly Pick<BookContents["chapters"][number], "at" | "bytes">[],
): Promise<string[]> {
  const file = await open(join(folder, TEXTS), "r");
  try {
    const texts: string[] = [];
    for (const { at, bytes } of chapters) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
      texts.push(buffer.toString("utf8", 0, bytesRead));
    }
    return texts;
  } finally {
    await file.close();
  }
}

/** The whole book as `readBook` returned it, with the user's changes. */
export async function readStoredBook(folder: string): Promise<Book | null> {
  const [card, contents] = await Promise.all([readCard(folder), readContents(folder)]);
  if (!card || !contents) return null;
  const texts = await readTexts(folder, contents.chapters);
  const { file, format, encoding, bytes, words } = card;
  const { sha256, pages } = contents.source;
  return {
    ...describedBook(card),
    words,
    chapters: contents.chapters.map(({ index, title, words, part }, position) => ({
      index,
      title,
      words,
      text: texts[position] ?? "",
      ...(part !== null && { part }),
    })),
    removed: contents.removed,
    warnings: contents.warnings,
    source: { file, format, encoding, bytes, sha256, ...(pages && { pages }) },
  };
}

export function describedBook({ found, edits }: BookCard): BookCard["found"] {
  const given = Object.fromEntries(Object.entries(edits).filter(([, value]) => value !== undefined));
  return { ...found, ...given };
}

/** The name under which the library keeps the original file; its extension shows the format. */
export function originalName(format: string): string {
  const extension = FORMATS.find(({ name }) => name === format)?.extensions[0] ?? "bin";
  return `original.${extension}`;
}

/** All drafts of a book share the id of the first. */
export function workOf({ id, draftOf }: BookCard): string {
  return draftOf ?? id;
}

function paragraphsOf(text: string): number {
  return text.split(/\n{2,}/).length;
}
