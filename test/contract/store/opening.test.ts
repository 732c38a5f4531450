import { expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { call, run, use } from "../../support/stored.ts";
import { describeEveryStore } from "./every-store.ts";

describeEveryStore((under) => {
  it("can be used by two at once", async () => {
    const { store } = under;
    const other = await under.open();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? store : other).recordAnswer(call(`k${at}`), "q", use("r", `k${at}`)),
      ),
    );
    expect(await store.countCalls()).toBe(40);
    expect(await other.runCalls("r", { limit: 100, after: null })).toHaveLength(40);
    await other.close();
  });

  it("is made by the first of many that open it at once", async () => {
    const fresh = await under.newLocation();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(fresh)));
    await Promise.all(stores.map((one, at) => one.createRun(run(`r${at}`))));
    expect(await stores[0]!.listRuns({}, { limit: 10, after: null })).toHaveLength(6);
    await Promise.all(stores.map((one) => one.close()));
  });

  it("says what it is and how large", async () => {
    const { store } = under;
    const { kind, version, bytes } = await store.describe();
    expect(kind).toBe(under.kind);
    expect(version).toMatch(/^\d+\.\d+/);
    expect(bytes).toBeGreaterThan(1000);
  });
});
