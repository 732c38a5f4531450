import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";

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

  it("does not touch a store written by a newer version", async () => {
    const path = join(folder, "newer.db");
    await (await openStore(path)).close();
    const database = new Database(path);
    database.exec("PRAGMA user_version = 999");
    database.close();
    await expect(openStore(path)).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  });
});
