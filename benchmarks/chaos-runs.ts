/**
 * Five runs of three owners on one queue, done by workers of two releases while the newer takes over from the older. Workers are killed, stopped
 * for longer than a heartbeat may be late and woken again, and cut off from the database without either end being told; connections are dropped
 * and PostgreSQL restarts; the provider fails now and then. One run has a cap that is reached on the way.
 *
 *   npx tsx benchmarks/chaos-runs.ts [--calls 200] [--events 15] [--seed 1]
 *
 * Exits with 1 when something was lost or paid twice without a cause, when a cap or a limit was exceeded, or when a run starved.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { randomInteger, seededRandom } from "../src/core/random.ts";
import { createSimulatedServer, type SimulatedExchange, type SimulatedServer } from "../src/testing/index.ts";
import { spawnFabula } from "../test/e2e/run-fabula.ts";
import { type CutLine, cutLine } from "../test/support/cut-line.ts";
import { installBuild } from "../test/support/install-build.ts";
import { startPostgres, type TestPostgres } from "../test/support/postgres.ts";
import { startWorker, type WorkerProcess } from "../test/support/worker-process.ts";
import { busiestWindow, peakUnderWay } from "./support/arrivals.ts";
import {
  answered,
  ask,
  billedTwice,
  cost,
  dropConnections,
  FAULTS,
  firstWritesOf,
  keyOf,
  noteWrites,
  PRICE,
} from "./support/chaos.ts";
import { answering, madeQuestions } from "./support/made-library.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "200" },
    events: { type: "string", default: "15" },
    seed: { type: "string", default: "1" },
  },
});
const size = Number(values.calls);
const random = seededRandom(Number(values.seed));
const CONCURRENCY = 8;
const REQUESTS_PER_MINUTE = 900;
const LATENCY = [100, 700] as const;
/** Both workers of a release may be away for 30 s, be missed after 15, and take a while to start on a busy machine. */
const LONGEST_WAIT_MILLISECONDS = 90_000;
/** Two processes look at the same clock and round. */
const CLOCK_MILLISECONDS = 2;

const CAPPED = "e";
type Release = "older" | "newer";
interface Run {
  readonly name: string;
  readonly owner: string;
  readonly release: Release;
  readonly calls: number;
  readonly cap: number;
}
const RUNS: readonly Run[] = [
  { name: "a", owner: "ada", release: "older", calls: 2 * size, cap: 10 },
  { name: "b", owner: "ada", release: "older", calls: size, cap: 10 },
  { name: "c", owner: "ben", release: "older", calls: size, cap: 10 },
  { name: "d", owner: "ben", release: "newer", calls: size, cap: 10 },
  // Enough for about half of its calls.
  { name: CAPPED, owner: "chi", release: "newer", calls: size, cap: size * 0.00013 },
];

/** What was done to the fleet, and to which of its processes, if to one. */
interface Disturbance {
  readonly kind: "kill" | "stop" | "cut" | "drop" | "restart";
  readonly pid: number | null;
  readonly from: number;
  until: number;
}

/** A request as the provider saw it, by the worker that sent it, and when that worker handed it to the network. */
interface Sent {
  readonly exchange: SimulatedExchange;
  readonly pid: number;
  readonly handed: number;
}

/** The build of each worker that there was. */
const releaseOf = new Map<number, string>();

/** A place for a worker, which is started again there when it ends, as whoever runs it would. */
class Place {
  worker: WorkerProcess;
  isBusy = false;
  isOver = false;
  readonly line: CutLine | null;
  readonly #store: string;
  readonly #environment: Readonly<Record<string, string>>;
  #build: string;

  constructor(store: string, build: string, line: CutLine | null, requests: string) {
    this.#store = line ? line.through(store) : store;
    this.#build = build;
    this.line = line;
    const preload = join(import.meta.dirname, "support", "report-requests.cjs");
    this.#environment = { NODE_OPTIONS: `--require ${preload}`, FABULA_BENCHMARK_REQUESTS: requests };
    this.worker = this.#start();
  }

  #start(): WorkerProcess {
    const worker = startWorker(this.#store, [], this.#environment, this.#build);
    releaseOf.set(worker.child.pid ?? 0, this.#build);
    worker.ended.then(async () => {
      await wait(500);
      if (!this.isOver) this.worker = this.#start();
    });
    return worker;
  }

  get isReady(): boolean {
    return this.worker.child.exitCode === null && this.worker.log.some(({ event }) => event === "ready");
  }

  /** As a rolling upgrade does: it finishes what it has sent, ends, and comes back as the newer. */
  async upgrade(build: string): Promise<void> {
    this.#build = build;
    this.worker.child.kill("SIGTERM");
    await this.worker.ended;
  }

  async end(): Promise<void> {
    this.isOver = true;
    this.worker.child.kill("SIGKILL");
    await this.worker.ended;
    await this.line?.close();
  }
}

function drawKind(): Disturbance["kind"] {
  const draw = random();
  if (draw < 0.35) return "kill";
  if (draw < 0.6) return "stop";
  if (draw < 0.85) return "cut";
  return draw < 0.93 ? "drop" : "restart";
}

/** Does something to the fleet, unless no worker is there for it; what takes a while goes on by itself. */
async function disturb(
  kind: Disturbance["kind"],
  places: readonly Place[],
  postgres: TestPostgres,
  store: string,
): Promise<Disturbance | null> {
  const able = places.filter(({ isReady, isBusy, line }) => isReady && !isBusy && (kind !== "cut" || line));
  const victim = able[randomInteger(random, Math.max(1, able.length))];
  // A stop and a cut last longer than the others wait for a heartbeat.
  const lasts = 18_000 + randomInteger(random, 12_000);
  const from = Date.now();
  const isOfOne = kind !== "drop" && kind !== "restart";
  const event = { kind, from, until: from, pid: isOfOne ? (victim?.worker.child.pid ?? null) : null };
  if (kind === "drop") await dropConnections(store);
  else if (kind === "restart") await postgres.restart(random() < 0.5 ? "fast" : "crash");
  else if (!victim) return null;
  else if (kind === "kill") {
    victim.worker.child.kill("SIGKILL");
    await victim.worker.ended;
  } else {
    victim.isBusy = true;
    const { worker } = victim;
    if (kind === "stop") worker.child.kill("SIGSTOP");
    else victim.line!.cut();
    void wait(lasts).then(() => {
      if (kind === "stop") worker.child.kill("SIGCONT");
      else victim.line!.mend();
      event.until = Date.now();
      victim.isBusy = false;
    });
    event.until = Number.POSITIVE_INFINITY;
    return event;
  }
  event.until = Date.now();
  return event;
}

/** Has the database write down when it declared a worker gone that had fallen silent. One that leaves in order says so itself. */
async function noteGone(store: string): Promise<void> {
  await ask(
    store,
    `CREATE TABLE public.gone (worker TEXT, at TIMESTAMPTZ DEFAULT clock_timestamp());
     CREATE FUNCTION public.note_gone() RETURNS TRIGGER LANGUAGE plpgsql AS $$
       BEGIN INSERT INTO public.gone (worker) VALUES (new.id); RETURN NULL; END
     $$;
     CREATE TRIGGER note_gone AFTER UPDATE ON fabula.workers FOR EACH ROW
       WHEN (new.state = 'gone' AND old.state <> 'gone' AND new.seen_at = old.seen_at) EXECUTE FUNCTION public.note_gone()`,
  );
}

/** When each process was declared gone. */
async function goneOf(store: string): Promise<Map<number, number>> {
  const rows = await ask(store, "SELECT worker, at FROM public.gone");
  return new Map(rows.map(({ worker, at }) => [Number(String(worker).split(":")[1]), (at as Date).getTime()]));
}

const noteSchema = z.object({
  what: z.enum(["handed", "sent"]),
  key: z.string(),
  pid: z.number(),
  at: z.number(),
});

/** Which worker sent each request, from what the workers wrote down: of those with the same key, in their order. */
function sentBy(exchanges: readonly SimulatedExchange[], notes: string): Sent[] {
  const handed = new Map<string, number>();
  const sent = new Map<string, { pid: number; at: number; handed: number }[]>();
  for (const line of notes.split("\n").filter(Boolean)) {
    const { what, key, pid, at } = noteSchema.parse(JSON.parse(line));
    if (what === "handed") handed.set(`${pid} ${key}`, at);
    else sent.set(key, [...(sent.get(key) ?? []), { pid, at, handed: handed.get(`${pid} ${key}`) ?? at }]);
  }
  return exchanges
    .filter(({ idempotencyKey }) => idempotencyKey !== null)
    .toSorted((left, right) => left.at - right.at)
    .map((exchange) => {
      const of = sent.get(exchange.idempotencyKey!) ?? [];
      // What was sent and never arrived, because its worker was killed, is passed over.
      const last = of.filter(({ at }) => at <= exchange.at + CLOCK_MILLISECONDS).at(-1) ?? of[0];
      if (!last) throw new Error(`nobody wrote down that ${exchange.idempotencyKey} was sent`);
      of.splice(0, of.indexOf(last) + 1);
      return { exchange, pid: last.pid, handed: last.handed };
    });
}

const words = (out: string, { name, cap }: Run, server: SimulatedServer, prices: string) => [
  ...answering(out, server.judge(name)),
  ...["--prices", prices, "--max-cost", String(cap)],
];

const folder = await mkdtemp(join(tmpdir(), "fabula-chaos-runs-"));
const postgres = await startPostgres();
const builds = {
  older: await installBuild(join(folder, "older"), "0.1.0"),
  newer: await installBuild(join(folder, "newer"), "0.2.0"),
};
const store = await postgres.freshDatabase();
const server = await createSimulatedServer({ latency: LATENCY, faults: FAULTS, seed: 7 });
const places: Place[] = [];
const failures: string[] = [];
const mustHold = (holds: boolean, rule: string) => {
  if (!holds) failures.push(rule);
};
try {
  const prices = join(folder, "prices.yaml");
  const priced = RUNS.map(({ name }) => `  "${server.judge(name)}": ${JSON.stringify(PRICE)}\n`);
  await writeFile(prices, `date: 2026-01-01\nmodels:\n${priced.join("")}`);
  for (const { name, calls } of RUNS) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "questions.jsonl"), madeQuestions(calls));
  }
  await noteWrites(store);
  await noteGone(store);
  const requests = join(folder, "requests.jsonl");
  const provider = new URL(server.url).host;
  const limits = ["--concurrency", String(CONCURRENCY), "--requests-per-minute", String(REQUESTS_PER_MINUTE)];
  const set = await spawnFabula(["limits", provider, ...limits], { environment: { FABULA_STORE: store } });
  if (set.code !== 0) throw new Error(set.stderr);
  for (let number = 0; number < 4; number++)
    places.push(new Place(store, builds.older, number % 2 === 0 ? await cutLine(postgres.port) : null, requests));

  const started = Date.now();
  let running = RUNS.length;
  const queue = async (run: Run) => {
    const environment = { FABULA_STORE: store, FABULA_OWNER: run.owner };
    const options = { folder: join(folder, run.name), environment, build: builds[run.release] };
    const { code, stderr } = await spawnFabula(words("out.jsonl", run, server, prices), options);
    running -= 1;
    console.error(`  ${((Date.now() - started) / 1000).toFixed(0)} s: run ${run.name} ended with ${code}`);
    return { code, stderr, id: /Run (\S+) is queued/.exec(stderr)?.[1] ?? "" };
  };
  const older = RUNS.filter(({ release }) => release === "older").map(queue);
  const newer: typeof older = [];
  const events: Disturbance[] = [];
  let next = drawKind();
  const total = RUNS.reduce((sum, { calls }) => sum + calls, 0) - size / 2;
  let upgraded = 0;
  const upgrade = async (place: Place) => {
    console.error(`  ${((Date.now() - started) / 1000).toFixed(0)} s: a worker of the newer release takes a place`);
    upgraded += 1;
    await place.upgrade(builds.newer);
  };
  const olderOver = Promise.all(older);
  let isOlderOver = false;
  void olderOver.then(() => {
    isOlderOver = true;
  });
  while (running > 0) {
    await wait(50);
    const share = answered(server.exchanges) / total;
    // Two places change while the older runs go on, the other two when these are over.
    if (upgraded < 1 && share > 0.15) {
      await upgrade(places[0]!);
      newer.push(...RUNS.filter(({ release }) => release === "newer").map(queue));
    } else if (upgraded === 1 && share > 0.4) await upgrade(places[1]!);
    else if (upgraded >= 2 && upgraded < 4 && isOlderOver) await upgrade(places[upgraded]!);
    else if (events.length < Number(values.events) && share > (events.length + 1) / (Number(values.events) + 1)) {
      const event = await disturb(next, places, postgres, store);
      if (!event) continue;
      events.push(event);
      next = drawKind();
      console.error(`  ${((event.from - started) / 1000).toFixed(0)} s: ${event.kind}`);
    }
    if (running === newer.length && newer.length === 0 && isOlderOver)
      throw new Error("the newer runs were never queued");
  }
  const ended = [...(await olderOver), ...(await Promise.all(newer))];
  const seconds = (Date.now() - started) / 1000;
  for (const place of places.splice(0)) await place.end();

  const exchanges = [...server.exchanges];
  const firstWrites = await firstWritesOf(store);
  const runOf = new Map(
    (await ask(store, "SELECT key, run_id FROM fabula.uses")).map(({ key, run_id }) => [key, run_id]),
  );
  const sent = sentBy(exchanges, await readFile(requests, "utf8"));
  await server.close();
  const quiet = await createSimulatedServer({ port: Number(new URL(server.url).port), seed: 7 });
  const count = (kind: Disturbance["kind"]) => events.filter((event) => event.kind === kind).length;
  console.log(
    `${RUNS.length} runs of 3 owners, ${exchanges.length} requests, 4 workers of 2 releases, ${CONCURRENCY} calls at a time and ${REQUESTS_PER_MINUTE} a minute over all; ` +
      `${count("kill")} kills, ${count("stop")} stopped and ${count("cut")} cut off for 18 to 30 s, ${count("drop")} times all connections dropped, ${count("restart")} restarts; ${seconds.toFixed(0)} s`,
  );
  console.log(
    "run owner release  calls  asked, found, failed  ended with  billed (cap)        identical  longest wait",
  );
  for (const [at, run] of RUNS.entries()) {
    const { id, code, stderr } = ended[at]!;
    const own = exchanges.filter(({ idempotencyKey }) => idempotencyKey && runOf.get(keyOf(idempotencyKey)) === id);
    const [row] = await ask(
      store,
      `SELECT count(*) FILTER (WHERE outcome = 'asked')::int AS asked, count(*) FILTER (WHERE outcome = 'cached')::int AS found,
         count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
         (SELECT queued_at FROM fabula.shared_runs WHERE run_id = '${id}') AS queued_at FROM fabula.uses WHERE run_id = '${id}'`,
    );
    const billed = own.reduce((sum, exchange) => sum + (exchange.billed ? cost(exchange.billed) : 0), 0);
    const moments = [(row!.queued_at as Date).getTime(), ...own.map((exchange) => exchange.at)].sort((a, b) => a - b);
    const gaps = moments.slice(1).map((to, index) => ({ from: moments[index]!, to }));
    const longest = gaps.reduce((most, gap) => (gap.to - gap.from > most.to - most.from ? gap : most), {
      from: 0,
      to: 0,
    });
    const during = events
      .filter(({ from, until }) => from < longest.to && until > longest.from)
      .map(({ kind }) => kind);
    const meanwhile = sent.filter(({ exchange: { at } }) => at > longest.from && at < longest.to);
    const able = meanwhile.filter(({ pid }) => releaseOf.get(pid) === builds[run.release]).length;
    const wait = `${((longest.to - longest.from) / 1000).toFixed(1)} s, ${meanwhile.length} requests of others, ${able} by workers of its release`;
    const alone = await spawnFabula(
      [...words("alone.jsonl", { ...run, cap: 10 }, server, prices), "--concurrency", "50"],
      {
        folder: join(folder, run.name),
        environment: { FABULA_STORE: join(folder, run.name, "alone.db") },
      },
    );
    if (alone.code !== 0) throw new Error(alone.stderr);
    const [one, other] = await Promise.all(
      ["out.jsonl", "alone.jsonl"].map((file) => readFile(join(folder, run.name, file), "utf8").catch(() => file)),
    );
    console.log(
      [
        run.name.padEnd(3),
        run.owner.padEnd(5),
        run.release.padEnd(7),
        String(run.calls).padStart(6),
        `${row!.asked}, ${row!.found}, ${row!.failed}`.padStart(21),
        String(code).padStart(10),
        `  $${billed.toFixed(4)} ($${run.cap.toFixed(4)})`.padEnd(22),
        (one === other ? "yes" : "no").padEnd(9),
        own.length === 0 ? "nothing was sent" : `${wait}${during.length > 0 ? `, during ${during.join(", ")}` : ""}`,
      ].join(" "),
    );
    if (code === 1) console.log(stderr);
    mustHold(billed <= run.cap, `run ${run.name} was billed more than its cap`);
    mustHold(run.name === CAPPED || (code === 0 && one === other), `run ${run.name} lost something`);
    mustHold(longest.to - longest.from <= LONGEST_WAIT_MILLISECONDS, `run ${run.name} starved`);
  }
  await quiet.close();
  const gone = await goneOf(store);
  // What no program can take back: it was with the network when its process was stopped, and left when that was woken.
  const leftLate = new Set(
    sent
      .filter(({ exchange, pid, handed }) =>
        events.some(
          (event) => event.kind === "stop" && event.pid === pid && handed <= event.from && exchange.at >= event.until,
        ),
      )
      .map(({ exchange }) => exchange),
  );
  const written = (key: string) => firstWrites.get(keyOf(key)) ?? Number.POSITIVE_INFINITY;
  // Of two that were billed for the same, the earlier had no answer in the store when its worker was declared gone, and the later was sent
  // after that; or one of them left late.
  const isExcused = (key: string) => {
    const paid = sent.filter(({ exchange }) => exchange.idempotencyKey === key && exchange.outcome === "answered");
    return paid.slice(1).every(({ exchange }, before) => {
      const earlier = paid[before]!;
      const lost = gone.get(earlier.pid) ?? Number.POSITIVE_INFINITY;
      const wasLost = lost <= exchange.at + CLOCK_MILLISECONDS && written(key) >= lost;
      return wasLost || leftLate.has(exchange) || leftLate.has(earlier.exchange);
    });
  };
  const twice = billedTwice(exchanges);
  const stored = sent.filter(({ exchange }) => exchange.at > written(exchange.idempotencyKey!) + CLOCK_MILLISECONDS);
  const inTime = exchanges.filter((exchange) => !leftLate.has(exchange));
  const [left] = await ask(
    store,
    "SELECT count(*) FILTER (WHERE state = 'dead')::int AS dead, count(*) FILTER (WHERE state IN ('queued', 'working'))::int AS unfinished FROM fabula.pieces",
  );
  console.log(`requests that left when a stopped worker was woken  ${leftLate.size}`);
  console.log(
    `calls at a time, at most; without those  ${peakUnderWay(exchanges)}, ${peakUnderWay(inTime)} of ${CONCURRENCY}`,
  );
  console.log(`requests in any minute, at most          ${busiestWindow(exchanges, 60_000)} of ${REQUESTS_PER_MINUTE}`);
  console.log(`calls billed twice                       ${twice.length}`);
  console.log(`  unstored when their worker was declared gone, or left late ${twice.filter(isExcused).length}`);
  console.log(
    `requests sent after their answer was stored, of them left late ${stored.length}, ${stored.filter(({ exchange }) => leftLate.has(exchange)).length}`,
  );
  console.log(`pieces set aside, unfinished             ${left!.dead}, ${left!.unfinished}`);
  mustHold(peakUnderWay(inTime) <= CONCURRENCY, "too many calls were under way");
  mustHold(busiestWindow(exchanges, 60_000) <= REQUESTS_PER_MINUTE, "a minute had too many requests");
  mustHold(twice.every(isExcused), "a call was billed twice for no reason");
  mustHold(
    stored.every(({ exchange }) => leftLate.has(exchange)),
    "a request was sent after its answer was stored",
  );
  mustHold(left!.dead === 0 && left!.unfinished === 0, "pieces were set aside or left over");
  const unexplained = new Set([
    ...twice.filter((key) => !isExcused(key)),
    ...stored.filter(({ exchange }) => !leftLate.has(exchange)).map(({ exchange }) => exchange.idempotencyKey!),
  ]);
  const at = (moment: number | null | undefined) =>
    Number.isFinite(moment) ? ((moment! - started) / 1000).toFixed(3) : "never";
  for (const key of unexplained) {
    console.log(`${key}: its answer was stored at ${at(written(key))}`);
    for (const { exchange, pid, handed } of sent.filter(({ exchange: { idempotencyKey } }) => idempotencyKey === key)) {
      const own = events.filter((event) => event.pid === pid);
      console.log(
        `  by ${pid}: handed over ${at(handed)}, arrived ${at(exchange.at)}, ${exchange.outcome} by ${at(exchange.endedAt)}; ` +
          `declared gone ${at(gone.get(pid))}; ${own.map(({ kind, from, until }) => `${kind} ${at(from)} to ${at(until)}`).join(", ")}`,
      );
    }
  }
  for (const rule of failures) console.log(`FAILED: ${rule}`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  for (const place of places) await place.end();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}
