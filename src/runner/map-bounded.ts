/**
 * Applies `work` to each item, at most `limit` at a time, and returns the results in order. Items are taken from the
 * iterable only when there is room: a generator that renders prompts holds a few of them in memory, however many there are.
 *
 * @example
 * ```ts
 * const books = await mapBounded(files, 4, (file) => readBook(file));
 * ```
 */
export async function mapBounded<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T, position: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for await (const result of inOrder(eachBounded(items, limit, work))) results.push(result);
  return results;
}

/**
 * Results in the order of their items, each as soon as all earlier ones are there; only results that came early are
 * held in memory.
 */
export async function* inOrder<R>(results: AsyncIterable<[position: number, result: R]>): AsyncGenerator<R> {
  const early = new Map<number, { readonly result: R }>();
  let next = 0;
  for await (const [position, result] of results) {
    early.set(position, { result });
    for (let ready = early.get(next); ready; ready = early.get(next)) {
      early.delete(next++);
      yield ready.result;
    }
  }
}

/** Returns results as they come in, each with its position, for work whose results should not all be held in memory. */
export async function* eachBounded<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T, position: number) => Promise<R>,
): AsyncGenerator<[position: number, result: R]> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const running = new Set<number>();
  const finished: { position: number; outcome: PromiseSettledResult<R> }[] = [];
  let wake = () => {};
  let next = 0;
  let exhausted = false;

  const start = (item: T, position: number) => {
    running.add(position);
    const finish = (outcome: PromiseSettledResult<R>) => {
      running.delete(position);
      finished.push({ position, outcome });
      wake();
    };
    work(item, position).then(
      (value) => finish({ status: "fulfilled", value }),
      (reason: unknown) => finish({ status: "rejected", reason }),
    );
  };

  try {
    while (true) {
      while (!exhausted && running.size + finished.length < limit) {
        const taken = await source.next();
        if (taken.done) exhausted = true;
        else start(taken.value, next++);
      }
      const done = finished.shift();
      if (done) {
        if (done.outcome.status === "rejected") throw done.outcome.reason;
        yield [done.position, done.outcome.value];
      } else if (running.size > 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (finished.length > 0) resolve();
        });
      } else if (exhausted) {
        return;
      }
    }
  } finally {
    if (!exhausted) await source.return?.();
  }
}
