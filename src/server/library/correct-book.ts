import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BookCorrections } from "../../api/corrections.ts";
import { FabulaError } from "../../core/errors.ts";
import { type ChapterCorrections, carriedCorrections } from "../../text/corrections/chapter-corrections.ts";
import { parseBookBytes } from "../../text/parse-book.ts";
import { notFound } from "../ids.ts";
import { type BookCard, originalName, readCard, writeBookFiles } from "./book-files.ts";

export type FoundChapters = Pick<BookCorrections, "found" | "strategies">;

export interface CorrectBookInput {
  readonly folder: string;
  readonly corrections: ChapterCorrections;
}

export interface InheritCorrectionsInput {
  readonly folder: string;
  /** The folder of the previous draft. */
  readonly from: string;
}

/**
 * Reads the original again, corrects its chapters and keeps both the result and the corrections: every later evaluation sees
 * the corrected book, here and on the command line, where `book.yaml` carries them.
 */
export async function correctBook({ folder, corrections }: CorrectBookInput): Promise<BookCard> {
  const { card, book } = await readOriginal(folder, corrections);
  const corrected = { ...card, corrections: [...corrections], words: book.words, chapters: book.chapters.length };
  await writeBookFiles(folder, book, corrected);
  return corrected;
}

/** Applies the corrections of the previous draft to the chapters of this one that have the same text. */
export async function inheritCorrections({ folder, from }: InheritCorrectionsInput): Promise<BookCard> {
  const kept = (await readCard(from))?.corrections ?? [];
  const strategy = kept.filter((correction) => "strategy" in correction);
  const there = await readOriginal(from, strategy);
  const here = await readOriginal(folder, strategy).catch((error: unknown) => {
    // The new draft cannot be read in the way that was chosen for the old one.
    if (error instanceof FabulaError && error.code === "E_CORRECTION") return null;
    throw error;
  });
  if (here === null) return (await readOriginal(folder, [])).card;
  const { corrections } = carriedCorrections(there.card.corrections, there.book.chapters, here.book.chapters);
  return corrections.length === 0 ? here.card : correctBook({ folder, corrections });
}

/** The chapters that were found in the file, before any correction: corrections refer to them by their numbers. */
export async function foundChapters({ folder }: { readonly folder: string }): Promise<FoundChapters> {
  const kept = (await readCard(folder))?.corrections ?? [];
  const { book } = await readOriginal(
    folder,
    kept.filter((correction) => "strategy" in correction),
  );
  const { considered = [], recognised } = book.finding ?? {};
  return {
    found: book.chapters.map(({ index, title, words }) => ({ index, title, words })),
    strategies: considered.flatMap(({ by, chapters }) =>
      chapters === null ? [] : [{ by, chapters, isUsed: by === recognised?.by }],
    ),
  };
}

async function readOriginal(folder: string, corrections: ChapterCorrections) {
  const card = await readCard(folder);
  if (!card) throw notFound("book");
  const bytes = await readFile(join(folder, originalName(card.format)));
  return { card, book: await parseBookBytes(bytes, card.file, { format: card.format, corrections }) };
}
