interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

export interface GroupOptions<Item> {
  /** How many groups may be on their way at a time. */
  readonly atOnce: number;
  readonly largest: number;
  /** What one group may weigh in all. */
  readonly heaviest: number;
  readonly weight: (item: Item) => number;
  /** Items with the same identity never share a group. */
  readonly identity: (item: Item) => string;
  /** Reasons that would meet each item alone just as well. */
  readonly isCommon: (reason: unknown) => boolean;
}

/**
 * What is asked for while the database is busy goes out together when it is free: one journey for many. Each caller waits
 * for its own item; one that fails does not take the others with it.
 */
export class Group<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: GroupOptions<Item>;
  #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;
  #idle: (() => void)[] = [];

  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, options: GroupOptions<Item>) {
    this.#work = work;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // What arrives in the same turn of the event loop goes together.
      if (this.#waiting.length === 1) setImmediate(() => this.#go());
    });
  }

  /** When everything that was added has been done or has failed. */
  async settled(): Promise<void> {
    if (this.#underWay === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #go(): void {
    while (this.#underWay < this.#options.atOnce && this.#waiting.length > 0) {
      this.#underWay += 1;
      void this.#send(this.#take());
    }
    if (this.#underWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #take(): Waiting<Item, Result>[] {
    const { largest, heaviest, weight, identity } = this.#options;
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const met = new Set<string>();
    let load = 0;
    for (const one of this.#waiting) {
      const name = identity(one.item);
      const isFull = taken.length === largest || (taken.length > 0 && load + weight(one.item) > heaviest);
      if (isFull || met.has(name)) left.push(one);
      else {
        taken.push(one);
        load += weight(one.item);
      }
      met.add(name);
    }
    this.#waiting = left;
    return taken;
  }

  async #send(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => {
        resolve(results[index]!);
      });
    } catch (reason) {
      if (group.length === 1 || this.#options.isCommon(reason)) for (const { reject } of group) reject(reason);
      else for (const one of group) await this.#alone(one);
    }
    this.#underWay -= 1;
    this.#go();
  }

  async #alone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      resolve((await this.#work([item]))[0]!);
    } catch (reason) {
      reject(reason);
    }
  }
}
