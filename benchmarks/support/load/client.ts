import { setTimeout as wait } from "node:timers/promises";
import type { BookDetails } from "../../../src/api/books.ts";
import type { Job } from "../../../src/api/jobs.ts";
import { type Random, randomInteger } from "../../../src/core/random.ts";
import { draftOf } from "../../../test/support/stories.ts";

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** What the clients saw together. */
export class LoadCounts {
  /** Milliseconds of every page and list that an honest client asked for. */
  readonly pages: number[] = [];
  readonly uploads: number[] = [];
  evaluations = 0;
  evaluated = 0;
  left = 0;
  attacks = 0;
  /** What an honest client was refused or not answered. */
  readonly problems: string[] = [];
}

/** One visitor with an address of its own: the server tells visitors apart by what its proxy says. */
export class Client {
  readonly #server: Address;
  readonly #over: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;

  constructor(server: Address, place: number, over: AbortSignal) {
    this.#server = server;
    this.#over = over;
    this.headers = {
      authorization: `Bearer ${server.token}`,
      "x-fabula": "1",
      "x-forwarded-for": `10.0.${Math.floor(place / 250)}.${1 + (place % 250)}`,
    };
  }

  send(path: string, options: RequestInit = {}): Promise<Response> {
    const signal = options.signal ? AbortSignal.any([options.signal, this.#over]) : this.#over;
    return fetch(this.#server.url + path, { ...options, signal, headers: { ...this.headers, ...options.headers } });
  }

  json(path: string, body: unknown, options: RequestInit = {}): Promise<Response> {
    return this.send(path, {
      method: "POST",
      body: JSON.stringify(body),
      ...options,
      headers: { "content-type": "application/json" },
    });
  }

  upload(name: string, content: string | Uint8Array, signal?: AbortSignal): Promise<Response> {
    const form = new FormData();
    form.set("file", new Blob([typeof content === "string" ? content : new Uint8Array(content)]), name);
    return this.send("/api/books", { method: "POST", body: form, ...(signal && { signal }) });
  }
}

export interface Visit {
  readonly random: Random;
  readonly counts: LoadCounts;
  readonly number: number;
  /** When everyone leaves. */
  readonly over: AbortSignal;
}

const PAGES = ["/", "/api/about", "/api/books", "/api/jobs", "/api/runs"];
const MOST_CHAPTERS = 8;

/** Reads pages, uploads a book, has it judged, watches for a while, leaves, and now and then takes the book away again. */
export async function honestVisit(client: Client, { random, counts, number, over }: Visit): Promise<void> {
  const page = async (path: string) => {
    const started = performance.now();
    const response = await client.send(path);
    await response.arrayBuffer();
    counts.pages.push(performance.now() - started);
    if (!response.ok) counts.problems.push(`${path}: ${response.status}`);
  };
  for (let left = 1 + randomInteger(random, 5); left > 0; left--) {
    await page(PAGES[randomInteger(random, PAGES.length)]!);
    await wait(200 + random() * 1500);
  }
  if (random() < 0.6) return;
  const started = performance.now();
  const text = draftOf(`Visit ${number}`, 1 + randomInteger(random, MOST_CHAPTERS));
  const uploaded = await client.upload(`visit-${number}.md`, text);
  counts.uploads.push(performance.now() - started);
  if (uploaded.status !== 201) {
    counts.problems.push(`upload: ${uploaded.status} ${await uploaded.text()}`);
    return;
  }
  const { id } = (await uploaded.json()) as BookDetails;
  await page(`/api/books/${id}`);
  await page(`/api/books/${id}/chapters/1`);
  if (random() < 0.5) await judgeAndWatch(client, { random, counts, over }, id);
  await page(`/api/books/${id}`);
  // A library grows without end otherwise, and a leak could not be told from it. A busy book is taken away by no one.
  const gone = await client.send(`/api/books/${id}`, { method: "DELETE" });
  if (!gone.ok && gone.status !== 409) counts.problems.push(`delete: ${gone.status} ${await gone.text()}`);
}

async function judgeAndWatch(
  client: Client,
  { random, counts, over }: Omit<Visit, "number">,
  bookId: string,
): Promise<void> {
  const request = { bookId, judges: ["jury"], method: "aggregate", aspects: [], runs: 1, maximumCost: null };
  const added = await client.json("/api/jobs", request);
  if (added.status !== 201) {
    counts.problems.push(`evaluate: ${added.status} ${await added.text()}`);
    return;
  }
  counts.evaluations += 1;
  const { id } = (await added.json()) as Job;
  const leaves = random() < 0.3;
  const patience = AbortSignal.any([over, AbortSignal.timeout(leaves ? 500 + randomInteger(random, 3000) : 120_000)]);
  try {
    const events = await client.send(`/api/jobs/${id}/events`, { signal: patience });
    await events.arrayBuffer();
    counts.evaluated += 1;
  } catch {
    counts.left += 1;
    await client.send(`/api/jobs/${id}/cancel`, { method: "POST" });
    // A cancelled job lets go of its book a moment later.
    await wait(1000);
  }
}
