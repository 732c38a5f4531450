import { readFile } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { isScored } from "../../core/verdict.ts";
import { LEAST_BOOKS, type Population, populationSchema } from "../../judge/population.ts";
import { differencesInWords } from "../../judge/settings.ts";
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
import { readEvaluations } from "./read-evaluations.ts";

export interface PopulationRequest {
  /** Evaluations as `fabula evaluate --out` wrote them: a file or a folder. */
  readonly input: string;
  readonly id: string;
  readonly description: string;
}

/** Turns one judge's evaluations of a collection into the population that this judge's percentiles refer to. */
export async function buildPopulation(
  request: PopulationRequest,
): Promise<{ population: Population; unscored: readonly string[] }> {
  const evaluations = await readEvaluations(request.input);
  const kinds = new Set(
    evaluations.map(({ judge, method, rubric }) => `${judge}, ${method}, ${rubric.id} version ${rubric.version}`),
  );
  if (kinds.size > 1) {
    throw new FabulaError(
      "E_POPULATION_MIXED",
      `"${request.input}" mixes judges, methods or rubrics (${[...kinds].join("; ")}): a population has one of each.`,
    );
  }
  const differences = differencesInWords(evaluations.map(({ settings }) => settings));
  if (differences !== "") {
    throw new FabulaError(
      "E_POPULATION_MIXED",
      `"${request.input}" mixes settings, and a population has one of each: ${differences}. Build one from evaluations made in one way.`,
    );
  }
  const { judge, method, rubric, settings, jury } = evaluations[0]!;
  if (jury !== undefined) {
    throw new FabulaError(
      "E_POPULATION_JURY",
      `"${request.input}" was evaluated by the embedded ${judge}, and \`evaluate --population\` is for language models: a juror's own percentile, if it has one, is in its evaluation.`,
    );
  }
  const books = evaluations.flatMap(({ book, overall, aspects }) =>
    isScored(overall)
      ? [
          {
            title: book.title,
            author: book.author,
            overall: overall.score,
            aspects: Object.fromEntries(
              aspects.flatMap(({ id, verdict }) => (isScored(verdict) ? [[id, verdict.score]] : [])),
            ),
          },
        ]
      : [],
  );
  if (books.length < LEAST_BOOKS) {
    throw new FabulaError(
      "E_POPULATION_SMALL",
      `"${request.input}" holds ${books.length} scored books: a population needs at least ${LEAST_BOOKS}.`,
    );
  }
  const { id, description } = request;
  return {
    population: { id, description, judge, method, rubric, ...(settings && { settings }), books },
    unscored: evaluations.filter(({ overall }) => !isScored(overall)).map(({ book }) => book.title),
  };
}

export async function readPopulation(path: string): Promise<Population> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new FabulaError("E_POPULATION_READ", `"${path}" could not be read as JSON: check the path.`, { cause });
  }
  const parsed = populationSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new FabulaError(
    "E_POPULATION_READ",
    `"${path}" is not a population: make one with \`fabula population build --in evaluations.jsonl --out population.json\`.`,
    { cause: parsed.error },
  );
}

interface OwnReferenceRequest {
  readonly files: readonly string[];
  readonly id: string;
  readonly description: string;
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/**
 * Turns novels of a writer's own choice into reference figures for a manuscript. Only figures are stored, never text.
 */
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

/** Figures counted in another language cannot be compared with those of English novels. */
export function requireEnglish({ language }: Pick<Book, "language">, what: string): void {
  if (language === null || language === "en") return;
  throw new FabulaError(
    "E_REFERENCE_LANGUAGE",
    `${what}: it is in "${language}", and reference novels are compared in English only.`,
  );
}
