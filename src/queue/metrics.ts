import { z } from "zod";
import type { RunnerEvent } from "../runner/runner-event.ts";
import type { Database } from "../store/postgres/database.ts";
import { queueState } from "./pieces.ts";

/** A value at this moment. */
export interface Gauge {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Counters, in the text format that Prometheus reads. */
export class Metrics {
  readonly #counters = new Map<string, number>();

  count(name: string, labels: Readonly<Record<string, string>> = {}, amount = 1): void {
    const key = series(name, labels);
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + amount);
  }

  /** Sets a counter that is counted elsewhere. */
  set(name: string, labels: Readonly<Record<string, string>>, value: number): void {
    this.#counters.set(series(name, labels), value);
  }

  note(event: RunnerEvent): void {
    switch (event.kind) {
      case "answered":
        this.count("fabula_calls_total", { outcome: "answered", model: event.model });
        if (event.cost === null) this.count("fabula_unpriced_calls_total", { model: event.model });
        else this.count("fabula_cost_dollars_total", { model: event.model }, event.cost);
        return;
      case "cached":
      case "failed":
      case "retried":
        this.count("fabula_calls_total", { outcome: event.kind, model: event.model });
        return;
      default:
        return;
    }
  }

  /** The counters and these gauges in Prometheus's text format. */
  text(gauges: readonly Gauge[]): string {
    const lines = [...this.#counters].map(([key, value]) => `${key} ${value}`);
    const names = new Set(lines.map((line) => line.split(/[{ ]/)[0]!));
    const counters = [...names].flatMap((name) => [
      `# TYPE ${name} counter`,
      ...lines.filter((line) => line.split(/[{ ]/)[0] === name).sort(),
    ]);
    const gaugeNames = [...new Set(gauges.map(({ name }) => name))];
    const measured = gaugeNames.flatMap((name) => [
      `# TYPE ${name} gauge`,
      ...gauges.filter((gauge) => gauge.name === name).map(({ labels, value }) => `${series(name, labels)} ${value}`),
    ]);
    return `${[...counters, ...measured].join("\n")}\n`;
  }
}

function series(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

/** How many pieces of all open runs are waiting and how many are being worked on. */
export async function queueGauges(database: Pick<Database, "query">): Promise<Gauge[]> {
  const queue = await queueState(database);
  return [
    { name: "fabula_queue_pieces", labels: { state: "queued" }, value: queue.queued },
    { name: "fabula_queue_pieces", labels: { state: "working" }, value: queue.working },
    { name: "fabula_queue_pieces", labels: { state: "set aside" }, value: queue.set_aside },
    { name: "fabula_queue_stuck_pieces", labels: {}, value: queue.stuck },
    { name: "fabula_queue_oldest_seconds", labels: {}, value: queue.oldest_seconds },
    { name: "fabula_queue_crashes", labels: {}, value: queue.crashes },
  ];
}

const countsRow = z.object({ crashes: z.number(), retries: z.number(), dead: z.number(), done: z.number() });
const spendingRow = z.object({ model: z.string(), owner: z.string(), cost: z.number(), calls: z.number() });
const waitsRow = z.object({ provider: z.string(), seconds: z.number() });
const workersRow = z.object({ state: z.string(), count: z.number() });

/**
 * The metrics of all workers, from the database: they are there when no worker runs, and include what a worker's own metrics lose
 * when it ends.
 */
export async function fleetMetrics(database: Pick<Database, "query">): Promise<string> {
  const metrics = new Metrics();
  const [counted] = await database.query(
    `SELECT coalesce(sum(crashes), 0) AS crashes, coalesce(sum(retries), 0) AS retries, coalesce(sum(dead), 0) AS dead,
       coalesce(sum(finished), 0)::bigint AS done FROM fabula.run_progress`,
  );
  const { crashes, retries, dead, done } = countsRow.parse(counted);
  metrics.set("fabula_fleet_crashes_total", {}, crashes);
  metrics.set("fabula_fleet_retries_total", {}, retries);
  metrics.set("fabula_fleet_pieces_done_total", {}, done);
  const spent = await database.query(
    `SELECT t.model, coalesce(r.owner, '') AS owner, sum(t.cost)::double precision AS cost, sum(t.calls)::bigint AS calls
     FROM fabula.run_totals t LEFT JOIN fabula.shared_runs r USING (run_id) WHERE t.outcome <> 'cached'
     GROUP BY t.model, coalesce(r.owner, '')`,
  );
  for (const row of spent) {
    const { model, owner, cost, calls } = spendingRow.parse(row);
    metrics.set("fabula_fleet_cost_dollars_total", { model, owner }, cost);
    metrics.set("fabula_fleet_calls_total", { model, owner }, calls);
  }
  const waits = await database.query("SELECT provider, seconds FROM fabula.permit_waits");
  for (const { provider, seconds } of waits.map((row) => waitsRow.parse(row)))
    metrics.set("fabula_fleet_permit_waited_seconds_total", { provider }, seconds);
  const workers = await database.query(
    "SELECT state, count(*) AS count FROM fabula.workers WHERE id IN (SELECT fabula.heard_workers()) GROUP BY state",
  );
  const present = new Map(workers.map((row) => workersRow.parse(row)).map(({ state, count }) => [state, count]));
  return metrics.text([
    ...(await queueGauges(database)),
    { name: "fabula_fleet_dead_pieces", labels: {}, value: dead },
    ...["working", "draining", "alone"].map((state) => ({
      name: "fabula_fleet_workers",
      labels: { state },
      value: present.get(state) ?? 0,
    })),
  ]);
}
