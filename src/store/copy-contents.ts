import { createHash, type Hash } from "node:crypto";
import type { ProgressListener } from "../core/progress.ts";
import { CONTENT_TABLES, type Contents, type ContentTable, identityOf, type Place, type RawRow } from "./contents.ts";
import type { RunEvent } from "./records.ts";
import { fromSafeText } from "./safe-text.ts";
import type { Store } from "./store.ts";

export interface CopyServices {
  readonly signal: AbortSignal;
  readonly onProgress?: ProgressListener;
}

/** What there was to copy, and how much of it was not yet in the other store or there in an earlier state. */
export interface CopyCount {
  readonly rows: number;
  readonly added: number;
}

/** By what is counted: requests, calls, runs, uses, batches, events. */
export type CopyCounts = Readonly<Record<string, CopyCount>>;

const FIRST_PAGE = 200;
const LARGEST_PAGE = 5000;
const PAGE_CHARACTERS = 8 * 1024 * 1024;
const RUNS_AT_A_TIME = 500;

/**
 * Adds to one store what another holds, page by page. Each page is written whole or not at all, and what is there already is
 * not sent again: an interrupted copy goes on where it was, and a second one adds nothing.
 */
export async function copyContents(from: Store, to: Store, services: CopyServices): Promise<CopyCounts> {
  const counts = new Map<string, CopyCount>();
  for (const table of CONTENT_TABLES) {
    counts.set(table.name, await copyTable(table, from.contents, to.contents, services));
  }
  counts.set("events", await copyEvents(from, to, services));
  await to.contents.settle();
  return Object.fromEntries(counts);
}

async function copyTable(
  table: ContentTable,
  from: Contents,
  to: Contents,
  { signal, onProgress }: CopyServices,
): Promise<CopyCount> {
  const total = await from.count(table);
  const isFresh = (await to.count(table)) === 0;
  let [rows, added] = [0, 0];
  for await (const page of isFresh ? wholePages(table, from) : missingPages(table, from, to)) {
    signal.throwIfAborted();
    if (page.rows.length > 0) added += await to.add(table, page.rows);
    rows += page.seen;
    onProgress?.({ stage: `Copying ${table.name}`, done: rows, total: Math.max(total, rows) });
  }
  return { rows, added };
}

/** A page of rows to be written, and how many rows of the source it stands for. */
interface CopyPage {
  readonly rows: readonly RawRow[];
  readonly seen: number;
}

async function* wholePages(table: ContentTable, from: Contents): AsyncGenerator<CopyPage> {
  for await (const rows of pagesOf(table, table.columns, from)) yield { rows, seen: rows.length };
}

/** Looks at identities and states first, and reads in full only what the other store lacks. */
async function* missingPages(table: ContentTable, from: Contents, to: Contents): AsyncGenerator<CopyPage> {
  const names = [...table.identity, ...table.state];
  let length = FIRST_PAGE;
  for await (const rows of pagesOf(table, names, from)) {
    const there = new Map((await to.find(table, names, rows)).map((row) => [identityOf(table, row), row]));
    const missing = rows.filter((row) => {
      const known = there.get(identityOf(table, row));
      return !known || table.isLater(row, known);
    });
    yield { rows: [], seen: rows.length - missing.length };
    for (let at = 0; at < missing.length; ) {
      const part = missing.slice(at, at + length);
      const whole = inOrder(table, part, await from.find(table, table.columns, part));
      yield { rows: whole, seen: part.length };
      at += part.length;
      length = lengthFor(whole);
    }
  }
}

function inOrder(table: ContentTable, order: readonly RawRow[], found: readonly RawRow[]): RawRow[] {
  const rows = new Map(found.map((row) => [identityOf(table, row), row]));
  return order.map((row) => rows.get(identityOf(table, row))).filter((row) => row !== undefined);
}

/** Pages as long as their rows are short: a page of whole novels must fit into memory as well as one of remarks. */
export async function* pagesOf(
  table: ContentTable,
  names: readonly string[],
  from: Contents,
): AsyncGenerator<readonly RawRow[]> {
  let limit = FIRST_PAGE;
  for (let after: Place | null = null; ; ) {
    const { rows, next } = await from.page(table, names, after, limit);
    if (rows.length > 0) yield rows;
    if (next === null) return;
    after = next;
    limit = lengthFor(rows);
  }
}

/** How long the page after this one may be, if its rows are like these. */
function lengthFor(rows: readonly RawRow[]): number {
  let characters = 1;
  for (const row of rows) {
    for (const value of Object.values(row)) characters += typeof value === "string" ? value.length : 8;
  }
  return Math.max(1, Math.min(LARGEST_PAGE, Math.floor((PAGE_CHARACTERS * rows.length) / characters)));
}

/** Events have no name to be known by: of equal ones in a run, as many are added as the other store lacks. */
async function copyEvents(from: Store, to: Store, { signal, onProgress }: CopyServices): Promise<CopyCount> {
  let [rows, added] = [0, 0];
  for await (const runId of runsWithEvents(from)) {
    signal.throwIfAborted();
    const events = await from.events(runId);
    const there = new Map<string, number>();
    for (const event of await to.events(runId)) {
      there.set(nameOf(event), (there.get(nameOf(event)) ?? 0) + 1);
    }
    const missing = events.filter((event) => {
      const left = there.get(nameOf(event)) ?? 0;
      there.set(nameOf(event), left - 1);
      return left <= 0;
    });
    await to.recordEvents(missing);
    rows += events.length;
    added += missing.length;
    onProgress?.({ stage: "Copying events", done: rows, total: null });
  }
  return { rows, added };
}

export async function* runsWithEvents({ contents }: Store): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const runs = await contents.runsWithEvents(after, RUNS_AT_A_TIME);
    yield* runs.map(fromSafeText);
    const last = runs.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

export function nameOf({ at, kind, detail }: RunEvent): string {
  return JSON.stringify([at, kind, detail]);
}

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
