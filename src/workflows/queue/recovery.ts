import { z } from "zod";
import type { Database } from "../../store/postgres/database.ts";
import type { Engine } from "./engine.ts";

const idRow = z.object({ id: z.string() });
const LOCK = 722_064_110;

/** Finds what was left behind: the pieces of workers that died, and pieces that this worker was given and never got. */
export class Recovery {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #worker: string;
  #strays = new Set<string>();

  constructor(database: Database, engine: Engine, worker: string) {
    this.#database = database;
    this.#engine = engine;
    this.#worker = worker;
  }

  /** The workers that were found dead and whose pieces were put back. */
  async look(underWay: ReadonlySet<string>): Promise<string[]> {
    await this.#putBackStrays(underWay);
    return this.#buryTheDead();
  }

  /** A connection that breaks while the queue hands over a piece leaves it with us, and us without it. */
  async #putBackStrays(underWay: ReadonlySet<string>): Promise<void> {
    const missing = (await this.#engine.taken(this.#worker)).filter((id) => !underWay.has(id));
    const twice = missing.filter((id) => this.#strays.has(id));
    this.#strays = new Set(missing);
    if (twice.length > 0) await this.#engine.putBack(twice);
  }

  async #buryTheDead(): Promise<string[]> {
    const silent = await this.#database.query(
      "SELECT id FROM fabula.workers WHERE state <> 'gone' AND id NOT IN (SELECT fabula.living_workers())",
    );
    const buried: string[] = [];
    for (const row of silent) {
      const { id } = idRow.parse(row);
      // One worker at a time, and only once: pieces that were put back may be under way with somebody else already.
      const isOurs = await this.#database.transaction(async (client) => {
        await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
        const { rowCount } = await client.query(
          "SELECT 1 FROM fabula.workers WHERE id = $1 AND state <> 'gone' AND id NOT IN (SELECT fabula.living_workers())",
          [id],
        );
        if (rowCount === 0) return false;
        const left = await this.#engine.taken(id);
        if (left.length > 0) await this.#engine.putBack(left);
        await client.query("DELETE FROM fabula.claims WHERE worker = $1", [id]);
        await client.query("UPDATE fabula.workers SET state = 'gone' WHERE id = $1", [id]);
        return true;
      });
      if (isOurs) buried.push(id);
    }
    return buried;
  }
}
