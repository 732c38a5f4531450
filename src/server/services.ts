import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { MiddlewareHandler } from "hono";
import type { Job } from "../api/jobs.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import type { CloudProvider } from "../models/adapters/clouds.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { clientAddress } from "./http/client-address.ts";
import { gaveRefusedToken, READING_METHODS, whoSent } from "./http/token.ts";
import { InvitedPeople } from "./invited-people.ts";
import { JobFiles } from "./jobs/job-files.ts";
import { JobQueue } from "./jobs/job-queue.ts";
import { runSettingsFor } from "./jobs/run-settings.ts";
import { BookLibrary } from "./library/book-library.ts";
import { EvaluationFiles } from "./library/evaluation-files.ts";
import type { ServerSettings } from "./settings.ts";
import { runTask } from "./threads/run-task.ts";

const MOST = 24;

/** Caches the last few results of work that takes about a second and is requested repeatedly. */
class Remembered {
  readonly #answers = new Map<string, Promise<unknown>>();

  /** The key names everything that changes the answer. A failure is not remembered. */
  async get<T>(key: string, operation: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key) as Promise<T> | undefined;
    const answer = known ?? operation();
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
    try {
      return await answer;
    } catch (error) {
      this.#answers.delete(key);
      throw error;
    }
  }
}

/** What the routes work with. */
export interface Services {
  readonly settings: ServerSettings;
  readonly clock: Clock;
  readonly books: BookLibrary;
  readonly evaluations: EvaluationFiles;
  readonly jobs: JobQueue;
  readonly audit: AuditLog;
  readonly people: InvitedPeople;
  /** Recent results about books: maps, notes, comparisons of drafts. */
  readonly bookCache: Remembered;
  /** A key for this session: it is held in memory and gone when the server ends. */
  useKey(provider: CloudProvider, key: string): void;
  /** Forgets a key of this session; a key from the environment then applies again. */
  forgetKey(provider: CloudProvider): void;
  /** Where a provider's key comes from; null when there is none. */
  keyOrigin(provider: CloudProvider): "environment" | "session" | null;
  /** Opened on first use: the embedded judges need none. */
  store(): Promise<Store>;
  /** Registers something to end with the server. */
  onClose(end: () => void): void;
  /** Pauses running jobs and closes everything. */
  close(): Promise<void>;
}

export async function openServices(given: ServerSettings, clock: Clock = systemClock): Promise<Services> {
  let { connections } = given;
  const settings: ServerSettings = {
    ...given,
    get connections() {
      return connections;
    },
  };
  const books = await BookLibrary.open(join(settings.library, "books"), clock);
  const evaluations = await EvaluationFiles.open(join(settings.library, "evaluations"), clock);
  const audit = new AuditLog(settings.library, clock);
  const jobs = await JobQueue.open(
    new JobFiles(join(settings.library, "jobs")),
    {
      title: ({ bookId }) => bookTitle(books, bookId),
      judge: ({ request, runId }, options) => {
        const folder = books.folderOf(request.bookId);
        const card = books.card(request.bookId);
        const own = runSettingsFor(request, runId, { settings, folder, card });
        return runTask("judge-book", { folder, request, settings: own }, options);
      },
      keep: async ({ request }, { evaluation }) => {
        const { file } = books.card(request.bookId);
        return evaluations.add(request.bookId, { ...evaluation, book: { ...evaluation.book, file } });
      },
      ended: (job) => audit.spent(job),
    },
    clock,
  );
  let store: Promise<Store> | null = null;
  const endings: (() => void)[] = [];
  return {
    settings,
    clock,
    books,
    evaluations,
    jobs,
    audit,
    people: new InvitedPeople(settings.library),
    bookCache: new Remembered(),
    useKey(provider, key) {
      connections = { ...connections, [provider]: { ...connections[provider], key } };
    },
    forgetKey(provider) {
      connections = { ...connections, [provider]: given.connections[provider] };
    },
    keyOrigin(provider) {
      const key = connections[provider]?.key;
      if (!key) return null;
      return key === given.connections[provider]?.key ? "environment" : "session";
    },
    store() {
      // A failure is not remembered: the next attempt to open it may succeed.
      store ??= openStore(settings.store).catch((error: unknown) => {
        store = null;
        throw error;
      });
      return store;
    },
    onClose(end) {
      endings.push(end);
    },
    async close() {
      for (const end of endings) end();
      try {
        await jobs.close();
        await audit.settled();
      } finally {
        await (await store?.catch(() => null))?.close();
      }
    },
  };
}

export function bookTitle(books: BookLibrary, id: string): string {
  const { found, edits } = books.card(id);
  return edits.title ?? found.title;
}

/** A book that is being judged stays where it is. */
export function refuseWhileBusy({ jobs }: Services, bookId: string): void {
  if (!jobs.isBusyWith(bookId)) return;
  throw new FabulaError("E_CONFLICT", "This book is being judged: pause or cancel that first.");
}

/** Whose work it is and what it is about, by ids and names only. */
interface PaidWork {
  readonly who: string;
  readonly task: string;
  readonly judges: readonly string[];
  readonly book?: string;
  readonly reader?: string;
  readonly questions?: string;
}

/**
 * Records who changed what and who spent what, one line of JSON each, in `audit.jsonl` of the library: requests that change
 * something with their outcome, refused ones and wrong or revoked tokens too, and what each job and each question to a model had
 * cost when it ended. It holds no text of a book and no key.
 */
class AuditLog {
  readonly #path: string;
  readonly #clock: Clock;
  /** Lines are written one after the other. */
  #writing: Promise<void> = Promise.resolve();

  constructor(library: string, clock: Clock) {
    this.#path = join(library, "audit.jsonl");
    this.#clock = clock;
  }

  readonly note: MiddlewareHandler = async (context, next) => {
    await next();
    const { method, path } = context.req;
    const isChange = !READING_METHODS.has(method) && path.startsWith("/api/");
    if (!isChange && !gaveRefusedToken(context)) return;
    this.#add({ who: whoSent(context), from: clientAddress(context), method, path, status: context.res.status });
  };

  /** A job that has ended, or was paused: what it has spent so far. */
  spent({ id, by, request, state, calls, cost, runId }: Job): void {
    const { judges, bookId } = request;
    this.#add({ who: by ?? "unknown", job: id, state, book: bookId, judges, calls, cost, run: runId });
  }

  /** Work that asks a model outside of jobs: what it cost when it ended; null if it failed, because the cost is not known here. */
  async paid<Result extends Pick<Job, "calls" | "cost">>(about: PaidWork, work: Promise<Result>): Promise<Result> {
    try {
      const result = await work;
      this.#add({ ...about, state: "done", calls: result.calls, cost: result.cost });
      return result;
    } catch (error) {
      this.#add({ ...about, state: "failed", calls: null, cost: null });
      throw error;
    }
  }

  settled(): Promise<void> {
    return this.#writing;
  }

  #add(line: object): void {
    const text = `${JSON.stringify({ at: this.#clock.now().toISOString(), ...line })}\n`;
    // A full disk must not stop the server.
    this.#writing = this.#writing.then(() => appendFile(this.#path, text, { mode: 0o600 })).catch(() => {});
  }
}
