import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BookEdit, ChapterText } from "../../api/books.ts";
import type { ChapterCorrections } from "../../api/corrections.ts";
import type { Clock } from "../../core/clock.ts";
import { makeFolder } from "../../core/files.ts";
import { CHARACTERS_FILE, libraryId, readCharacters } from "../../tasks/books/open-book.ts";
import type { RevisedBook } from "../../tasks/books/revisions.ts";
import type { CharacterCorrections } from "../../text/corrections/character-and-story.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { type ForClient, runTask } from "../threads/run-task.ts";
import {
  type BookCard,
  type BookContents,
  changeWriterSays,
  describedBook,
  inheritWriterSays,
  newCard,
  originalName,
  readCard,
  readContents,
  readTexts,
  type WriterSays,
  workOf,
  writeBookFiles,
  writeBookYaml,
  writeCard,
} from "./book-files.ts";
import type { FoundChapters } from "./correct-book.ts";
import { writeJsonFile } from "./json-file.ts";

/** From this Jaccard similarity on, two texts are drafts of one book: half of all their shingles are in both. */
const DRAFTS_ALIKE = 0.5;

/** The client that adds the book, and a signal to stop waiting for it. */
export interface AddOptions extends ForClient {
  readonly signal?: AbortSignal;
}

export interface NewBook {
  /** A temporary file with the bytes; it is copied into the library. */
  readonly path: string;
  /** Hash of the bytes. */
  readonly sha256: string;
  /** The name of the uploaded file: for display, and its extension may show the format. */
  readonly name: string;
  readonly title?: string;
}

/**
 * The books of the library: a folder each, named by the hash of the original file, with the original, the texts and the user's
 * changes. Only one server uses a library, so cards are read once and kept in memory.
 */
export class BookLibrary {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #cards: Map<string, BookCard>;

  private constructor(folder: string, clock: Clock, cards: Map<string, BookCard>) {
    this.#folder = folder;
    this.#clock = clock;
    this.#cards = cards;
  }

  static async open(folder: string, clock: Clock): Promise<BookLibrary> {
    await makeFolder(folder, { mode: 0o700 });
    const cards = new Map<string, BookCard>();
    for (const name of await readdir(folder)) {
      // A book that was being added or deleted when the server ended.
      if (name.startsWith(".")) await rm(join(folder, name), { recursive: true, force: true });
      else {
        const card = await readCard(join(folder, name)).catch(() => null);
        if (card?.id === name) cards.set(name, card);
      }
    }
    return new BookLibrary(folder, clock, cards);
  }

  /** Newest first. */
  list(): BookCard[] {
    return [...this.#cards.values()].sort(
      (left, right) => right.addedAt.localeCompare(left.addedAt) || right.id.localeCompare(left.id),
    );
  }

  /** The drafts of every book, the first draft first; the book with the newest draft comes first. */
  works(): BookCard[][] {
    const works = new Map<string, BookCard[]>();
    for (const card of this.list()) works.set(workOf(card), [card, ...(works.get(workOf(card)) ?? [])]);
    return [...works.values()];
  }

  card(id: string): BookCard {
    const card = this.#cards.get(id);
    if (!card) throw notFound("book");
    return card;
  }

  /** Where the book's files are: for worker threads, never for the web app. */
  folderOf(id: string): string {
    return join(this.#folder, checkedId(this.card(id).id, "book"));
  }

  async contents(id: string): Promise<BookContents> {
    const contents = await readContents(this.folderOf(id));
    if (!contents) throw notFound("book");
    return contents;
  }

  async chapter(id: string, index: number): Promise<ChapterText> {
    const chapter = (await this.contents(id)).chapters.find((candidate) => candidate.index === index);
    if (!chapter) throw notFound("chapter");
    const [text = ""] = await readTexts(this.folderOf(id), [chapter]);
    return { index, title: chapter.title, text };
  }

  /** Adds a book. Adding the same file again returns the existing one. */
  async add({ path, sha256, name, title }: NewBook, { signal, ...client }: AddOptions = {}): Promise<BookCard> {
    const id = libraryId(sha256);
    const known = this.#cards.get(id);
    if (known) return known;
    const given = { path, id, name, ...(title !== undefined && { title }) };
    const options = { ...client, ...(signal && { abandon: signal }) };
    const added = await this.#keep(id, (folder, addedAt) =>
      runTask("keep-book", { ...given, folder, addedAt }, options),
    );
    const earlier = this.#earlierDraftOf(added);
    return earlier ? this.setDraftOf(id, earlier.id) : added;
  }

  /** The book that shares the most text with this one, if that is so much that both must be drafts of one book. */
  #earlierDraftOf({ id, signature }: BookCard): BookCard | null {
    const alike = (other: BookCard) =>
      other.signature.filter((value, bin) => value === signature[bin]).length / signature.length;
    const [closest] = this.list()
      .filter((other) => other.id !== id)
      .map((other) => ({ other, alike: alike(other) }))
      .sort((left, right) => right.alike - left.alike);
    return closest && closest.alike >= DRAFTS_ALIKE ? closest.other : null;
  }

  /** Adds a draft that was written in the web app, as the next of its book. */
  async addDraft(of: string, { book, bytes }: RevisedBook): Promise<BookCard> {
    const before = this.card(of);
    const id = libraryId(book.source.sha256);
    const known = this.#cards.get(id);
    if (known) return known;
    const added = await this.#keep(id, async (folder, addedAt) => {
      const card = { ...newCard(book, id, addedAt, describedBook(before)), draftOf: workOf(before) };
      await writeFile(join(folder, originalName(card.format)), bytes, { mode: 0o600 });
      await writeBookFiles(folder, book, card);
      return card;
    });
    await this.#inherit(id, of);
    return added;
  }

  /** The drafts of a book, the first first. */
  drafts(id: string): BookCard[] {
    const work = workOf(this.card(id));
    return this.list()
      .filter((card) => workOf(card) === work)
      .reverse();
  }

  /** Makes a book the next draft of another, with all drafts of its own; null makes it a book of its own again. */
  async setDraftOf(id: string, other: string | null): Promise<BookCard> {
    const work = other === null ? id : workOf(this.card(other));
    const moving = other === null ? [this.card(id)] : this.drafts(id);
    for (const { draftOf: _, ...card } of moving) {
      const now: BookCard = { ...card, ...(work !== card.id && { draftOf: work }) };
      await writeCard(this.folderOf(card.id), now);
      this.#cards.set(card.id, now);
    }
    if (other !== null) await this.#inherit(id, other);
    return this.card(id);
  }

  /** Writes a folder of the library under a hidden name, and renames it when it is complete. */
  async #keep(id: string, write: (folder: string, addedAt: string) => Promise<BookCard>): Promise<BookCard> {
    const unfinished = join(this.#folder, `.${newId(this.#clock.now())}`);
    try {
      await makeFolder(unfinished, { mode: 0o700 });
      const card = await write(unfinished, this.#clock.now().toISOString());
      await rm(join(this.#folder, id), { recursive: true, force: true });
      await rename(unfinished, join(this.#folder, id));
      this.#cards.set(id, card);
      return card;
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
  }

  async edit(id: string, edit: BookEdit): Promise<BookCard> {
    const before = this.card(id);
    const { genres, ...rest } = edit;
    const card = { ...before, edits: { ...before.edits, ...rest, ...(genres && { genres: [...genres] }) } };
    await writeCard(this.folderOf(id), card);
    await writeBookYaml(this.folderOf(id), card);
    this.#cards.set(id, card);
    return card;
  }

  foundChapters(id: string, client: ForClient = {}): Promise<FoundChapters> {
    return runTask("found-chapters", { folder: this.folderOf(id) }, client);
  }

  async correct(id: string, corrections: ChapterCorrections, client: ForClient = {}): Promise<void> {
    const input = { folder: this.folderOf(id), corrections };
    this.#cards.set(id, await runTask("correct-book", input, client));
  }

  /** Stores the writer's corrections to the characters with the book, and in its `book.yaml` for the command line. */
  async correctCharacters(id: string, corrections: CharacterCorrections): Promise<void> {
    const folder = this.folderOf(id);
    await writeJsonFile(join(folder, CHARACTERS_FILE), corrections);
    await writeBookYaml(folder, this.card(id));
  }

  /** Changes what the writer said about findings and the story; it is stored with the book and given to the next reading. */
  async writerSays(id: string, change: (said: WriterSays) => WriterSays): Promise<void> {
    const folder = this.folderOf(id);
    await changeWriterSays(folder, change);
    await writeBookYaml(folder, this.card(id));
  }

  /** Corrections and marks of one draft also hold for the next, until they are changed there. */
  async #inherit(id: string, from: string): Promise<void> {
    // The chapters first: facts refer to them by their numbers.
    await this.#inheritCorrections(id, from);
    await inheritWriterSays(this.folderOf(from), this.folderOf(id));
    await writeBookYaml(this.folderOf(id), this.card(id));
    if ((await readCharacters(this.folderOf(id))) !== null) return;
    const inherited = await readCharacters(this.folderOf(from));
    if (inherited !== null) await this.correctCharacters(id, inherited);
  }

  /** The corrections to the chapters apply where the new draft has the same text. */
  async #inheritCorrections(id: string, from: string): Promise<void> {
    if (this.card(id).corrections.length > 0 || this.card(from).corrections.length === 0) return;
    const input = { folder: this.folderOf(id), from: this.folderOf(from) };
    this.#cards.set(id, await runTask("inherit-corrections", input, {}));
  }

  async delete(id: string): Promise<void> {
    const folder = this.folderOf(id);
    this.#cards.delete(id);
    // Renamed first: the book is gone at once, even if deleting its files fails.
    const gone = join(this.#folder, `.${newId(this.#clock.now())}`);
    await rename(folder, gone);
    await rm(gone, { recursive: true, force: true });
  }
}
