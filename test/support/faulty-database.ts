import type pg from "pg";
import { seededRandom } from "../../src/core/random.ts";
import { Database } from "../../src/store/postgres/database.ts";
import { hurriedClock } from "./hurried-clock.ts";

/**
 * `unsent`: never executed. `unheard`: executed, but the connection breaks before the answer. `late`: executed, and not answered in
 * time. `refused`: it and all that follow fail for good.
 */
export type Fault = "unsent" | "unheard" | "late" | "refused";

/** Connections on which the statement of a certain number fails. */
export class FaultyDatabase extends Database {
  statements = 0;
  /** A worker that loses the database ends. */
  readonly lost = new AbortController();
  readonly #at: number;
  readonly #fault: Fault;

  constructor(location: string, at: number, fault: Fault) {
    super(location, { connections: 3, clock: hurriedClock, random: seededRandom(1) });
    this.#at = at;
    this.#fault = fault;
  }

  override use<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return super.use((client) =>
      operation(
        new Proxy(client, {
          get: (target, name) => {
            if (name !== "query") return Reflect.get(target, name, target);
            return (...words: Parameters<typeof target.query>) => this.#query(() => target.query(...words) as never);
          },
        }),
      ),
    );
  }

  async #query<T>(execute: () => Promise<T>): Promise<T> {
    this.statements += 1;
    const number = this.statements;
    if (this.#fault === "refused" && number >= this.#at) {
      setImmediate(() => this.lost.abort(new Error("refused")));
      throw Object.assign(new Error("refused"), { code: "XX000" });
    }
    if (number !== this.#at) return execute();
    if (this.#fault !== "unsent") await execute();
    if (this.#fault === "late") throw new Error("Query read timeout");
    throw Object.assign(new Error("connection terminated"), { code: "ECONNRESET" });
  }
}
