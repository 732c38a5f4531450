import { z } from "zod";
import { benchFiles } from "../../../bench/bench-folder.ts";
import { folderLanguages } from "../../../bench/folder-language.ts";
import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { wordsIn } from "../../../bench/words/words-in.ts";
import { numberedLines } from "../../../core/json-lines.ts";

const factsSchema = z.looseObject({
  novel: z.string(),
  title: z.string(),
  author: z.string().nullable(),
  genre: z.string().nullable().optional(),
  year: z.number().int().nullable().optional(),
});

export type NovelFacts = z.infer<typeof factsSchema>;

/** What the manifest says of each novel. It has a novel to a line, so it is read as a stream. */
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

/** Scores of novels in different languages stand on one scale only by assumption. */
export async function languageWarnings(folder: string): Promise<string[]> {
  const languages = [...(await folderLanguages(folder))].filter(([language]) => language !== "unknown");
  if (languages.length < 2) return [];
  return [wordsIn(languages[0]![0]).warnings.languages(languages)];
}
