import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, run, use } from "../../../test/support/stored.ts";
import { openStore } from "../open-store.ts";
import { Connection } from "./connection.ts";

const PAGE = 4096;
const NOBODY = 65_534;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-store-"));
  await chmod(folder, 0o755);
  path = join(folder, "store.db");
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Rights mean nothing to root. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}

async function filledStore(answers: number): Promise<void> {
  const store = await openStore(path);
  await store.createRun(run("r"));
  await Promise.all(
    Array.from({ length: answers }, (_, at) => store.recordAnswer(call(`k${at}`), "q".repeat(200), use("r", `k${at}`))),
  );
  await store.contents.settle();
  await store.close();
}

describe("a store in a file", () => {
  it("says that the disk is full, keeps what it holds, and goes on when there is room", () => {
    const connection = new Connection(path);
    connection.exec("CREATE TABLE texts (body TEXT)");
    const insert = connection.prepare("INSERT INTO texts VALUES (?)");
    const count = connection.prepare("SELECT count(*) AS count FROM texts");
    insert.run("short");
    connection.pragma("max_page_count = 4");
    const tooMuch = () => connection.transaction(() => insert.run("x".repeat(20 * PAGE)));
    expect(tooMuch).toThrow(expect.objectContaining({ code: "E_STORE_FULL" }));
    expect(tooMuch).toThrow(/^The disk of the store .+ is full: free some space, then go on/);
    expect(count.get()).toMatchObject({ count: 1 });
    connection.pragma("max_page_count = 1000");
    tooMuch();
    expect(count.get()).toMatchObject({ count: 2 });
    connection.close();
  });

  it("says that it is damaged, and how to save what can still be read", async () => {
    await filledStore(500);
    const bytes = await readFile(path);
    expect(bytes.length).toBeGreaterThan(30 * PAGE);
    await writeFile(path, bytes.fill(0x5a, 12 * PAGE));
    const reading = async () => {
      const store = await openStore(path);
      try {
        for (let at = 0; at < 500; at++) await store.findCall(`k${at}`);
      } finally {
        await store.close();
      }
    };
    await expect(reading()).rejects.toMatchObject({
      code: "E_STORE_DAMAGED",
      message: expect.stringMatching(/is damaged: restore it from a backup, or .+\.recover/),
    });
  });

  it("says that it is read-only, or may not be read, or is a folder, and what to do", async () => {
    const locked = join(folder, "locked");
    await mkdir(locked);
    path = join(locked, "store.db");
    await filledStore(1);
    await chmod(path, 0o444);
    await chmod(locked, 0o555);
    const writing = async () => {
      const store = await openStore(path);
      try {
        await store.createRun(run("another"));
      } finally {
        await store.close();
      }
    };
    await expect(asOrdinaryUser(writing)).rejects.toThrow(/is read-only: make the file and its folder writable/);
    await expect(asOrdinaryUser(() => openStore(join(locked, "new.db")))).rejects.toThrow(
      /cannot be made: make its folder writable/,
    );
    await chmod(path, 0o000);
    await expect(asOrdinaryUser(() => openStore(path))).rejects.toThrow(
      /may not be read by this user: change the rights/,
    );
    await expect(openStore(locked)).rejects.toThrow(/is a folder: give the path of a file with --store/);
  });

  it.runIf(existsSync("/proc/self"))(
    "says that it cannot be made where nothing can be, and does not hang",
    async () => {
      await expect(openStore("/proc/nothing/here/store.db")).rejects.toMatchObject({
        code: "E_STORE_OPEN",
        message: expect.stringMatching(/cannot be opened .+: give another path with --store/),
      });
    },
  );
});
