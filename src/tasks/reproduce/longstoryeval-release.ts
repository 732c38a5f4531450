import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import { REVIEW_SCALE } from "../../judge/novelcritique/review-layout.ts";
import { readVerdicts } from "../../judge/replies/read-verdicts.ts";
import type { ReproduceRequest } from "./longstoryeval-tables.ts";

const BOOKS = "dataset/all_book_info.json";
const TEST_BOOKS = "dataset/test.txt";
const REVIEWS = "dataset/reviews_json";
const SUMMARIES = "dataset/summaries";
const PREDICTED = "NovelCritique/predict/output/long_story_eval";

const bookSchema = z.looseObject({
  title: z.string(),
  author: z.string().nullish(),
  genres: z.array(z.string()).default([]),
  score: z.coerce.number(),
  /** Like `8,836 (41%)`, from five stars down to one. */
  rating_distribution: z.array(z.string()).length(5),
  premise: z.string().nullish(),
  book_len: z.string().nullish(),
});
const reviewSchema = z.looseObject({
  aspects: z.array(z.string()).catch([]),
  review: z.array(z.string()).catch([]),
  conclusion: z.string().nullish().catch(null),
  rating: z.coerce.number(),
  reviewer_id: z.coerce.string().catch(""),
});
const summarySchema = z.array(z.looseObject({ overall_sum: z.string(), overall_char: z.string().catch("") })).min(1);

/** A checkout of the authors' release, unchanged. */
export interface Release {
  readonly folder: string;
  /** A folder with books.jsonl and reviews.jsonl in Fabula's usual format. */
  readonly converted: string;
  /** The ids of the paper's 150 test books. */
  readonly testBooks: readonly string[];
  /** Review files of the release that could not be read or belong to no book. */
  readonly unusedReviews: readonly string[];
  close(): Promise<void>;
}

/** Null if the folder is not a checkout. */
export async function openRelease(request: ReproduceRequest): Promise<Release | null> {
  const { folder } = request;
  const text = await readFile(join(folder, BOOKS), "utf8").catch(() => null);
  if (text === null) return null;
  const known = z.record(z.string(), bookSchema).parse(JSON.parse(text));
  const testBooks = (await readFile(join(folder, TEST_BOOKS), "utf8").catch(() => ""))
    .split("\n")
    .map((line) => line.trim())
    .filter((id) => known[id] !== undefined);
  if (testBooks.length === 0)
    throw new FabulaError(
      "E_DATA_MISSING",
      `"${join(folder, TEST_BOOKS)}" names no test book: use the release as it is.`,
    );
  const ids = request.set === "test" ? testBooks : Object.keys(known);
  const converted = await mkdtemp(join(tmpdir(), "fabula-release-"));
  const close = () => rm(converted, { recursive: true, force: true });
  try {
    await writeJsonLines(join(converted, "books.jsonl"), bookRows(folder, ids, known));
    const unusedReviews: string[] = [];
    await writeJsonLines(join(converted, "reviews.jsonl"), reviewRows(request, new Set(ids), known, unusedReviews));
    return { folder, converted, testBooks, unusedReviews, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Known = Readonly<Record<string, z.infer<typeof bookSchema>>>;

async function* bookRows(folder: string, ids: readonly string[], known: Known) {
  for (const id of ids) {
    const { title, author, genres, score, rating_distribution, premise, book_len } = known[id]!;
    const summary = await readFile(join(folder, SUMMARIES, `${id}.json`), "utf8").catch(() => null);
    const last = summary === null ? undefined : summarySchema.parse(JSON.parse(summary)).at(-1);
    yield {
      id,
      title,
      author: author ?? null,
      genres,
      premise: premise ?? null,
      words: Number.parseInt((book_len ?? "0").replaceAll(",", ""), 10) || 0,
      average_rating: score,
      ratings_5_to_1: rating_distribution.map((share) => Number.parseInt(share.replaceAll(",", ""), 10) || 0),
      plot_summary: last?.overall_sum.replaceAll("In this segment, ", "Later, ") ?? null,
      characters: last ? mainCharacters(last.overall_char) : null,
    };
  }
}

const MOST_CHARACTERS = 6;

/**
 * Formats the characters as the authors' prompts do, with the colon in bold: the first six that have a profile and an
 * experience, without those marked as not mentioned.
 */
function mainCharacters(text: string): string {
  return text
    .split("\n\n")
    .filter((one) => !/not mentioned/i.test(one) && !one.includes("---"))
    .filter((one) => (one.includes("Overall Experience") && one.includes("Profile")) || one.includes("**New Character"))
    .slice(0, MOST_CHARACTERS)
    .join("\n\n")
    .replaceAll("**:", ":**");
}

async function* reviewRows(
  { folder, onProgress, signal }: ReproduceRequest,
  ids: ReadonlySet<string>,
  known: Known,
  unused: string[],
) {
  const files = (await readdir(join(folder, REVIEWS)).catch(() => [])).filter((file) => file.endsWith(".json")).sort();
  for (const [done, file] of files.entries()) {
    signal.throwIfAborted();
    if (done % 20 === 0) onProgress({ stage: "Reading the release", done, total: files.length });
    const book = parse(file).name;
    if (!ids.has(book)) {
      if (known[book] === undefined) unused.push(file);
      continue;
    }
    const reviews = z.array(z.unknown()).safeParse(parseJson(await readFile(join(folder, REVIEWS, file), "utf8")));
    if (!reviews.success) {
      unused.push(file);
      continue;
    }
    for (const [at, row] of reviews.data.entries()) {
      const { success, data } = reviewSchema.safeParse(row);
      if (!success || !(data.rating >= 1 && data.rating <= 5)) continue;
      const aspects = data.aspects.map((name, place) => [name, data.review[place] ?? ""]);
      yield {
        book,
        reviewer: data.reviewer_id || `${book} ${at}`,
        rating: data.rating,
        aspects: Object.fromEntries(aspects),
        conclusion: data.conclusion ?? "",
      };
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * For each book id, the scores of 1 to 5 that the released NovelCritique gave, by aspect or `overall`; each the mean
 * over its runs.
 */
export type ReleasedScores = ReadonlyMap<string, Readonly<Record<string, number>>>;

const FOLDERS: Readonly<Record<string, string>> = {
  plot: "Plot",
  characters: "Characters",
  writing: "Writing",
  world: "World-Building",
  themes: "Themes",
  emotion: "Emotional",
  enjoyment: "Enjoyment",
  expectation: "Expectation",
  overall: "Overall",
};

/**
 * Reads NovelCritique's replies in the release: one folder per aspect, in which every file is the answer about that
 * aspect.
 */
export async function releasedScores({ folder }: Release, rubric: Rubric): Promise<ReleasedScores> {
  const runs = (await readdir(join(folder, PREDICTED)).catch(() => [])).filter((name) => /^run_\d+$/.test(name));
  const given = new Map<string, Map<string, number[]>>();
  for (const run of runs) {
    for (const [aspect, name] of Object.entries(FOLDERS)) {
      const place = join(folder, PREDICTED, run, name);
      for (const file of await readdir(place).catch(() => [])) {
        const id = /^[\d.]+: (.+)\.txt$/.exec(file)?.[1];
        if (id === undefined) continue;
        const asked = aspect === "overall" ? {} : { aspect };
        const { aspects, overall } = readVerdicts(
          await readFile(join(place, file), "utf8"),
          rubric,
          REVIEW_SCALE,
          asked,
        );
        const verdict = aspect === "overall" ? overall : aspects[aspect];
        if (verdict?.kind !== "scored") continue;
        const own = given.get(id) ?? new Map<string, number[]>();
        given.set(id, own.set(aspect, [...(own.get(aspect) ?? []), verdict.score]));
      }
    }
  }
  const meanOf = (scores: readonly number[]) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return new Map(
    [...given].map(([id, own]) => [id, Object.fromEntries([...own].map(([aspect, all]) => [aspect, meanOf(all)]))]),
  );
}
