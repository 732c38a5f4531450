import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ChapterRecheck, RevisionRequest } from "../../api/drafts.ts";
import { FabulaError } from "../../core/errors.ts";
import type { DraftChanges, FoundChanges } from "../../judge/drafts/change-schema.ts";
import { readManuscript } from "../../prose/map/book-prose.ts";
import { type Scene, scenesOf } from "../../prose/shape/scenes.ts";
import { juryChanges } from "../../tasks/books/drafts/jury-draft.ts";
import { evaluateWithJury } from "../../tasks/books/evaluate-book.ts";
import { findingChanges, type IdentifiedNotes, identifiedNotes, letterSource } from "../../tasks/books/letter.ts";
import { type BookMap, bookMap } from "../../tasks/books/map-book.ts";
import { readCharacters } from "../../tasks/books/open-book.ts";
import { recheckChapter } from "../../tasks/books/revisions.ts";
import type { Book } from "../../text/book.ts";
import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { readStoredBook, readWriterSays, storyCorrectionsFrom } from "./book-files.ts";

export async function noteStoredBook({
  folder,
  which,
}: {
  readonly folder: string;
  readonly which: "few" | "all";
}): Promise<IdentifiedNotes> {
  return identifiedNotes(await bookIn(folder), which);
}

export async function mapStoredBook({ folder }: { readonly folder: string }): Promise<BookMap> {
  return bookMap(await bookIn(folder));
}

export async function scenesInStoredBook({ folder }: { readonly folder: string }): Promise<Scene[]> {
  const { chapters, characterCorrections, language } = await bookIn(folder);
  return scenesOf(readManuscript(chapters, characterCorrections), language);
}

export async function correctionsIn(folder: string): Promise<CharacterCorrections> {
  return (await readCharacters(folder)) ?? NO_CORRECTIONS;
}

export async function compareStoredDrafts(drafts: {
  readonly before: string;
  readonly after: string;
}): Promise<DraftChanges> {
  const judged = async (folder: string) => {
    const book = await bookIn(folder);
    return { book, evaluation: await evaluateWithJury(book, { letter: false }) };
  };
  const [before, after] = [await judged(drafts.before), await judged(drafts.after)];
  return juryChanges(before, after);
}

/** A chapter of a book with what the writer has rewritten so far. */
export async function recheckStoredChapter({
  folder,
  revisions,
  chapter,
}: RevisionRequest & { readonly folder: string; readonly chapter: number }): Promise<ChapterRecheck> {
  const state = await stateOf(folder);
  if (underRevision?.state !== state) underRevision = { state, book: await bookIn(folder) };
  return recheckChapter(underRevision.book, revisions, chapter);
}

/** The book that is being rewritten: it is rechecked after every pause in typing, and read from its files only once. */
let underRevision: { readonly state: string; readonly book: Book } | null = null;

async function stateOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(names.map((name) => stat(join(folder, name))));
  return JSON.stringify([folder, files.map(({ mtimeMs, size }, at) => [names[at], mtimeMs, size])]);
}

/** How the counted findings of one draft changed in the next. */
export async function compareStoredFindings(drafts: {
  readonly before: string;
  readonly after: string;
}): Promise<FoundChanges> {
  const counted = async (folder: string) => letterSource(await bookIn(folder)).counted;
  return findingChanges(await counted(drafts.before), await counted(drafts.after));
}

/** A book of the library, with the writer's corrections to its characters and its story. */
export async function bookIn(folder: string): Promise<Book> {
  const book = await readStoredBook(folder);
  if (!book) throw new FabulaError("E_NOT_FOUND", "The book is no longer in the library: add it again.");
  const storyCorrections = storyCorrectionsFrom(await readWriterSays(folder));
  return { ...book, characterCorrections: await correctionsIn(folder), ...(storyCorrections && { storyCorrections }) };
}
