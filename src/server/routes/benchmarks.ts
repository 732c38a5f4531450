import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { BenchmarkDetails, BenchmarkSummary, DuelVoteRequest } from "../../api/benchmarks.ts";
import { loadPopulation } from "../../bench/population/reference-population.ts";
import { assetPath } from "../../core/assets.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { readStandings, type Standings, standingsOn } from "../../workflows/bench/standings.ts";
import { benchmarkDetails } from "../benchmarks/benchmark-details.ts";
import { DuelDesk } from "../benchmarks/duel-desk.ts";
import { jsonBody, queryOf } from "../http/json-body.ts";
import { notFound } from "../ids.ts";
import type { Services } from "../services.ts";

/** What is shown; it is made again when the files it comes from change. */
interface Kept {
  readonly stamp: string;
  readonly benchmarks: readonly BenchmarkDetails[];
}

/** The benchmark folders named at the start, and the populations that ship. Requests name them by ids that are made here, never by a path. */
class BenchmarkList {
  readonly #folders: readonly string[];
  readonly #kept = new Map<string, Kept>();
  readonly #desks = new Map<string, DuelDesk>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async list(): Promise<BenchmarkDetails[]> {
    const shipped = await this.#once("shipped", await stampOf(assetPath("reference")), shippedBenchmarks);
    const own: BenchmarkDetails[] = [];
    for (const [position, folder] of this.#folders.entries()) {
      const stamp = await stampOf(folder);
      own.push(...(await this.#once(`folder ${position}`, stamp, () => folderBenchmarks(folder, position))));
    }
    return [...own, ...shipped];
  }

  async get(id: string): Promise<BenchmarkDetails> {
    const found = (await this.list()).find((benchmark) => benchmark.id === id);
    if (!found) throw notFound("benchmark");
    const desk = this.desk(id);
    return desk ? { ...found, headToHead: await desk.standings(), canVote: await desk.canVote() } : found;
  }

  /** Where people vote on pairs of a folder's texts; null for what ships. */
  desk(id: string): DuelDesk | null {
    const folder = this.#folders[Number(/^bench-(\d+)-/.exec(id)?.[1] ?? 0) - 1];
    if (folder === undefined) return null;
    const known = this.#desks.get(folder) ?? new DuelDesk(folder);
    this.#desks.set(folder, known);
    return known;
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

async function folderBenchmarks(folder: string, position: number): Promise<BenchmarkDetails[]> {
  const all = await readStandings(folder);
  return Promise.all(all.map((one, index) => details(one, `bench-${position + 1}-${index + 1}`, basename(folder))));
}

/** Not every file there is a population: the scores that percentiles refer to have another form. */
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

const voter = z.string().trim().min(1).max(80);
const voterQuery = z.object({ voter });
const voteBody = z.strictObject({
  voter,
  pair: z.string().max(64),
  choice: z.enum(["A", "B", "tie"]),
}) satisfies z.ZodType<DuelVoteRequest>;

export function benchmarkRoutes({ settings, clock }: Services): Hono {
  const benchmarks = new BenchmarkList(settings.benches);
  return new Hono()
    .get("/", async (context) => {
      const summaries: BenchmarkSummary[] = (await benchmarks.list()).map(({ id, name, judge, novels, writers }) => ({
        id,
        name,
        judge,
        novels,
        writers,
      }));
      return context.json(summaries);
    })
    .get("/:id", async (context) => context.json(await benchmarks.get(context.req.param("id"))))
    .get("/:id/duel", async (context) => {
      const desk = benchmarks.desk(context.req.param("id"));
      if (!desk) throw notFound("benchmark");
      return context.json(await desk.next(queryOf(context, voterQuery).voter));
    })
    .post("/:id/duel", bodyLimit({ maxSize: 10_000 }), async (context) => {
      const desk = benchmarks.desk(context.req.param("id"));
      if (!desk) throw notFound("benchmark");
      return context.json(await desk.vote(await jsonBody(context, voteBody), clock.now()), 201);
    });
}
