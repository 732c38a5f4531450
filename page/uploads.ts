import { useSyncExternalStore } from "react";
import type { BookDetails } from "../src/api/books.ts";
import { type Args, api, ask } from "./api/client.ts";

/** A file on its way into the library. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly state: "waiting" | "sending" | "done" | "failed";
  readonly book: BookDetails | null;
  readonly problem: Error | null;
}

/** The server reads two books at a time. */
const AT_A_TIME = 2;

/** What the server starts for a file stays two minutes: asking again this soon would change nothing. */
const EXPECTED_MILLISECONDS = 20_000;

let uploads: readonly Upload[] = [];
let nextId = 1;
const bodies = new Map<number, { readonly body: SentBook; readonly settle: (book: Settled) => void }>();
const listeners = new Set<() => void>();

type SentBook = Args<typeof api.books.$post>;
type Settled = BookDetails | null;

/** Uploads belong to the window and not to a view: they go on when the reader looks elsewhere. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(subscribe, () => uploads);
}

/** Resolves with the book, or with null when it could not be added; the reason stands in the list. */
export function upload(name: string, body: SentBook): Promise<BookDetails | null> {
  return new Promise((settle) => {
    const id = nextId++;
    bodies.set(id, { body, settle });
    change([...uploads, { id, name, state: "waiting", book: null, problem: null }]);
    startWaiting();
  });
}

export function uploadFile(file: File): Promise<BookDetails | null> {
  return upload(file.name, { form: { file } });
}

let expectedAt = 0;

/** A file is being chosen or dragged here: the server starts what will read it, and the view of its letter is fetched. */
export function expectFile(): void {
  expectBook();
  fetchLetterView();
}

/** Somebody looks at the shelf and may add a book: the server starts what will read it. */
export function expectBook(): void {
  if (Date.now() - expectedAt < EXPECTED_MILLISECONDS) return;
  expectedAt = Date.now();
  void ask(api.books.coming.$get).catch(() => {});
}

function fetchLetterView(): void {
  void import("./desk/letter/letter-view.tsx").catch(() => {});
}

export function dismissUploads(): void {
  change(uploads.filter(({ state }) => state === "waiting" || state === "sending"));
}

function startWaiting(): void {
  const free = AT_A_TIME - uploads.filter(({ state }) => state === "sending").length;
  for (const { id } of uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(0, free))) void run(id);
}

async function run(id: number): Promise<void> {
  const { body, settle } = bodies.get(id)!;
  update(id, { state: "sending" });
  fetchLetterView();
  try {
    const book = await ask(api.books.$post, body);
    update(id, { state: "done", book });
    settle(book);
  } catch (error) {
    update(id, { state: "failed", problem: error instanceof Error ? error : new Error(String(error)) });
    settle(null);
  } finally {
    bodies.delete(id);
    startWaiting();
  }
}

function update(id: number, changes: Partial<Upload>): void {
  change(uploads.map((each) => (each.id === id ? { ...each, ...changes } : each)));
}

function change(next: readonly Upload[]): void {
  uploads = next;
  if (isBusy()) window.addEventListener("beforeunload", keepOpen);
  else window.removeEventListener("beforeunload", keepOpen);
  for (const changed of listeners) changed();
}

function isBusy(): boolean {
  return uploads.some(({ state }) => state === "waiting" || state === "sending");
}

/** Closing the window would cut an upload off: the browser asks first. */
function keepOpen(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
