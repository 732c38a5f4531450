import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { benchFiles, folderLanguage, folderLanguages, rubricFor } from "../../bench/bench-folder.ts";
import { panelId } from "../../bench/population/panel.ts";
import { loadPopulation, type ReferencePopulation } from "../../bench/population/reference-population.ts";
import { wordsIn } from "../../bench/words.ts";
import { FabulaError } from "../../core/errors.ts";
import { contentHash } from "../../core/hash.ts";
import { numberedLines } from "../../core/json-lines.ts";
import { readCsv } from "../../core/table/csv-table.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";

const factsSchema = z.looseObject({
  novel: z.string(),
  title: z.string(),
  author: z.string().nullable(),
  genre: z.string().nullable().optional(),
  year: z.number().int().nullable().optional(),
});

export type NovelFacts = z.infer<typeof factsSchema>;

/** Streams the manifest's entry for each novel, one per line. */
export async function* novelFacts(folder: string): AsyncGenerator<NovelFacts> {
  for await (const { line } of numberedLines(benchFiles(folder).manifest)) {
    if (line.startsWith('],"excluded"')) return;
    if (!line.startsWith('{"novel"')) continue;
    const parsed = factsSchema.safeParse(JSON.parse(line.replace(/,$/, "")));
    if (parsed.success) yield parsed.data;
  }
}

/** Genres by novel; empty where the folder has no manifest or no genre is known. */
export async function genresOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const genres = new Map<string, string>();
  try {
    for await (const { novel, genre } of novelFacts(folder)) if (genre) genres.set(novel, genre);
  } catch {
    return new Map();
  }
  return genres;
}

export function withGenres(
  novels: ReferencePopulation["novels"],
  genres: ReadonlyMap<string, string>,
): ReferencePopulation["novels"] {
  if (genres.size === 0) return novels;
  return novels.map((novel) => {
    const genre = genres.get(novel.novel);
    return genre === undefined ? novel : { ...novel, genre };
  });
}

/** Warns when novels are in different languages: their scores share one scale only by assumption. */
export async function languageWarnings(folder: string): Promise<string[]> {
  const languages = [...(await folderLanguages(folder))].filter(([language]) => language !== "unknown");
  if (languages.length < 2) return [];
  return [wordsIn(languages[0]![0]).warnings.languages(languages)];
}

const lineSchema = z.looseObject({
  file: z.string().optional(),
  novel: z.string().optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  genre: z.string().optional(),
  year: z.string().optional(),
});

/** What the user's list says about a novel. */
export interface ListedNovel {
  readonly author: string | null;
  readonly genre: string | null;
  readonly year: number | null;
}

export interface NovelList {
  /** Hash of the whole list. */
  readonly hash: string;
  /** Looks up a novel by its file name, with or without the ending, or by its title. */
  find(file: string, title: string): ListedNovel | null;
}

/** Reads a table (CSV or TSV with a heading) of genres, years and authors, which the books' files seldom state. */
export async function readNovelList(path: string): Promise<NovelList> {
  const rows = z.array(lineSchema).parse((await readCsv(path)).rows);
  const known = new Map<string, ListedNovel>();
  for (const { file, novel, title, author, genre, year } of rows) {
    const listed = { author: author || null, genre: genre || null, year: yearIn(year) };
    for (const name of [file, novel, title]) if (name) known.set(name, listed);
  }
  if (known.size === 0) {
    throw new FabulaError(
      "E_NOVEL_LIST",
      `"${path}" names no novel: give it a heading with file (or title) and genre, year or author.`,
    );
  }
  return {
    hash: contentHash([...known]),
    find(file, title) {
      const name = basename(file);
      return known.get(name) ?? known.get(name.replace(/\.[^.]+$/, "")) ?? known.get(title) ?? null;
    },
  };
}

function yearIn(text: string | undefined): number | null {
  const [found] = /\d{4}/.exec(text ?? "") ?? [];
  return found === undefined ? null : Number(found);
}

/** A population file names its rubric before it lists the novels, so its beginning is enough. */
const HEAD = 64 * 1024;

/** The rubric used when none is named: the one in the language of the folder's novels. */
export async function defaultRubric(folder: string): Promise<string> {
  return rubricFor(await folderLanguage(folder));
}

/**
 * The suffix that a rubric adds to the names of a judge's files, so that populations never overwrite each other: none
 * for the first rubric the judge built a population with, the rubric's id for every other.
 */
export async function rubricInNames(folder: string, judge: string, rubric: string): Promise<string | null> {
  const first = await rubricOfPopulation(benchFiles(folder).population(judge));
  return first === null || first === rubric ? null : rubric;
}

async function rubricOfPopulation(file: string): Promise<string | null> {
  let head = "";
  try {
    for await (const chunk of createReadStream(file, { encoding: "utf8", end: HEAD })) head += chunk;
  } catch {
    return null;
  }
  return /"rubric":\{"id":"([^"]+)"/.exec(head)?.[1] ?? null;
}

/**
 * The population that judges have built in a folder, and its rubric: the one that is named, or else the first one
 * they used. To use a population built with another rubric, name that rubric; building never overwrites it.
 */
export async function populationOfFolder(
  folder: string,
  judges: readonly string[],
  named: { readonly population?: string | undefined; readonly rubric?: string | undefined },
): Promise<{ readonly population: ReferencePopulation; readonly rubric: string }> {
  if (named.population !== undefined) {
    const population = await loadPopulation(named.population);
    return { population, rubric: named.rubric ?? rubricOf(population) };
  }
  const owner = judges.length > 1 ? panelId(judges) : judges[0]!;
  const { rubric } = named;
  if (rubric === undefined) {
    const population = await loadPopulation(benchFiles(folder).population(owner));
    return { population, rubric: rubricOf(population) };
  }
  const { id } = await loadRubric(rubric);
  const variants = await Promise.all(
    judges.map((judge) => rubricInNames(folder, judge, judge === "grader" ? "grader" : id)),
  );
  const variant = variants.find((found) => found !== null) ?? null;
  try {
    return { population: await loadPopulation(benchFiles(folder).population(owner, variant)), rubric };
  } catch (error) {
    if (variant === null || !(error instanceof FabulaError) || error.code !== "E_POPULATION_MISSING") throw error;
    const { rubric: other } = await loadPopulation(benchFiles(folder).population(judges[0]!));
    throw new FabulaError(
      "E_POPULATION_MISSING",
      `${owner} has built no population with the rubric ${id} in ${folder}, but one with ${other.id}: add --rubric ${other.id}.`,
      { cause: error },
    );
  }
}

/** Judges of a panel may have their own rubrics. Language models get the first one that is not an embedded judge's. */
export function rubricOf({ rubric, panel }: ReferencePopulation): string {
  return panel?.find((member) => member.judge.id !== "grader")?.rubric.id ?? rubric.id;
}
