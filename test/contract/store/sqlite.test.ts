import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { MIGRATIONS } from "../../../src/store/sqlite/connection.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-store-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("a store in a file", () => {
  it("may be read by its owner alone", async () => {
    const path = join(folder, "mine.db");
    await (await openStore(path)).close();
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o077).toBe(0);
  });

  it("says in one sentence what is wrong with a file that is no store", async () => {
    const path = join(folder, "letter.txt");
    await writeFile(path, "Dear reader, this is no database. ".repeat(100));
    await expect(openStore(path)).rejects.toMatchObject({
      code: "E_STORE_OPEN",
      message: expect.stringContaining("--store"),
    });
    await expect(openStore(folder)).rejects.toMatchObject({ code: "E_STORE_OPEN" });
    await expect(openStore("redis://nowhere")).rejects.toMatchObject({ code: "E_STORE_UNKNOWN" });
  });

  it("opens a store written by the first version, with the totals it had", async () => {
    const path = join(folder, "first.db");
    const database = new Database(path);
    database.exec(MIGRATIONS[0]!);
    database.exec("PRAGMA user_version = 1");
    database.exec(
      `INSERT INTO calls VALUES ('k', 'm', 'judge', 0, 'h', 'stop', 'm', 120, 30, 0, 0, 0.5, 10, 1, '2026', 'text', NULL);
       INSERT INTO uses (run_id, key, outcome, model, purpose, cost, at) VALUES ('r', 'k', 'asked', 'm', 'judge', 0.5, '2026')`,
    );
    database.close();
    const store = await openStore(path);
    expect(await store.totals("r")).toMatchObject([{ calls: 1, cost: 0.5, inputTokens: 120, outputTokens: 30 }]);
    expect(await store.findCall("k")).toMatchObject({ text: "text" });
    await store.close();
  });

  it("does not touch a store written by a newer version", async () => {
    const path = join(folder, "newer.db");
    await (await openStore(path)).close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = 999");
    database.close();
    await expect(openStore(path)).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  });
});
