import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { NovelSums } from "../../src/bench/population/novel-scores.ts";
import { type ChapterScorer, graderScorer, modelScorer } from "../../src/bench/scoring.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import type { MethodName } from "../../src/judge/methods/method.ts";
import { loadGrader } from "../../src/jury/grader.ts";
import { loadJury } from "../../src/jury/jury.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { inRun, type RunSettings } from "../../src/runner/open-run.ts";
import type { Plan } from "../../src/runner/planning.ts";
import { openStore } from "../../src/store/open-store.ts";
import { populationFromSums } from "../../src/tasks/bench/population.ts";
import { type ScoringOptions, scoredChapter, scoreEach, type TextToScore } from "../../src/tasks/bench/scoring.ts";
import { judgeBooks, judgeEach } from "../../src/tasks/books/judge-books.ts";
import { outcomesFrom, piecesOfBooks } from "../../src/tasks/jobs/books.ts";
import { createSimulatedServer } from "../../src/testing/index.ts";
import { readBook } from "../../src/text/read-book.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import type { PerNovel } from "./growth-limits.ts";
import { madeNovel } from "./made-library.ts";

export interface UnitOptions {
  readonly postgres: TestPostgres;
  readonly judge: string;
  readonly runs: number;
  /** How many novels are really judged to find out what one takes. */
  readonly novels: number;
}

/** The average book of LongStoryEval: 121,000 tokens. */
const CHAPTERS = 31;
const WORDS_PER_CHAPTER = 3000;
/** What the novelist benchmark takes of a novel. */
const BENCH_CHAPTERS = 10;
const BENCH_WORDS = 1000;

type Work = (settings: RunSettings) => Promise<{ readonly plan: Plan | null; readonly result: unknown }>;

/** Plans the work for its tokens and cost, then does it against a simulated provider and looks at what the store then holds. */
async function inStore(work: string, { postgres, judge, novels }: UnitOptions, execute: Work): Promise<PerNovel> {
  const location = await postgres.freshDatabase();
  const store = await openStore(location);
  const server = await createSimulatedServer({
    reply: ({ schema }, random) =>
      schema ? JSON.stringify(placeholderValue(schema, random)) : "It goes on. ".repeat(60),
  });
  const before = await look(location);
  try {
    const settings = { store: location, command: [judge], folder: "/", connections: server.connections };
    const { plan } = await execute({ ...settings, dryRun: true });
    const planned = await look(location);
    const { result } = await execute(settings);
    const after = await look(location);
    const calls = await store.countCalls();
    if (!plan || plan.calls !== calls) throw new Error(`${work}: ${plan?.calls} calls planned, ${calls} made`);
    return {
      work,
      calls: calls / novels,
      inputTokens: plan.inputTokens / novels,
      outputTokens: plan.outputTokens / novels,
      cost: (plan.expectedCost ?? 0) / novels,
      bytes: (after.bytes - before.bytes) / novels,
      requestBytes: (after.requestBytes - before.requestBytes) / novels,
      queries: (after.queries - planned.queries) / novels,
      coreSeconds: 0,
      memoryBytes: heapOf(() => structuredClone(result)) / novels,
    };
  } finally {
    await server.close();
    await store.close();
  }
}

const lookSchema = z.object({ bytes: z.coerce.number(), requestBytes: z.coerce.number(), queries: z.coerce.number() });

async function look(location: string): Promise<z.infer<typeof lookSchema>> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  try {
    await client.query("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()");
    const { rows } = await client.query(
      `SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
                WHERE relnamespace = 'fabula'::regnamespace AND relkind = 'r') AS bytes,
              pg_total_relation_size('fabula.requests') AS "requestBytes",
              (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()) AS queries`,
    );
    return lookSchema.parse(rows[0]);
  } finally {
    await client.end();
  }
}

export async function judgedBy(method: MethodName, options: UnitOptions): Promise<PerNovel> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-growth-"));
  try {
    const files = Array.from({ length: options.novels }, (_, at) => join(folder, `novel-${at}.md`));
    for (const [at, file] of files.entries()) await writeFile(file, madeNovel(CHAPTERS, WORDS_PER_CHAPTER, at + 1));
    const { judge, runs } = options;
    return await inStore(`judge, ${method}, ${runs} runs`, options, (settings) =>
      judgeEach(
        { kind: "books", files },
        { judges: [judge], method, runs, settings, services: { signal: new AbortController().signal } },
        () => {},
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a book takes as a piece of a run that workers share: bytes, and milliseconds of processor time. */
export interface QueuedBook {
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** By the command, for each book. */
  readonly queued: number;
  readonly assembled: number;
  /** By the worker. */
  readonly read: number;
}

const TIMES = 40;

export async function queuedBook({ judge, runs }: Pick<UnitOptions, "judge" | "runs">): Promise<QueuedBook> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-growth-"));
  const server = await createSimulatedServer({
    reply: ({ schema }, random) =>
      schema ? JSON.stringify(placeholderValue(schema, random)) : "It goes on. ".repeat(60),
  });
  try {
    const { signal } = new AbortController();
    const file = join(folder, "novel.md");
    await writeFile(file, madeNovel(CHAPTERS, WORDS_PER_CHAPTER, 1));
    const settings = { store: ":memory:", connections: server.connections };
    const { result } = await judgeBooks(
      { kind: "books", files: [file] },
      { judges: [judge], method: "aggregate", runs, settings, services: { signal } },
    );
    const written = JSON.stringify([{ kind: "judged", evaluation: result[0], draft: null }]);
    let input = "";
    const queued = await processorMilliseconds(async () => {
      for await (const { data } of piecesOfBooks([file], {}, { signal })) input = JSON.stringify(data);
    });
    async function* results() {
      for (let time = 0; time < TIMES; time++) yield JSON.parse(written) as unknown;
    }
    const assembled = await processorMilliseconds(async (time) => {
      if (time === 0) for await (const _ of outcomesFrom(results(), new Map()));
    });
    const read = await processorMilliseconds(() => readBook(file));
    return { inputBytes: Buffer.byteLength(input), resultBytes: Buffer.byteLength(written), queued, assembled, read };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of each of many times. */
async function processorMilliseconds(work: (time: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < TIMES; time++) await work(time);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / TIMES;
}

function benchTexts(novels: number): TextToScore[] {
  return Array.from({ length: novels }, (_, at) =>
    madeNovel(BENCH_CHAPTERS, BENCH_WORDS, at + 1)
      .split("\n## ")
      .slice(1)
      .map((text, chapter) => ({ novel: `novel ${at}`, writer: "somebody", chapter: chapter + 1, text })),
  ).flat();
}

export async function builtByModel(options: UnitOptions): Promise<PerNovel> {
  const texts = benchTexts(options.novels);
  const rubric = await loadRubric("novel-bench-en");
  const signal = new AbortController().signal;
  return inStore("benchmark build, language model", options, (settings) =>
    inRun(settings, { signal }, async (run) => {
      const scorer = modelScorer(await run.model(options.judge), rubric);
      return sumsOf(texts, scorer, { repeats: 1, concurrency: run.concurrency, total: texts.length, signal });
    }),
  );
}

/** Scores as `bench build` does: rows pass by, and sums by novel stay in memory until the population is made of them. */
async function sumsOf(texts: readonly TextToScore[], scorer: ChapterScorer, work: ScoringOptions) {
  const sums = new NovelSums(scorer.rubric.criteria.map(({ id }) => id));
  let rowBytes = 0;
  for await (const { rows } of scoreEach(texts, scorer, work)) {
    sums.add(scoredChapter(rows, scorer.rubric));
    rowBytes += JSON.stringify(rows).length;
  }
  const { population } = populationFromSums(sums, {
    ...{ id: "made", description: "made novels", rubric: scorer.rubric },
    judge: { id: scorer.id, version: scorer.version },
  });
  return { population, rowBytes };
}

/** No calls at all: what grows is the time to read, and the novels' sums and the population made of them. */
export async function builtByGrader(novels: number): Promise<PerNovel> {
  const scorer = graderScorer(await loadGrader(), (await loadJury()).jurors.grader);
  const texts = benchTexts(novels);
  const signal = new AbortController().signal;
  const started = process.cpuUsage();
  const work = { repeats: 1, concurrency: 1, total: texts.length, signal };
  const { population, rowBytes } = await sumsOf(texts, scorer, work);
  const { user, system } = process.cpuUsage(started);
  return {
    work: "benchmark build, embedded grader",
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    // Score rows as they are written, and the population's file; nothing goes to the store.
    bytes: (rowBytes + JSON.stringify(population).length) / novels,
    requestBytes: 0,
    queries: 0,
    coreSeconds: (user + system) / 1e6 / novels,
    memoryBytes: heapOf(() => structuredClone(population)) / novels,
  };
}

/** How much the heap grows by what this makes. */
function heapOf(make: () => unknown): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const made = make();
  globalThis.gc?.();
  const grown = process.memoryUsage().heapUsed - before;
  return made === undefined ? 0 : Math.max(0, grown);
}
