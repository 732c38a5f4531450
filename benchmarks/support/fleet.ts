import pg from "pg";
import { seededRandom } from "../../src/core/random.ts";
import {
  claimPiece,
  endAndClaim,
  endPiece,
  recoverPieces,
  releasePiece,
  type StartedPiece,
} from "../../src/queue/pieces.ts";
import {
  closeSharedRun,
  openSharedRun,
  queuePieces,
  setSharedRunState,
  sharedRunState,
} from "../../src/queue/shared-runs.ts";
import { HEARTBEAT_TIMEOUT_SECONDS, registerWorker, renewWorker } from "../../src/runner/shared/membership.ts";
import { Database, numbersAsNumbers, type Row } from "../../src/store/postgres/database.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";

/**
 * A fleet in one process: workers, a provider and operators that take one step at a time, in an order that a seed decides, on the
 * tables and functions of a real database whose clock is set by hand. Workers crash, stop and come back, lose the
 * database and the answers to what they asked of it; clocks jump; two versions work side by side; some pieces end every worker.
 * After each step the rules of the queue and of the money are checked. A seed always takes the same steps.
 */
export interface FleetOutcome {
  readonly seed: number;
  readonly steps: number;
  readonly crashes: number;
  readonly setAside: number;
  readonly billed: number;
  /** What was billed more than once: calls under way when their worker was lost. */
  readonly billedTwice: number;
  /** The most pieces of others that were begun while a run that workers could do had none under way. */
  readonly longestWait: number;
}

interface Worker {
  readonly id: string;
  readonly version: string;
  readonly held: StartedPiece[];
  /** By this worker's own clock, which may run apart from the others'. */
  lastSign: number;
  /** How many permits it last said that it wants. */
  asksFor: number;
  readonly spent: Map<string, number>;
  /** Calls on their way: they end later, and are charged then. */
  readonly sent: { piece: StartedPiece; key: string; cost: number; endsAt: number }[];
  /** What it was about to send when it was stopped. */
  granted: { piece: StartedPiece; key: string } | null;
  /** Until when it does nothing at all, and until when it cannot reach the database. */
  stoppedUntil: number;
  cutOffUntil: number;
  isDead: boolean;
  isGivenUp: boolean;
}

interface SimulatedRun {
  readonly id: string;
  readonly version: string;
  readonly owner: string;
  readonly cap: number;
  readonly calls: readonly number[];
  readonly poison: ReadonlySet<number>;
  isPaused: boolean;
  isCancelled: boolean;
  waited: number;
}

const PROVIDER = "provider";
const CALL_COST = 1;
const PIECES_AT_A_TIME = 3;
const FAULTY_STEPS = 150;
const MOST_STEPS = 4000;
/** A worker that has not been heard sends nothing more, a while before the others may give it up. */
const MARGIN = 3000;
const SILENT_AFTER = HEARTBEAT_TIMEOUT_SECONDS * 1000 - MARGIN;
/** Longer ones may still be on their way when the others take over: what is sent by a worker that is cut off cannot be called back. */
const LONGEST_CALL = MARGIN;

/** As SQL writes it, where the type is known from the place. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
  return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(String(one))).join(",")}}`);
}

/** What goes to the server with the next statement. */
interface Pending {
  readonly text: string;
  readonly onRows?: (rows: readonly Row[]) => void;
}

/**
 * A database for thousands of simulated fleets: one connection that keeps each statement prepared, a clock that is set by hand, and
 * a transaction for each fleet that is taken back when it is over. Journeys are what a fleet costs, so whatever nobody waits for goes
 * with the next statement that somebody does.
 */
export class FleetDatabase extends Database {
  readonly #client: pg.Client;
  readonly #names = new Map<string, string>();
  readonly #pending: Pending[] = [];
  #tables = "";
  /** How many of them there were. */
  statements = 0;
  /** The same database, whose answers come with the next statement that is waited for. */
  readonly later = {
    query: (text: string, values: readonly unknown[] = []) =>
      new Promise<readonly Row[]>((resolve) => this.sendLater(text, values, resolve)),
  } as unknown as Database;

  private constructor(location: string) {
    super(location);
    this.#client = new pg.Client({ connectionString: location, types: numbersAsNumbers });
  }

  static async open(location: string): Promise<FleetDatabase> {
    const fleets = new FleetDatabase(location);
    await fleets.open();
    await fleets.#client.connect();
    // Nothing here has the size for which the compiler of expressions is meant, or anyone to wait for.
    await fleets.#client.query(`
      SET jit = off;
      SET plan_cache_mode = force_generic_plan;
      SET fabula.clock = '2030-01-01';
      CREATE OR REPLACE FUNCTION fabula.now() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE AS $$
        SELECT current_setting('fabula.clock')::timestamptz $$`);
    const { rows } = await fleets.#client.query<{ tables: string }>(
      "SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS tables FROM pg_tables WHERE schemaname = 'fabula'",
    );
    fleets.#tables = rows[0]!.tables;
    return fleets;
  }

  /** Sets the clock of the server, before its next statement. */
  setClock(now: number): void {
    this.#pending.push({ text: `SET fabula.clock = '${new Date(now).toISOString()}'` });
  }

  /** Executed before the next statement; errors are that statement's. */
  sendLater(text: string, values: readonly unknown[] = [], onRows?: (rows: readonly Row[]) => void): void {
    this.statements += 1;
    const known = this.#names.get(text);
    const name = known ?? `s${this.#names.size}`;
    this.#names.set(text, name);
    if (known === undefined) this.#pending.push({ text: `PREPARE ${name} AS ${text}` });
    const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
    this.#pending.push({ text: `EXECUTE ${name}${given}`, ...(onRows && { onRows }) });
  }

  override async query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    let own: readonly Row[] = [];
    this.sendLater(text, values, (rows) => {
      own = rows;
    });
    await this.send();
    return [...own];
  }

  /** What is left to be sent. */
  async send(): Promise<void> {
    const pending = this.#pending.splice(0);
    if (pending.length === 0) return;
    const answer: unknown = await this.#client.query(pending.map(({ text }) => text).join(";\n"));
    const results = (Array.isArray(answer) ? answer : [answer]) as pg.QueryResult<Row>[];
    for (const [at, { onRows }] of pending.entries()) onRows?.(results[at]!.rows);
  }

  override use<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const query = async (text: string, values?: readonly unknown[]) => ({ rows: await this.query(text, values) });
    return operation({ query } as unknown as pg.PoolClient);
  }

  override transaction<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.use(operation);
  }

  override async close(): Promise<void> {
    await this.#client.end();
    await super.close();
  }

  async simulate(seed: number): Promise<FleetOutcome> {
    const fleet = new Fleet(this, seed);
    await this.#client.query("BEGIN");
    try {
      return { seed, ...(await fleet.run()) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`seed ${seed}, step ${fleet.step}: ${message}\n  ${fleet.recent.join("\n  ")}`, { cause: error });
    } finally {
      await this.#client.query("ROLLBACK");
      this.#pending.length = 0;
      // What was taken back is still in the tables, and is read over.
      if (seed % 10 === 0) await this.#client.query(`VACUUM ${this.#tables}`);
    }
  }
}

/** So many fleets from a seed on, shared between two databases: one waits while the other counts. */
export async function simulateFleets(postgres: TestPostgres, from: number, count: number): Promise<FleetOutcome[]> {
  let next = from;
  const outcomes: FleetOutcome[] = [];
  const share = async (location: string) => {
    const fleets = await FleetDatabase.open(location);
    try {
      while (next < from + count) outcomes.push(await fleets.simulate(next++));
    } catch (error) {
      // The other ends with the seed that it is at.
      next = from + count;
      throw error;
    } finally {
      await fleets.close();
    }
  };
  const locations = [await postgres.freshDatabase(), await postgres.freshDatabase()];
  for (const one of await Promise.allSettled(locations.map(share))) if (one.status === "rejected") throw one.reason;
  return outcomes;
}

/** What each fleet is checked by: null, or what breaks the rule. */
const RULES = `
  SELECT
    (SELECT string_agg(g.run_id, ', ') FROM fabula.run_progress g LEFT JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'working') AS working,
        count(*) FILTER (WHERE state = 'done') AS done, count(*) FILTER (WHERE state = 'dead') AS dead
      FROM fabula.pieces p WHERE p.run_id = g.run_id) c ON TRUE
      WHERE (g.total, g.queued, g.working, g.done, g.dead) <> (c.total, c.queued, c.working, c.done, c.dead)) AS miscounted,
    (SELECT string_agg(r.run_id, ', ') FROM fabula.shared_runs r WHERE r.maximum_cost + 0.000001 <
      (SELECT sum(s.reserved + s.spent + s.lost) FROM fabula.spending s WHERE s.run_id = r.run_id)) AS overspent,
    (SELECT string_agg(p.label, ', ') FROM fabula.pieces p WHERE p.state = 'done' AND p.result IS DISTINCT FROM '"' || p.worker || '"') AS stale,
    (SELECT string_agg(p.label, ', ') FROM fabula.pieces p
      WHERE p.state = 'dead' AND (p.attempts < 3 OR p.reason IS NULL OR p.worker IS NULL) OR p.attempts > 3) AS misjudged,
    (SELECT string_agg(r.run_id, ', ') FROM fabula.shared_runs r JOIN fabula.run_progress g USING (run_id)
      WHERE r.state IN ('open', 'paused') AND g.queued + g.working = 0 OR r.state = 'ended' AND g.queued + g.working > 0) AS unended,
    (SELECT string_agg(p.label, ', ') FROM fabula.pieces p JOIN fabula.workers w ON w.id = p.worker
      WHERE p.state = 'working' AND w.state = 'gone') AS orphaned,
    (SELECT string_agg(run_id, ', ') FROM fabula.shared_runs WHERE state NOT IN ('ended', 'closed')) AS unfinished,
    (SELECT coalesce(sum(p.held), 0) FROM fabula.permits p WHERE p.run_id = '' AND p.worker IN (SELECT fabula.living_workers())) AS held`;

const claimantOf = ({ id, version }: Worker) => ({ worker: id, version, judges: null });

class Fleet {
  step = 0;
  readonly recent: string[] = [];
  readonly #database: FleetDatabase;
  readonly #random: () => number;
  readonly #workers: Worker[] = [];
  readonly #runs: SimulatedRun[] = [];
  /** The store of calls: key to how often it was charged; answers that arrived are in `#stored`. */
  readonly #charged = new Map<string, number>();
  readonly #stored = new Set<string>();
  /** Calls at a time: with few, a call too many is seen soon. */
  readonly #limit: number;
  // Far ahead, so that the server's start is long ago.
  /** What the database takes for the time; the clocks of workers and of the provider cannot be set back. */
  #now = Date.UTC(2040, 0, 1);
  #elapsed = 0;
  #names = 0;
  #crashes = 0;
  #longestWait = 0;
  /** Runs that had not ended when the rules were last checked. */
  #unfinished: string | null = "all";

  constructor(database: FleetDatabase, seed: number) {
    this.#database = database;
    this.#random = seededRandom(seed);
    this.#limit = 1 + this.#whole(4);
  }

  async run(): Promise<Omit<FleetOutcome, "seed">> {
    await this.#begin();
    for (this.step = 1; this.step <= FAULTY_STEPS; this.step++) {
      this.#advance(this.#whole(1500));
      const before = this.#database.statements;
      await this.#fault();
      await this.#workerStep(this.#pick(this.#workers));
      if (this.#database.statements > before) this.#check();
    }
    // From here on nothing goes wrong but what poison does: everything must come to its end.
    for (const worker of this.#workers) {
      worker.stoppedUntil = 0;
      worker.cutOffUntil = 0;
    }
    for (const run of this.#runs) if (run.isPaused) this.#pause(run, false);
    for (; this.step <= MOST_STEPS; this.step++) {
      for (const version of ["1", "2"])
        if (!this.#workers.some((worker) => !worker.isDead && !worker.isGivenUp && worker.version === version))
          await this.#join(version);
      this.#advance(this.#whole(1500));
      await this.#workerStep(this.#pick(this.#workers.filter(({ isDead }) => !isDead)));
      if (this.step % 5 === 0) this.#check();
      if (this.#unfinished === null) return this.#outcome();
    }
    throw new Error(`not every run came to its end: ${this.#unfinished}`);
  }

  async #begin(): Promise<void> {
    this.#advance(0);
    await this.#database.query("INSERT INTO fabula.provider_limits VALUES ($1, $2, NULL, NULL)", [
      PROVIDER,
      this.#limit,
    ]);
    for (let index = 0; index < 2 + this.#whole(3); index++) await this.#queueRun(index);
    for (let index = 0; index < 2 + this.#whole(3); index++) await this.#join(index === 0 ? "1" : this.#version());
  }

  async #queueRun(index: number): Promise<void> {
    const calls = Array.from({ length: 1 + this.#whole(6) }, () => 1 + this.#whole(3));
    const run: SimulatedRun = {
      id: `run-${index}`,
      version: this.#version(),
      owner: ["ada", "ben", "chi"][this.#whole(3)]!,
      cap: 3 + this.#whole(40),
      calls,
      poison: new Set([...calls.keys()].filter(() => this.#random() < 0.1)),
      isPaused: false,
      isCancelled: false,
      waited: 0,
    };
    this.#runs.push(run);
    await this.#database.query(
      "INSERT INTO fabula.runs VALUES ($1, '[]', '', 'running', NULL, $2, '2026', 'w', '2026', NULL)",
      [run.id, run.cap],
    );
    await openSharedRun(this.#database, {
      run: run.id,
      version: run.version,
      owner: run.owner,
      priority: this.#whole(3),
      job: { kind: "score-items", options: {}, models: [], prices: null, refresh: false, pace: {} },
      maximumCost: run.cap,
      spentBefore: 0,
      limits: [{ provider: PROVIDER, concurrency: 100, requestsPerMinute: null, tokensPerMinute: null }],
    });
    const drafts = calls.map((_, position) => ({ label: `${run.id}/${position}`, data: { run: run.id, position } }));
    await queuePieces(this.#database, { id: run.id, version: run.version }, drafts, () => {});
  }

  async #join(version: string): Promise<void> {
    const id = `worker-${++this.#names}`;
    await registerWorker(this.#database, { id, version, judges: null });
    this.#workers.push({
      ...{ id, version, held: [], lastSign: this.#elapsed, asksFor: 0, spent: new Map(), sent: [] },
      ...{ granted: null, stoppedUntil: 0, cutOffUntil: 0, isDead: false, isGivenUp: false },
    });
    this.#say(`${id} of version ${version} joins`);
  }

  /** One thing that goes wrong, or that an operator does; most of the time nothing. */
  async #fault(): Promise<void> {
    const worker = this.#pick(this.#workers);
    const run = this.#pick(this.#runs);
    const chance = this.#random();
    if (chance < 0.02) this.#crash(worker, "crashes");
    else if (chance < 0.05) worker.stoppedUntil = this.#elapsed + this.#whole(40_000);
    else if (chance < 0.08) worker.cutOffUntil = this.#elapsed + this.#whole(40_000);
    else if (chance < 0.11) await this.#join(this.#version());
    else if (chance < 0.12) this.#advance(20_000 + this.#whole(60_000));
    // The database's clock is set back.
    else if (chance < 0.13) this.#setBack(this.#whole(20_000));
    else if (chance < 0.15) this.#pause(run, true);
    else if (chance < 0.19) this.#pause(run, false);
    else if (chance < 0.192 && !run.isCancelled && (await sharedRunState(this.#database, run.id)) !== "ended") {
      await closeSharedRun(this.#database, run.id);
      run.isCancelled = true;
      this.#say(`${run.id} is cancelled`);
    } else if (chance < 0.202) this.#leave(worker);
    if (chance < 0.13) this.#say(`fault ${chance.toFixed(3)} of ${worker.id}`);
  }

  #pause(run: SimulatedRun, isPaused: boolean): void {
    void setSharedRunState(this.#database.later, run.id, isPaused ? "paused" : "open");
    run.isPaused = isPaused;
  }

  #crash(worker: Worker, how: string): void {
    if (worker.isDead) return;
    worker.isDead = true;
    this.#crashes += 1;
    // What was on its way is charged all the same.
    for (const { key } of worker.sent.splice(0)) this.#charge(key);
    this.#say(`${worker.id} ${how} with ${worker.held.map(({ label }) => label).join(", ") || "nothing"}`);
  }

  /** In order: what it had sent was waited for, and what it had begun goes back. */
  #leave(worker: Worker): void {
    if (worker.isDead || worker.isGivenUp || worker.sent.length > 0) return;
    worker.isDead = true;
    this.#database.sendLater("SELECT fabula.leave_work($1)", [worker.id]);
    this.#say(`${worker.id} leaves with ${worker.held.map(({ label }) => label).join(", ") || "nothing"}`);
  }

  async #workerStep(worker: Worker): Promise<void> {
    if (worker.isDead || worker.isGivenUp || this.#elapsed < worker.stoppedUntil) return;
    this.#sendGranted(worker);
    const canReach = this.#elapsed >= worker.cutOffUntil;
    await this.#receive(worker, canReach);
    if (!canReach) return;
    // One that was stopped may act before its heartbeat does.
    const isLate = this.#random() < 0.2;
    const isHeard =
      !isLate && this.#elapsed - worker.lastSign > 2000 ? renewWorker(this.#database.later, worker.id) : null;
    if (this.#random() < 0.3) void recoverPieces(this.#database.later);
    const isBusyAlone = worker.held.some(({ attempts }) => attempts > 1);
    const hasRoom = worker.held.length < PIECES_AT_A_TIME && !isBusyAlone;
    const claimed = hasRoom ? await claimPiece(this.#database, claimantOf(worker), worker.held) : null;
    if (isHeard) {
      await this.#database.send();
      if (!(await isHeard)) {
        worker.isGivenUp = true;
        for (const { key } of worker.sent.splice(0)) this.#charge(key);
        this.#say(`${worker.id} learns that it was given up`);
        if (claimed) throw new Error(`${worker.id} was given up and took ${claimed.label}`);
        return;
      }
      worker.lastSign = this.#elapsed;
    }
    if (claimed) this.#take(worker, claimed);
    if (worker.held.length > 0) await this.#work(worker, this.#pick(worker.held));
    // As a real worker does that has nothing more to ask: another may need the permit.
    else if (worker.asksFor > worker.sent.length)
      void this.#sharePermits(this.#database.later, worker, worker.sent.length);
  }

  async #sharePermits(database: Database, worker: Worker, wanted: number): Promise<number> {
    worker.asksFor = wanted;
    const [permits] = await database.query("SELECT * FROM fabula.share_permits($1, '', $2, $3, $4, 1)", [
      PROVIDER,
      worker.id,
      worker.sent.length,
      wanted,
    ]);
    return Number(permits?.now_held);
  }

  #take(worker: Worker, piece: StartedPiece): void {
    if (piece.attempts > 1 && worker.held.length > 0) throw new Error(`${piece.label} is tried again, but not alone`);
    const mine = this.#runOf(piece);
    if (mine.version !== worker.version) throw new Error(`${worker.id} got a piece of another version`);
    this.#countWaits(mine);
    // The answer is lost on its way: the next claim gives the piece once more.
    if (this.#random() < 0.1) return;
    worker.held.push(piece);
    this.#say(`${worker.id} takes ${piece.label}, attempt ${piece.attempts}`);
  }

  /** A run that has work and nothing under way waits while pieces of others are begun. */
  #countWaits(served: SimulatedRun): void {
    this.#database.sendLater(
      `SELECT r.run_id FROM fabula.shared_runs r JOIN fabula.run_progress g USING (run_id)
       WHERE r.state = 'open' AND r.version = $1 AND g.queued > 0 AND g.working = 0 AND r.run_id <> $2
         AND r.owner <> $3 AND EXISTS (SELECT 1 FROM fabula.pieces p WHERE p.run_id = r.run_id AND p.state = 'queued' AND p.attempts = 0)`,
      [served.version, served.id, served.owner],
      (rows) => {
        const waiting = new Set(rows.map(({ run_id }) => run_id));
        for (const run of this.#runs) {
          run.waited = waiting.has(run.id) ? run.waited + 1 : 0;
          this.#longestWait = Math.max(this.#longestWait, run.waited);
        }
      },
    );
  }

  async #work(worker: Worker, piece: StartedPiece): Promise<void> {
    const run = this.#runOf(piece);
    if (run.isPaused || run.isCancelled) {
      if (worker.sent.some((sent) => sent.piece === piece)) return;
      void releasePiece(this.#database.later, piece, worker.id);
      worker.held.splice(worker.held.indexOf(piece), 1);
      return;
    }
    if (run.poison.has(piece.position)) return this.#crash(worker, "is ended by poison");
    const keys = Array.from({ length: run.calls[piece.position]! }, (_, at) => `${piece.label}/${at}`);
    const next = keys.find((key) => !this.#stored.has(key) && !worker.sent.some((sent) => sent.key === key));
    const isWaiting = keys.some((key) => worker.sent.some((sent) => sent.key === key));
    if (next !== undefined && !isWaiting) return this.#send(worker, piece, next);
    if (isWaiting) return;
    await this.#end(worker, piece, { result: worker.id, failedCalls: 0 });
  }

  async #end(worker: Worker, piece: StartedPiece, outcome: Parameters<typeof endPiece>[3]): Promise<void> {
    worker.held.splice(worker.held.indexOf(piece), 1);
    this.#say(`${worker.id} ends ${piece.label}`);
    // Sent again when no answer came: it may have arrived the first time.
    const times = this.#random() < 0.1 ? 2 : 1;
    if (this.#random() < 0.5) {
      for (let time = 0; time < times; time++) void endPiece(this.#database.later, piece, worker.id, outcome);
    } else {
      const claimed: (StartedPiece | null)[] = [];
      for (let time = 0; time < times; time++)
        claimed.push(await endAndClaim(this.#database, piece, outcome, claimantOf(worker), worker.held));
      const next = claimed.at(-1);
      if (next) this.#take(worker, next);
    }
  }

  async #send(worker: Worker, piece: StartedPiece, key: string): Promise<void> {
    if (this.#elapsed - worker.lastSign > SILENT_AFTER) return;
    if ((await this.#sharePermits(this.#database, worker, worker.sent.length + 1)) <= worker.sent.length) return;
    const [budget] = await this.#shareBudget(this.#database, worker, piece.run, [CALL_COST]);
    if (Number(budget!.granted) === 0) {
      if (Number(budget!.reserved_elsewhere) > 0 || this.#reserved(worker, piece.run) > 0) return;
      // The cap is reached: the piece ends with a gap.
      return this.#end(worker, piece, { result: worker.id, failedCalls: 1 });
    }
    worker.granted = { piece, key };
    // Stopped between the permission and the request.
    if (this.#random() < 0.1) {
      worker.stoppedUntil = this.#elapsed + this.#whole(40_000);
      this.#say(`${worker.id} is stopped just before it asks ${key}`);
    } else this.#sendGranted(worker);
  }

  #sendGranted(worker: Worker): void {
    const { granted } = worker;
    worker.granted = null;
    if (!granted || !worker.held.includes(granted.piece) || this.#elapsed - worker.lastSign > SILENT_AFTER) return;
    worker.sent.push({
      ...granted,
      cost: CALL_COST * (0.3 + 0.7 * this.#random()),
      endsAt: this.#elapsed + this.#whole(LONGEST_CALL),
    });
    const underWay = this.#workers.flatMap(({ sent }) => sent).filter(({ endsAt }) => endsAt > this.#elapsed).length;
    if (underWay > this.#limit) throw new Error(`${underWay} calls are under way, of ${this.#limit}`);
  }

  #reserved(worker: Worker, run: string): number {
    return worker.sent.filter(({ piece }) => piece.run === run).length * CALL_COST;
  }

  #shareBudget(database: Database, worker: Worker, run: string, wanted: readonly number[]) {
    return database.query("SELECT * FROM fabula.share_budget($1, $2, $3, $4, $5)", [
      run,
      worker.id,
      this.#reserved(worker, run),
      worker.spent.get(run) ?? 0,
      wanted,
    ]);
  }

  /** Replies arrive. They are stored and reported when the database can be reached; until then they wait. */
  async #receive(worker: Worker, canReach: boolean): Promise<void> {
    const arrived = worker.sent.find(({ endsAt }) => endsAt <= this.#elapsed);
    if (!arrived || !canReach) return;
    worker.sent.splice(worker.sent.indexOf(arrived), 1);
    this.#charge(arrived.key);
    this.#stored.add(arrived.key);
    const { run } = arrived.piece;
    worker.spent.set(run, (worker.spent.get(run) ?? 0) + arrived.cost);
    void this.#shareBudget(this.#database.later, worker, run, []);
  }

  #charge(key: string): void {
    this.#charged.set(key, (this.#charged.get(key) ?? 0) + 1);
  }

  /** The rules, checked with the next statement on what the tables hold now. */
  #check(): void {
    const { step } = this;
    this.#database.sendLater(RULES, [], ([found]) => {
      const row = found!;
      this.#unfinished = row.unfinished as string | null;
      for (const rule of ["miscounted", "overspent", "stale", "misjudged", "unended", "orphaned"])
        if (row[rule] !== null) throw new Error(`after step ${step}: ${rule}: ${row[rule]}`);
      if (Number(row.held) > this.#limit)
        throw new Error(`after step ${step}: ${row.held} permits are held, of ${this.#limit}`);
    });
  }

  async #outcome(): Promise<Omit<FleetOutcome, "seed">> {
    this.#check();
    const rows = await this.#database.query(
      "SELECT run_id, position, state, attempts, failed_calls FROM fabula.pieces",
    );
    let setAside = 0;
    for (const { run_id, position, state, failed_calls } of rows) {
      const run = this.#runs.find(({ id }) => id === run_id)!;
      if (run.isCancelled) continue;
      const isPoison = run.poison.has(Number(position));
      if (state === "dead") setAside += 1;
      if (isPoison && state !== "dead") throw new Error(`poison ${run_id}/${position} is ${state}`);
      if (state === "done" && failed_calls === 0) {
        const keys = Array.from({ length: run.calls[Number(position)]! }, (_, at) => `${run_id}/${position}/${at}`);
        const lost = keys.find((key) => !this.#stored.has(key));
        if (lost !== undefined) throw new Error(`${lost} was lost`);
      }
    }
    const times = [...this.#charged.values()];
    return {
      steps: this.step,
      crashes: this.#crashes,
      setAside,
      billed: times.reduce((sum, count) => sum + count, 0),
      billedTwice: times.reduce((sum, count) => sum + count - 1, 0),
      longestWait: this.#longestWait,
    };
  }

  #setBack(milliseconds: number): void {
    this.#now -= milliseconds;
    this.#database.setClock(this.#now);
  }

  #advance(milliseconds: number): void {
    this.#elapsed += milliseconds;
    this.#now += milliseconds;
    this.#database.setClock(this.#now);
  }

  #runOf({ run }: StartedPiece): SimulatedRun {
    return this.#runs.find(({ id }) => id === run)!;
  }

  #version(): string {
    return this.#random() < 0.6 ? "1" : "2";
  }

  #whole(below: number): number {
    return Math.floor(this.#random() * below);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#whole(from.length)]!;
  }

  #say(words: string): void {
    this.recent.push(`${this.step}: ${words}`);
    if (this.recent.length > 25) this.recent.shift();
  }
}
