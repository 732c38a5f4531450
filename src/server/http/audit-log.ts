import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { MiddlewareHandler } from "hono";
import type { Job } from "../../api/jobs.ts";
import type { Clock } from "../../core/clock.ts";
import { clientAddress } from "./client-address.ts";
import { whoSent } from "./token.ts";

const LOOKING: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Who changed what and who spent what, a line of JSON for each, in `audit.jsonl` of the library: requests that change something with
 * their outcome, refused ones too, and what each job had cost when it ended. It holds no text of a book and no key.
 */
export class AuditLog {
  readonly #path: string;
  readonly #clock: Clock;
  /** One line after the other. */
  #writing: Promise<void> = Promise.resolve();

  constructor(library: string, clock: Clock) {
    this.#path = join(library, "audit.jsonl");
    this.#clock = clock;
  }

  readonly note: MiddlewareHandler = async (context, next) => {
    await next();
    if (LOOKING.has(context.req.method)) return;
    const { method, path } = context.req;
    this.#add({ who: whoSent(context), from: clientAddress(context), method, path, status: context.res.status });
  };

  /** A job that has ended, or was paused: what it has spent so far. */
  spent({ id, by, request, state, calls, cost, runId }: Job): void {
    const { judges, bookId } = request;
    this.#add({ who: by ?? "unknown", job: id, state, book: bookId, judges, calls, cost, run: runId });
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
