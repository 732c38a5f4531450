import { expect, it } from "vitest";
import { FairLimit } from "./run-task.ts";

/** Tasks that end when the test says so, in the order in which they began. */
function tasks(limit: FairLimit) {
  const begun: { readonly name: string; end(failure?: Error): void }[] = [];
  const add = (name: string, signal?: AbortSignal) =>
    limit.run(
      name.split(" ")[0]!,
      () =>
        new Promise<void>((resolve, reject) => {
          begun.push({ name, end: (failure) => (failure ? reject(failure) : resolve()) });
        }),
      signal,
    );
  return { begun, add, names: () => begun.map(({ name }) => name) };
}

it("runs no more than allowed at a time, and the next one when another fails", async () => {
  const { begun, add, names } = tasks(new FairLimit({ most: 2, perClient: 2 }));
  const all = Promise.allSettled([add("ada 1"), add("ada 2"), add("ada 3"), add("ada 4")]);
  for (let ended = 0; ended < 4; ended++) {
    await expect.poll(names).toHaveLength(Math.min(4, ended + 2));
    begun[ended]!.end(ended === 0 ? new Error("broken") : undefined);
  }
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
});

it("a client with many tasks leaves room for others, and takes turns with them", async () => {
  const { begun, add, names } = tasks(new FairLimit({ most: 2, perClient: 1 }));
  const all = Promise.all([...["many 1", "many 2", "many 3"], ...["ada 1", "ada 2", "ben 1"]].map((name) => add(name)));
  await expect.poll(names).toEqual(["many 1", "ada 1"]);
  begun[0]!.end();
  await expect.poll(names).toEqual(["many 1", "ada 1", "ben 1"]);
  begun[2]!.end();
  await expect.poll(names).toEqual(["many 1", "ada 1", "ben 1", "many 2"]);
  for (let at = 0; at < 6; at++) {
    await expect.poll(() => begun.length).toBeGreaterThan(at);
    begun[at]!.end();
  }
  await all;
});

it("whoever leaves while waiting gives up the place", async () => {
  const { begun, add, names } = tasks(new FairLimit({ most: 1, perClient: 1 }));
  const first = add("ada 1");
  const abort = new AbortController();
  const left = add("ben 1", abort.signal);
  const last = add("cid 1");
  abort.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  begun[0]!.end();
  await first;
  await expect.poll(names).toEqual(["ada 1", "cid 1"]);
  begun[1]!.end();
  await last;
});
