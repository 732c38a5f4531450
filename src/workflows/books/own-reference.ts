import { readFile } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { mapManuscript } from "../../prose/map/manuscript-map.ts";
import {
  FEWEST_NOVELS,
  novelFigures,
  type ReferenceNovels,
  referenceNovelsSchema,
  SHIPPED,
} from "../../prose/reference/reference-novels.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";

export interface OwnReferenceRequest {
  readonly files: readonly string[];
  readonly id: string;
  readonly description: string;
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/** Novels of a writer's own choice → what the figures of a manuscript can stand beside. Figures are kept, never text. */
export async function buildReference(request: OwnReferenceRequest): Promise<ReferenceNovels> {
  const { files, id, description, onProgress, signal } = request;
  if (files.length < FEWEST_NOVELS) {
    throw new FabulaError(
      "E_POPULATION_SMALL",
      `${files.length} ${files.length === 1 ? "novel is" : "novels are"} too few to compare with: give at least ${FEWEST_NOVELS}.`,
    );
  }
  if (id === SHIPPED) {
    throw new FabulaError(
      "E_USAGE",
      `The id "${SHIPPED}" is the name of the novels that ship with Fabula: choose another.`,
    );
  }
  const novels: ReferenceNovels["novels"] = [];
  for (const file of files) {
    signal?.throwIfAborted();
    onProgress?.({ stage: "Mapping", done: novels.length, total: files.length });
    const book = await readBook(file);
    requireEnglish(book, `"${file}" cannot be a reference`);
    const { title, author, words, chapters, language } = book;
    novels.push({ title, author, words, figures: novelFigures(mapManuscript(chapters, { language })) });
  }
  return { id, description, novels };
}

export async function readReference(path: string): Promise<ReferenceNovels> {
  const advice = "make one with `fabula population build novels/*.epub --out reference.json`";
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new FabulaError("E_POPULATION_READ", `"${path}" could not be read as JSON: check the path, or ${advice}.`, {
      cause,
    });
  }
  const parsed = referenceNovelsSchema.safeParse(document);
  if (parsed.success && parsed.data.novels.length >= FEWEST_NOVELS) return parsed.data;
  throw new FabulaError("E_POPULATION_READ", `"${path}" is not a reference built from novels: ${advice}.`);
}

/** What is counted in another language cannot stand beside English novels. */
export function requireEnglish({ language }: Pick<Book, "language">, what: string): void {
  if (language === null || language === "en") return;
  throw new FabulaError(
    "E_REFERENCE_LANGUAGE",
    `${what}: it is in "${language}", and reference novels are compared in English only.`,
  );
}
