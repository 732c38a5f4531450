import { isBusy } from "../is-busy.ts";

interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Too short to be noticed beside a call to a provider, and enough for the replies to calls that were sent together. */
const GATHER_MILLISECONDS = 2;

/**
 * Replies that arrive together are written in one transaction, since each transaction costs more than its rows. Each
 * caller still waits until its own is committed; one that cannot be written fails alone, and all of them when the store is locked.
 */
export class GroupCommit<T> {
  readonly #commit: (items: readonly T[]) => void;
  #waiting: Waiting<T>[] = [];

  constructor(commit: (items: readonly T[]) => void) {
    this.#commit = commit;
  }

  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setTimeout(() => this.flush(), GATHER_MILLISECONDS);
      this.#waiting.push({ item, resolve, reject });
    });
  }

  flush(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    try {
      this.#commit(group.map(({ item }) => item));
      for (const { resolve } of group) resolve();
    } catch (reason) {
      if (group.length === 1 || isBusy(reason)) for (const { reject } of group) reject(reason);
      else for (const one of group) this.#alone(one);
    }
  }

  #alone({ item, resolve, reject }: Waiting<T>): void {
    try {
      this.#commit([item]);
      resolve();
    } catch (reason) {
      reject(reason);
    }
  }
}
