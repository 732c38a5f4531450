import pg from "pg";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Random } from "../../core/random.ts";
import { type Address, addressOf } from "./address.ts";
import { isConnectionLost, isRetryable, isStarting, openingFailure, statementFailure } from "./failure.ts";
import { migrate } from "./migrate.ts";
import { inTransaction } from "./transaction.ts";

const CONNECTIONS = 8;
const CONNECT_MILLISECONDS = 10_000;
/** A connection that fell silent (a cable, a firewall) is given up after this; statements here take far less. */
const ANSWER_MILLISECONDS = 120_000;
/** About a minute in all: long enough for a server to restart or to hand over to another. */
const ATTEMPTS = 13;
const FIRST_WAIT_MILLISECONDS = 50;
const LONGEST_WAIT_MILLISECONDS = 8000;

export type Row = Readonly<Record<string, unknown>>;

export interface DatabaseOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly connections?: number;
}

/**
 * Pooled connections to one database that outlive a restart of the server. What it is asked to do may be done twice when
 * it is not known whether it succeeded, so every statement given to it must be harmless to repeat.
 */
export class Database {
  readonly address: Address;
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(location: string, { clock = systemClock, random = Math.random, connections }: DatabaseOptions = {}) {
    this.address = addressOf(location);
    this.#clock = clock;
    this.#random = random;
    this.#pool = new pg.Pool({
      connectionString: location,
      max: connections ?? CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      keepAlive: true,
      application_name: "fabula",
      types: numbersAsNumbers,
    });
    // A connection that dies while idle: a new one is opened when needed.
    this.#pool.on("error", () => {});
  }

  /** Connects, and brings the tables up to date. */
  async open(): Promise<void> {
    try {
      await this.#persist(isStarting, () => this.#withClient((client) => migrate(client, this.address)));
    } catch (error) {
      await this.close();
      throw openingFailure(error, this.address);
    }
  }

  query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.use(async (client) => {
      const query = { text, values: [...values], query_timeout: ANSWER_MILLISECONDS };
      return (await client.query<Row>(query)).rows;
    });
  }

  /** Several statements on one connection. Done again from the start when the connection breaks. */
  async use<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    try {
      return await this.#persist(isRetryable, () => this.#withClient(operation));
    } catch (error) {
      throw statementFailure(error, this.address);
    }
  }

  /** All of it or nothing. */
  transaction<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.use((client) => inTransaction(client, operation));
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #withClient<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    // Between two statements the connection is not awaited; its loss shows at the next one.
    const onError = () => {
      broken = true;
    };
    client.on("error", onError);
    try {
      return await operation(client);
    } catch (error) {
      broken ||= isConnectionLost(error);
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  async #persist<T>(isTransient: (error: unknown) => boolean, operation: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await operation();
      } catch (error) {
        if (attempt === ATTEMPTS || !isTransient(error) || this.#pool.ending) throw error;
        const wait = Math.min(LONGEST_WAIT_MILLISECONDS, FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1));
        // Many workers lose the same server at once and should not all come back in the same moment.
        await this.#clock.sleep(wait * (0.5 + this.#random() / 2));
      }
    }
  }
}

/** Counts and positions stay far below 2⁵³; the driver would give them as text. */
const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format === "binary" ? "binary" : "text"),
};
