import { readFile } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import { isScored } from "../../core/verdict.ts";
import { LEAST_BOOKS, type Population, populationSchema } from "../../judge/population.ts";
import { differencesInWords } from "../../judge/settings.ts";
import { readEvaluations } from "./read-evaluations.ts";

export interface PopulationRequest {
  /** Evaluations as `fabula evaluate --out` wrote them: a file or a folder. */
  readonly input: string;
  readonly id: string;
  readonly description: string;
}

/** Evaluations of a collection by one judge → the population that this judge's percentiles refer to. */
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
      `"${request.input}" was evaluated by the embedded ${judge}, and \`evaluate --population\` is for language models: a juror's own percentile, where it has one, stands in its evaluation.`,
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
