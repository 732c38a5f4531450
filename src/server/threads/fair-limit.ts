import { Turns } from "./turns.ts";

interface Waiting {
  readonly client: string;
  readonly start: () => void;
}

export interface FairLimits {
  /** How many tasks run at a time. */
  readonly most: number;
  /** How many of them may be one client's: with fewer than all, another client never waits for that one. */
  readonly perClient: number;
}

/** Runs a limited number of tasks at a time. Those that wait take turns by client, so a client with many delays its own. */
export class FairLimit {
  readonly #limits: FairLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  readonly #turns = new Turns();
  #free: number;

  constructor(limits: FairLimits) {
    this.#limits = limits;
    this.#free = limits.most;
  }

  /** Whoever leaves while waiting gives up the place. */
  async run<T>(client: string, operation: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#turn(client, signal);
    try {
      return await operation();
    } finally {
      this.#free += 1;
      this.#running.set(client, this.#runningOf(client) - 1);
      this.#startNext();
      this.#forget(client);
    }
  }

  #turn(client: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        client,
        start: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#forget(client);
        reject(signal!.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#free === 0) return;
    const next = this.#next();
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#free -= 1;
    this.#running.set(next.client, this.#runningOf(next.client) + 1);
    this.#turns.took(next.client);
    next.start();
  }

  #next(): Waiting | undefined {
    return this.#turns.next(this.#waiting.filter(({ client }) => this.#runningOf(client) < this.#limits.perClient));
  }

  #forget(client: string): void {
    if (this.#runningOf(client) > 0 || this.#waiting.some((waiting) => waiting.client === client)) return;
    this.#running.delete(client);
    this.#turns.forget(client);
  }

  #runningOf(client: string): number {
    return this.#running.get(client) ?? 0;
  }
}
