import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { SimulatedExchange, SimulatedServerOptions } from "../../src/testing/index.ts";
import { startChild } from "./child.ts";

interface ServerProcess {
  readonly url: string;
  exchanges(): Promise<readonly SimulatedExchange[]>;
  close(): void;
}

/** The simulated server apart from what is measured. */
export async function startServer(options: Omit<SimulatedServerOptions, "reply" | "clock">): Promise<ServerProcess> {
  const child = startChild("./serve.ts", JSON.stringify(options));
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    url,
    async exchanges() {
      child.send("exchanges");
      const [{ exchanges }] = (await once(child, "message")) as [{ exchanges: SimulatedExchange[] }];
      return exchanges;
    },
    close: () => child.disconnect(),
  };
}

interface ServerLoad {
  readonly transactionsPerSecond: number;
  /** Of one core. */
  readonly processorShare: number;
}

/** How much a PostgreSQL server on this machine has to do for a while, as it says itself and as the system says of its processes. */
export async function serverLoad(location: string, seconds: number): Promise<ServerLoad> {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  try {
    const look = async () => {
      // What sessions have done is reported with a delay of up to a second, by itself as soon as they are idle.
      const { rows } = await client.query(
        "SELECT (xact_commit + xact_rollback)::float8 AS transactions, pg_backend_pid() AS pid FROM pg_stat_database WHERE datname = current_database()",
      );
      const { transactions, pid } = rows[0] as { transactions: number; pid: number };
      return { transactions, processor: processorSeconds(parentOf(pid)), at: performance.now() / 1000 };
    };
    await look();
    await wait(2000);
    const before = await look();
    await wait(seconds * 1000);
    const after = await look();
    const passed = after.at - before.at;
    return {
      transactionsPerSecond: (after.transactions - before.transactions) / passed,
      processorShare: (after.processor - before.processor) / passed,
    };
  } finally {
    await client.end();
  }
}

function fieldsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
}

/** Of a connection's process it is the server. */
export function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1]);
}

function childrenOf(server: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && parentOf(pid) === server;
      } catch {
        return false;
      }
    });
}

/** What a PostgreSQL server and everything it has started hold in memory, what they share counted once. */
export function serverMegabytes(server: number): number {
  return [server, ...childrenOf(server)].reduce((sum, pid) => {
    try {
      return sum + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return sum;
    }
  }, 0);
}

/** Of the server and everything it has started, with what has already ended. */
export function processorSeconds(server: number): number {
  const ticks = (pid: number, fields: readonly number[]) => {
    try {
      const all = fieldsOf(pid);
      return fields.reduce((sum, field) => sum + Number(all[field]), 0);
    } catch {
      return 0;
    }
  };
  const own = ticks(server, [11, 12, 13, 14]);
  return (own + childrenOf(server).reduce((sum, pid) => sum + ticks(pid, [11, 12]), 0)) / 100;
}
