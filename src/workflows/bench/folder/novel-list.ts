import { basename } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../../core/errors.ts";
import { contentHash } from "../../../core/hash.ts";
import { readCsv } from "../../../core/table/csv-table.ts";

const lineSchema = z.looseObject({
  file: z.string().optional(),
  novel: z.string().optional(),
  title: z.string().optional(),
  author: z.string().optional(),
  genre: z.string().optional(),
  year: z.string().optional(),
});

/** What a list of the user's says about a novel. */
export interface ListedNovel {
  readonly author: string | null;
  readonly genre: string | null;
  readonly year: number | null;
}

export interface NovelList {
  /** Of everything it says: another list, another hash. */
  readonly hash: string;
  /** Looks a novel up by the name of its file, with or without the ending, or by its title. */
  find(file: string, title: string): ListedNovel | null;
}

/** A table (CSV or TSV with a heading) of genres, years and authors: what files seldom say. */
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
