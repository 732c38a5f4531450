import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store, StoreDescription } from "../../../src/store/store.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";

/** What a suite of the contract works on: a store that is new for every test, and gone after it. */
export interface StoreUnderTest {
  readonly kind: StoreDescription["kind"];
  readonly store: Store;
  /** The same store opened once more; whoever opens it closes it. */
  open(): Promise<Store>;
  /** Closes the store and opens it again, as the next process would. */
  reopen(): Promise<Store>;
  /** Where there is no store yet. */
  newLocation(): Promise<string>;
}

/** Runs a suite on each implementation of the port: what every store must do, whichever database is under it. */
export function describeEveryStore(suite: (under: StoreUnderTest) => void): void {
  let postgres: TestPostgres;
  let folder: string;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "fabula-store-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  describe.each([
    ["SQLite", async () => join(await mkdtemp(join(folder, "new-")), "sub", "store.db")],
    ["PostgreSQL", () => postgres.freshDatabase()],
  ] as const)("a store on %s", (kind, newLocation) => {
    let location: string;
    let store: Store;
    const open = () => openStore(location);
    beforeEach(async () => {
      location = await newLocation();
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
    suite({
      kind,
      get store() {
        return store;
      },
      open,
      async reopen() {
        await store.close();
        store = await open();
        return store;
      },
      newLocation,
    });
  });
}
