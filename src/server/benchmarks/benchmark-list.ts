import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BenchmarkDetails, BenchmarkWriter } from "../../api/benchmarks.ts";
import { loadPopulation } from "../../bench/population/reference-population.ts";
import { assetPath } from "../../core/assets.ts";
import { isScored, scored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { pocketStandings } from "../../workflows/bench/pocket-standings.ts";
import { readStandings, type Standings, standingsOn } from "../../workflows/bench/standings.ts";
import { notFound } from "../ids.ts";
import type { EvaluationFiles } from "../library/evaluation-files.ts";
import { benchmarkDetails } from "./benchmark-details.ts";

/** What is shown, and until which change it may be shown again without being made again. */
interface Kept {
  readonly stamp: string;
  readonly benchmarks: readonly BenchmarkDetails[];
}

const NOT_PLACED =
  "The scores are a language-model grader's. These novels are outside what it learnt from, so books that the jury judges are not placed among them; books judged by earlier versions still are.";

/** A longer list is not useful to a reader. */
const MOST_BOOKS = 100;

/** The populations that ship, the library's own books among published novels, and the benchmark folders named at the start. Ids are ours: no path is ever asked for. */
export class BenchmarkList {
  readonly #folders: readonly string[];
  readonly #library: EvaluationFiles;
  readonly #kept = new Map<string, Kept>();

  constructor(folders: readonly string[], library: EvaluationFiles) {
    this.#folders = folders;
    this.#library = library;
  }

  async list(): Promise<BenchmarkDetails[]> {
    const shipped = await this.#once("shipped", await stampOf(assetPath("reference")), shippedBenchmarks);
    const evaluations = this.#library.list();
    const published = await this.#once("pocket", evaluations.map(({ id }) => id).join(), () => this.#published());
    const own: BenchmarkDetails[] = [];
    for (const [position, folder] of this.#folders.entries()) {
      const stamp = await stampOf(folder);
      own.push(...(await this.#once(`folder ${position}`, stamp, () => folderBenchmarks(folder, position))));
    }
    return [...own, ...published, ...shipped];
  }

  async get(id: string): Promise<BenchmarkDetails> {
    const found = (await this.list()).find((benchmark) => benchmark.id === id);
    if (!found) throw notFound("benchmark");
    return found;
  }

  /** The books of the library among published novels, as far as the judge of earlier versions placed them. */
  async #published(): Promise<BenchmarkDetails[]> {
    const latest = new Map<string, string>();
    for (const { id, bookId, judge } of this.#library.list()) {
      if (judge === "pocket" && !latest.has(bookId)) latest.set(bookId, id);
    }
    const ids = [...latest.values()].slice(0, MOST_BOOKS);
    const standings = await pocketStandings(await Promise.all(ids.map((id) => this.#library.evaluation(id))));
    const published = await details(standings, "published-novels", standings.population.description);
    const writerRows = published.writerRows.map((row) => asReported(row, standings.reported.get(row.name)));
    const notes = [NOT_PLACED, ...published.notes];
    // Books are not writers: each is one text, and two of them are not tested against each other.
    return [{ ...published, writerRows, subject: "books", pairs: [], genres: [], notes }];
  }

  async #once(
    key: string,
    stamp: string,
    read: () => Promise<BenchmarkDetails[]>,
  ): Promise<readonly BenchmarkDetails[]> {
    const before = this.#kept.get(key);
    if (before?.stamp === stamp) return before.benchmarks;
    const benchmarks = await read();
    this.#kept.set(key, { stamp, benchmarks });
    return benchmarks;
  }
}

/** The figure that the book's report shows, to the digit. */
function asReported(row: BenchmarkWriter, percentile: number | undefined): BenchmarkWriter {
  if (percentile === undefined || row.isAnchor || !isScored(row.level)) return row;
  const [low, high] = row.level.interval ?? [percentile, percentile];
  return { ...row, level: scored(percentile, [Math.min(low, percentile), Math.max(high, percentile)]) };
}

async function folderBenchmarks(folder: string, position: number): Promise<BenchmarkDetails[]> {
  const all = await readStandings(folder);
  return Promise.all(all.map((one, index) => details(one, `bench-${position + 1}-${index + 1}`, basename(folder))));
}

/** Not every file there is a population: the pocket judge's percentiles have a form of their own. */
async function shippedBenchmarks(): Promise<BenchmarkDetails[]> {
  const names = (await readdir(assetPath("reference"))).filter((name) => name.endsWith(".json")).sort();
  const shown: BenchmarkDetails[] = [];
  for (const [index, name] of names.entries()) {
    const population = await loadPopulation(assetPath("reference", name)).catch(() => null);
    if (!population) continue;
    shown.push(await details(standingsOn(population, []), `shipped-${index + 1}`, population.description));
  }
  return shown;
}

async function details(standings: Standings, id: string, name: string): Promise<BenchmarkDetails> {
  const { rubric: own, panel } = standings.population;
  const rubric = await loadRubric(panel?.[0]?.rubric.id ?? own.id).catch(() => null);
  return benchmarkDetails({ id, name, rubric }, standings);
}

async function stampOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const facts = await Promise.all(names.map(async (name) => ({ name, ...(await stat(join(folder, name))) })));
  return facts.map(({ name, size, mtimeMs }) => `${name}:${size}:${mtimeMs}`).join("|");
}
