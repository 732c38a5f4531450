import { createHash, type Hash } from "node:crypto";
import { CONTENT_TABLES, identityOf, type RawRow } from "./contents.ts";
import { type CopyServices, nameOf, pagesOf, runsWithEvents } from "./copy-contents.ts";
import type { Store } from "./store.ts";

export interface Comparison {
  /** Of everything the first store holds, and of the same things in the second: SHA-256, equal when nothing differs. */
  readonly digests: readonly [string, string];
  readonly rows: number;
  /** In a later state in the second store, and so left out of both digests. */
  readonly later: number;
  /** Missing in the second store, or another there, by name; the first few. */
  readonly different: readonly string[];
  readonly differences: number;
}

const NAMED = 5;

/** Reads both stores again, from the beginning, and compares everything the first holds with what the second has of it. */
export async function compareContents(one: Store, other: Store, services: CopyServices): Promise<Comparison> {
  const tally = new Tally();
  for (const table of CONTENT_TABLES) {
    const total = await one.contents.count(table);
    const before = tally.rows;
    tally.begin(table.name);
    for await (const rows of pagesOf(table, table.columns, one.contents)) {
      services.signal.throwIfAborted();
      const found = await other.contents.find(table, table.columns, rows);
      const there = new Map(found.map((row) => [identityOf(table, row), row]));
      for (const row of rows) {
        const counterpart = there.get(identityOf(table, row));
        if (counterpart && table.isLater(counterpart, row)) tally.later += 1;
        else
          tally.compare(
            `${table.name} ${identityOf(table, row)}`,
            textOf(table.columns, row),
            counterpart && textOf(table.columns, counterpart),
          );
      }
      const done = tally.rows - before;
      services.onProgress?.({ stage: `Comparing ${table.name}`, done, total: Math.max(total, done) });
    }
  }
  await compareEvents(one, other, tally, services);
  return tally.result();
}

async function compareEvents(one: Store, other: Store, tally: Tally, { signal }: CopyServices): Promise<void> {
  tally.begin("events");
  for await (const runId of runsWithEvents(one)) {
    signal.throwIfAborted();
    const there = new Map<string, number>();
    for (const event of await other.events(runId)) there.set(nameOf(event), (there.get(nameOf(event)) ?? 0) + 1);
    for (const name of (await one.events(runId)).map(nameOf).sort()) {
      const left = there.get(name) ?? 0;
      there.set(name, left - 1);
      tally.compare(`event of ${runId}`, runId + name, left > 0 ? runId + name : undefined);
    }
  }
}

function textOf(columns: readonly string[], row: RawRow): string {
  return JSON.stringify(columns.map((name) => row[name]));
}

class Tally {
  readonly #hashes: readonly [Hash, Hash] = [createHash("sha256"), createHash("sha256")];
  readonly #different: string[] = [];
  #differences = 0;
  #compared = 0;
  later = 0;

  get rows(): number {
    return this.#compared + this.later;
  }

  begin(part: string): void {
    for (const hash of this.#hashes) hash.update(`${part}\n`);
  }

  compare(name: string, text: string, counterpart: string | undefined): void {
    this.#compared += 1;
    this.#hashes[0].update(`${text}\n`);
    if (counterpart !== undefined) this.#hashes[1].update(`${counterpart}\n`);
    if (text === counterpart) return;
    this.#differences += 1;
    if (this.#different.length < NAMED) this.#different.push(name);
  }

  result(): Comparison {
    return {
      digests: [this.#hashes[0].digest("hex"), this.#hashes[1].digest("hex")],
      rows: this.rows,
      later: this.later,
      different: this.#different,
      differences: this.#differences,
    };
  }
}
