import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { loadPopulation } from "../../../bench/population/reference-population.ts";
import { assetPath } from "../../../core/assets.ts";
import { loadRubric } from "../../../criteria/load-rubric.ts";
import { populationStandings, readStandings, type Standings } from "../../../workflows/bench-standings.ts";
import type { BenchmarkDetails } from "../../api.ts";
import { notThere } from "../ids.ts";
import { benchmarkDetails } from "./benchmark-details.ts";

/** What is shown, and until which change of its folder it may be shown again without being read. */
interface Kept {
  readonly stamp: string;
  readonly benchmarks: readonly BenchmarkDetails[];
}

/** The populations that ship, and the benchmark folders named at the start. Ids are ours: no path is ever asked for. */
export class BenchmarkShelf {
  readonly #folders: readonly string[];
  readonly #kept = new Map<string, Kept>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async list(): Promise<BenchmarkDetails[]> {
    const shipped = await this.#once("shipped", assetPath("reference"), () => shippedBenchmarks());
    const own: BenchmarkDetails[] = [];
    for (const [position, folder] of this.#folders.entries()) {
      own.push(...(await this.#once(`${position}`, folder, () => folderBenchmarks(folder, position))));
    }
    return [...own, ...shipped];
  }

  async get(id: string): Promise<BenchmarkDetails> {
    const found = (await this.list()).find((benchmark) => benchmark.id === id);
    if (!found) throw notThere("benchmark");
    return found;
  }

  async #once(
    key: string,
    folder: string,
    read: () => Promise<BenchmarkDetails[]>,
  ): Promise<readonly BenchmarkDetails[]> {
    const stamp = await stampOf(folder);
    const before = this.#kept.get(key);
    if (before?.stamp === stamp) return before.benchmarks;
    const benchmarks = await read();
    this.#kept.set(key, { stamp, benchmarks });
    return benchmarks;
  }
}

async function folderBenchmarks(folder: string, position: number): Promise<BenchmarkDetails[]> {
  const standings = await readStandings(folder);
  return Promise.all(
    standings.map((one, index) => details(one, `bench-${position + 1}-${index + 1}`, basename(folder))),
  );
}

/** Not every file there is a population: the pocket judge's percentiles have a form of their own. */
async function shippedBenchmarks(): Promise<BenchmarkDetails[]> {
  const names = (await readdir(assetPath("reference"))).filter((name) => name.endsWith(".json")).sort();
  const shown: BenchmarkDetails[] = [];
  for (const [index, name] of names.entries()) {
    const population = await loadPopulation(assetPath("reference", name)).catch(() => null);
    if (!population) continue;
    shown.push(await details({ population, benchmark: null }, `shipped-${index + 1}`, population.description));
  }
  return shown;
}

async function details(standings: Standings, id: string, name: string): Promise<BenchmarkDetails> {
  const rubric = await loadRubric(standings.population.rubric.id).catch(() => null);
  const human = populationStandings(standings.population);
  return benchmarkDetails({ id, name, standings, human, rubric });
}

async function stampOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const facts = await Promise.all(names.map(async (name) => ({ name, ...(await stat(join(folder, name))) })));
  return facts.map(({ name, size, mtimeMs }) => `${name}:${size}:${mtimeMs}`).join("|");
}
