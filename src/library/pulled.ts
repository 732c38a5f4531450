/**
 * Turns work that hands out items by a callback into items that can be pulled one by one. The work waits until an item is
 * taken, so that a whole library is never in memory, and is stopped when the one who pulls goes away.
 */
export async function* pulled<Item>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, push: (item: Item) => Promise<void>) => Promise<unknown>,
): AsyncGenerator<Item, void, undefined> {
  const gone = new AbortController();
  const waiting: { readonly item: Item; readonly taken: () => void }[] = [];
  let isOver = false;
  let wake = () => {};
  const both = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
  const ended = work(both, (item) => {
    if (gone.signal.aborted) return Promise.resolve();
    return new Promise((taken) => {
      waiting.push({ item, taken });
      wake();
    });
  }).finally(() => {
    isOver = true;
    wake();
  });
  // It is awaited below; until then a failure must not count as one that nothing handles.
  ended.catch(() => {});
  try {
    while (waiting.length > 0 || !isOver) {
      const next = waiting.shift();
      if (next) {
        // Also when the one who pulls goes away with it: the work must not wait for an item that was taken.
        try {
          yield next.item;
        } finally {
          next.taken();
        }
      } else {
        await new Promise<void>((woken) => {
          wake = woken;
        });
      }
    }
    await ended;
  } finally {
    gone.abort();
    for (const { taken } of waiting) taken();
    await ended.catch(() => {});
  }
}
