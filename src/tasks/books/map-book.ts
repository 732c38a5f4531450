import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { fabulaVersion } from "../../core/version.ts";
import { issueInWords } from "../../core/wording.ts";
import { type ManuscriptMap, mapManuscript } from "../../prose/map/manuscript-map.ts";
import { mapText } from "../../prose/map/text-map.ts";
import { type ComparedFigure, compareFigures, loadReferenceNovels } from "../../prose/reference/reference-novels.ts";
import type { Book } from "../../text/book.ts";
import {
  type CharacterCorrections,
  characterCorrectionsSchema,
  NO_CORRECTIONS,
} from "../../text/corrections/character-and-story.ts";
import type { ReadOptions } from "../../text/read-book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { openBook } from "./open-book.ts";
import { readReference, requireEnglish } from "./population.ts";

export interface BookMap extends ManuscriptMap {
  readonly schema: "fabula.map.v1";
  readonly fabula: string;
  readonly book: {
    readonly title: string;
    readonly author: string | null;
    readonly words: number;
    readonly chapters: number;
  };
  /** The novels that the figures are compared with. */
  readonly reference: { readonly id: string; readonly description: string; readonly novels: number };
  readonly figures: readonly ComparedFigure[];
}

export interface MapBookOptions extends Omit<ReadOptions, "characterCorrections"> {
  /** Corrections to the characters, or a JSON file of them, over those of `book.yaml`. */
  readonly characterCorrections?: string | CharacterCorrections;
  /** A file of novels to compare with, instead of those that ship with Fabula. */
  readonly reference?: string;
  readonly onProgress?: ProgressListener;
}

/** Counts what can be counted in a book, and puts it beside the same figures of published novels. */
export async function mapBook(source: BookInput, options: MapBookOptions = {}): Promise<BookMap> {
  const { characterCorrections, reference, onProgress, ...readOptions } = options;
  onProgress?.({ stage: "Reading", done: 0, total: 1 });
  const own = reference === undefined ? undefined : await readReference(reference);
  const book = await openBook(source, readOptions);
  if (own) requireEnglish(book, "The book cannot be compared with this reference");
  const corrections =
    typeof characterCorrections === "string" ? await readCorrections(characterCorrections) : characterCorrections;
  onProgress?.({ stage: "Mapping", done: 0, total: 1 });
  return bookMap(book, corrections, own);
}

/** The map of a book that was already read. */
export function bookMap(
  book: Book,
  corrections = book.characterCorrections ?? NO_CORRECTIONS,
  reference = loadReferenceNovels(),
): BookMap {
  const { title, author, words, chapters, language } = book;
  const map = mapManuscript(chapters, { language, corrections });
  const isComparable = language === null || language === "en";
  return {
    schema: "fabula.map.v1",
    fabula: fabulaVersion(),
    book: { title, author, words, chapters: chapters.length },
    reference: { id: reference.id, description: reference.description, novels: reference.novels.length },
    figures: compareFigures(map, isComparable ? reference : null),
    ...map,
  };
}

async function readCorrections(path: string): Promise<CharacterCorrections> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new FabulaError("E_CORRECTIONS", `"${path}" could not be read as JSON: check the path and the file.`, {
      cause,
    });
  }
  const parsed = characterCorrectionsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new FabulaError(
    "E_CORRECTIONS",
    `"${path}" does not fit at ${issue.path.join(".") || "the top"}: ${issueInWords(issue)}.`,
  );
}

export interface MapTextsRequest {
  /** A JSONL file of `{"id","text"}`; `-` is standard input. */
  readonly input: string;
  readonly output: string;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

const rowSchema = z.object({ id: z.union([z.string(), z.number()]), text: z.string() });

/** Maps texts one line at a time: who speaks, how much is dialogue, and in which person the story is told. Returns how many. */
export async function mapTexts({ input, output, signal, onProgress }: MapTextsRequest): Promise<number> {
  let done = 0;
  async function* rows() {
    for await (const { id, text } of jsonLines(input, rowSchema)) {
      signal.throwIfAborted();
      yield { id, ...mapText(text) };
      onProgress({ stage: "Mapping", done: ++done, total: null });
    }
  }
  await writeJsonLines(output, rows());
  return done;
}
