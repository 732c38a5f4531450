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
