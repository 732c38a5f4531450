import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { BenchmarkDetails, BenchmarkSummary, DuelVoteRequest } from "../../api/benchmarks.ts";
import { loadPopulation } from "../../bench/population/reference-population.ts";
import { assetPath } from "../../core/assets.ts";
import { groupBy } from "../../core/group-by.ts";
import { judgesInWords } from "../../core/wording.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { boardOf } from "../../report/bench/board.ts";
import { writerCards, writtenRows } from "../../tasks/bench/frozen/files.ts";
import { headToHeadIn } from "../../tasks/bench/run-duels.ts";
import { readStandings, type Standings, standingsOn } from "../../tasks/bench/standings.ts";
import { Works } from "../../tasks/bench/works.ts";
import { DuelDesk } from "../benchmarks/duel-desk.ts";
import { json, query, respond } from "../http/typed-route.ts";
import { notFound } from "../ids.ts";
import type { Services } from "../services.ts";

/** The benchmarks to show, which are read again when the files they come from change. */
interface Kept {
  readonly stamp: string;
  readonly benchmarks: readonly Shown[];
}

/** A benchmark and what is needed to show its texts; shipped populations have none. */
interface Shown {
  readonly details: BenchmarkDetails;
  readonly standings: Standings;
  readonly folder: string | null;
}

/** The benchmark folders named at the start, and the populations that ship. Requests name them by ids made here, never by a path. */
class BenchmarkList {
  readonly #folders: readonly string[];
  readonly #kept = new Map<string, Kept>();
  readonly #desks = new Map<string, DuelDesk>();
  readonly #works = new WeakMap<Standings, Promise<Works>>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async list(): Promise<Shown[]> {
    const shipped = await this.#once("shipped", await stampOf(assetPath("reference")), shippedBenchmarks);
    const own: Shown[] = [];
    for (const [position, folder] of this.#folders.entries()) {
      const stamp = await stampOf(folder);
      own.push(...(await this.#once(`folder ${position}`, stamp, () => folderBenchmarks(folder, position))));
    }
    return withOwnNames([...own, ...shipped]);
  }

  async get(id: string): Promise<BenchmarkDetails> {
    const { details: found } = await this.#find(id);
    const desk = this.desk(id);
    const works = await this.works(id);
    const board = desk && (await desk.standings());
    const headToHead = board && {
      ...board,
      rows: board.rows.map((row) => ({ ...row, name: works?.nameOf(row.writer) ?? row.writer })),
    };
    return {
      ...found,
      ...(desk && { headToHead, canVote: await desk.canVote() }),
      ...(works && {
        texts: {
          writers: works.writers,
          novels: works.novels.map(({ novel, title }) => ({ novel, title })),
          humanWords: works.humanWords,
          writtenWords: works.writtenWords,
        },
      }),
    };
  }

  /** The texts of a benchmark's writers; null where there are none. */
  async works(id: string): Promise<Works | null> {
    const { folder, standings } = await this.#find(id);
    if (folder === null) return null;
    const known = this.#works.get(standings) ?? worksIn(folder, standings);
    this.#works.set(standings, known);
    const works = await known;
    return works.writers.length === 0 ? null : works;
  }

  async #find(id: string): Promise<Shown> {
    const found = (await this.list()).find(({ details: { id: own } }) => own === id);
    if (!found) throw notFound("benchmark");
    return found;
  }

  /** Where people vote on pairs of a folder's texts; null for what ships. */
  desk(id: string): DuelDesk | null {
    const folder = this.#folders[Number(/^bench-(\d+)-/.exec(id)?.[1] ?? 0) - 1];
    if (folder === undefined) return null;
    const known = this.#desks.get(folder) ?? new DuelDesk(folder);
    this.#desks.set(folder, known);
    return known;
  }

  async #once(key: string, stamp: string, read: () => Promise<Shown[]>): Promise<readonly Shown[]> {
    const before = this.#kept.get(key);
    if (before?.stamp === stamp) return before.benchmarks;
    const benchmarks = await read();
    this.#kept.set(key, { stamp, benchmarks });
    return benchmarks;
  }
}

/** Boards of one folder share its name, so the judges and then the rubric are added to tell them apart. */
function withOwnNames(shown: readonly Shown[]): Shown[] {
  const more = [
    ({ standings: { population } }: Shown) =>
      judgesInWords((population.panel ?? [population]).map(({ judge }) => judge.id)).join(" + "),
    ({ standings: { population } }: Shown) => (population.panel?.[0] ?? population).rubric.id,
    ({ details: { id } }: Shown) => id,
  ];
  const names = shown.map(({ details: { name } }) => name);
  for (const told of more) {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [at, one] of shown.entries()) if (counts.get(names[at]!)! > 1) names[at] += ` · ${told(one)}`;
  }
  return shown.map((one, at) => ({ ...one, details: { ...one.details, name: names[at]! } }));
}

async function worksIn(folder: string, { population, chapters, scoreFiles }: Standings): Promise<Works> {
  const cards = new Map((await writerCards(folder)).map((card) => [card.writer, card]));
  const written = groupBy(await writtenRows(folder), ({ writer }) => writer);
  const placed = groupBy(chapters, ({ writer }) => writer);
  return Works.open({
    // Stored findings are used; nothing here writes to the benchmark's folder.
    ...{ folder, population, keepsFindings: true },
    writers: [...written].flatMap(([writer, rows]) => {
      const own = placed.get(writer);
      const { name, maker, date } = cards.get(writer) ?? {};
      const about = { ...(name && { name }), ...(maker && { maker }), ...(date && { released: date }) };
      return own ? [{ writer, ...about, written: rows, chapters: own, scores: scoreFiles(writer) }] : [];
    }),
    duels: (await headToHeadIn(folder).catch(() => null))?.rows ?? [],
  });
}

async function folderBenchmarks(folder: string, position: number): Promise<Shown[]> {
  const all = await readStandings(folder);
  const shown = await Promise.all(
    all.map(async (standings, index) => {
      const id = `bench-${position + 1}-${index + 1}`;
      return { folder, standings, details: await details(standings, id, basename(folder)) };
    }),
  );
  // The board of all judges together opens first; it is the one that the folder's site shows.
  const isPanel = ({ standings: { population } }: Shown) => population.panel !== undefined;
  return [...shown.filter(isPanel), ...shown.filter((one) => !isPanel(one))];
}

/** Not every file in the folder is a population: the scores that percentiles refer to have another form. */
async function shippedBenchmarks(): Promise<Shown[]> {
  const names = (await readdir(assetPath("reference"))).filter((name) => name.endsWith(".json")).sort();
  const shown: Shown[] = [];
  for (const [index, name] of names.entries()) {
    const population = await loadPopulation(assetPath("reference", name)).catch(() => null);
    if (!population) continue;
    const standings = standingsOn(population, []);
    const id = `shipped-${index + 1}`;
    shown.push({ folder: null, standings, details: await details(standings, id, population.description) });
  }
  return shown;
}

async function details(standings: Standings, id: string, name: string): Promise<BenchmarkDetails> {
  const { rubric: own, panel } = standings.population;
  const rubric = await loadRubric(panel?.[0]?.rubric.id ?? own.id).catch(() => null);
  const names = new Map(rubric?.criteria.map((criterion) => [criterion.id, criterion.name]));
  const { population, benchmark } = standings;
  return {
    ...{ id, name, judge: population.judge.id, novels: population.novels.length },
    writers: benchmark?.board.rows.length ?? 0,
    ...boardOf(standings, names),
    canVote: false,
  };
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

export function benchmarkRoutes({ settings, clock }: Services) {
  const benchmarks = new BenchmarkList(settings.benches);
  return new Hono()
    .get("/", async (context) => {
      const summaries: BenchmarkSummary[] = (await benchmarks.list()).map(
        ({ details: { id, name, judge, novels, writers } }) => ({ id, name, judge, novels, writers }),
      );
      return respond(context, summaries);
    })
    .get("/:id", async (context) => respond(context, await benchmarks.get(context.req.param("id"))))
    .get("/:id/writer", query(z.object({ writer: z.string() })), async (context) => {
      const { writer } = context.req.valid("query");
      const page = (await benchmarks.works(context.req.param("id")))?.writerPage(writer);
      if (!page) throw notFound("writer");
      return respond(context, page);
    })
    .get("/:id/novel", query(z.object({ novel: z.string() })), async (context) => {
      const { novel } = context.req.valid("query");
      const page = (await benchmarks.works(context.req.param("id")))?.novelPage(novel);
      if (!page) throw notFound("novel");
      return respond(context, page);
    })
    .get("/:id/work", query(z.object({ writer: z.string(), novel: z.string() })), async (context) => {
      const { writer, novel } = context.req.valid("query");
      const work = await (await benchmarks.works(context.req.param("id")))?.work(writer, novel);
      if (!work) throw notFound("text");
      return respond(context, work);
    })
    .get("/:id/duel", query(voterQuery), async (context) => {
      const desk = benchmarks.desk(context.req.param("id"));
      if (!desk) throw notFound("benchmark");
      return respond(context, await desk.next(context.req.valid("query").voter));
    })
    .post("/:id/duel", bodyLimit({ maxSize: 10_000 }), json(voteBody), async (context) => {
      const desk = benchmarks.desk(context.req.param("id"));
      if (!desk) throw notFound("benchmark");
      return respond(context, await desk.vote(context.req.valid("json"), clock.now()), 201);
    });
}
