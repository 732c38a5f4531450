import { expect, it } from "vitest";
import type { StoredBatch, StoredRun } from "../../../src/store/records.ts";
import type { RunFilter } from "../../../src/store/store.ts";
import { run, use } from "../../support/stored.ts";
import { describeEveryStore } from "./every-store.ts";

describeEveryStore((under) => {
  it("lists runs newest first, page by page, and changes them", async () => {
    const { store } = under;
    for (let day = 1; day <= 9; day++) {
      await store.createRun(run(`r${day}`, { startedAt: `2026-01-0${day}T00:00:00.000Z` }));
    }
    const first = await store.listRuns({}, { limit: 4, after: null });
    expect(first.map(({ id }) => id)).toEqual(["r9", "r8", "r7", "r6"]);
    const second = await store.listRuns({}, { limit: 4, after: first.at(-1)! });
    expect(second.map(({ id }) => id)).toEqual(["r5", "r4", "r3", "r2"]);
    await store.updateRun("r5", { status: "stopped", note: "cost limit", finishedAt: "2026-02-01T00:00:00.000Z" });
    expect(await store.findRun("r5")).toEqual(
      run("r5", {
        startedAt: "2026-01-05T00:00:00.000Z",
        status: "stopped",
        note: "cost limit",
        finishedAt: "2026-02-01T00:00:00.000Z",
      }),
    );
    expect(await store.findRun("nobody")).toBeNull();
  });

  it("pages through runs that started at the same moment", async () => {
    const { store } = under;
    for (const id of ["b", "d", "a", "c", "e"]) await store.createRun(run(id));
    const seen: string[] = [];
    for (let after: StoredRun | null = null; ; ) {
      const [next]: StoredRun[] = await store.listRuns({}, { limit: 1, after });
      if (!next) break;
      seen.push(next.id);
      after = next;
    }
    expect(seen).toEqual(["e", "d", "c", "b", "a"]);
  });

  it("finds runs by what they were asked, their note, their status and their last sign of life", async () => {
    const { store } = under;
    const later = "2026-01-02T00:00:00.000Z";
    await store.createRun(
      run("first", { command: ["evaluate", "C:\\books\\红楼梦.epub", "--judge", "openai:gpt-4.1"] }),
    );
    await store.createRun(run("second", { command: ["score", "--in", "100%_sure.jsonl"], startedAt: later }));
    await store.createRun(run("third", { status: "failed", note: "The Key was refused", seenAt: later }));
    const ids = async (filter: RunFilter) => {
      const found = await store.listRuns(filter, { limit: 10, after: null });
      expect(await store.countRuns(filter)).toBe(found.length);
      return found.map(({ id }) => id).sort();
    };
    expect(await ids({})).toEqual(["first", "second", "third"]);
    expect(await ids({ search: "books\\红楼" })).toEqual(["first"]);
    expect(await ids({ search: "EVALUATE c:" })).toEqual(["first"]);
    expect(await ids({ search: "%_s" })).toEqual(["second"]);
    expect(await ids({ search: "_" })).toEqual(["second"]);
    expect(await ids({ search: "key was" })).toEqual(["third"]);
    expect(await ids({ search: "sEcoNd" })).toEqual(["second"]);
    expect(await ids({ search: "' OR 1=1 --" })).toEqual([]);
    expect(await ids({ status: "failed" })).toEqual(["third"]);
    expect(await ids({ status: "failed", search: "evaluate c:" })).toEqual([]);
    expect(await ids({ seenBefore: later })).toEqual(["first", "second"]);
    expect(await ids({ seenSince: later })).toEqual(["third"]);
    expect(await ids({ seenSince: "2026-01-03T00:00:00.000Z" })).toEqual([]);
    await store.recordUses([use("second", "k", { model: "asked" })]);
    expect(await ids({ model: "asked" })).toEqual(["second"]);
    expect(await ids({ model: "ask" })).toEqual([]);
    expect(await ids({ command: "evaluate c:" })).toEqual(["first"]);
    expect(await ids({ command: "evaluate c:", model: "asked" })).toEqual([]);
  });

  it("keeps events in order", async () => {
    const { store } = under;
    const event = (kind: string) => ({ runId: "r", at: "2026-01-01T00:00:00.000Z", kind, detail: "{}" });
    await store.recordEvents([event("one"), event("two")]);
    await store.recordEvents([event("three")]);
    expect((await store.events("r")).map(({ kind }) => kind)).toEqual(["one", "two", "three"]);
    expect(await store.events("s")).toEqual([]);
  });

  it("keeps what runs leave behind, by name, in its latest form", async () => {
    const { store } = under;
    const paper = { runId: "r", name: "drafts", body: "half \ud83d, \0", at: "2026" };
    await store.saveMetadata({ ...paper, body: "earlier" });
    await store.saveMetadata(paper);
    await store.saveMetadata({ ...paper, runId: "s", body: "of another run" });
    expect(await store.findMetadata("r", "drafts")).toEqual(paper);
    expect(await store.findMetadata("r", "other")).toBeNull();
  });

  it("remembers open batches until they are collected", async () => {
    const { store } = under;
    const batch: StoredBatch = {
      token: "t",
      runId: "r",
      model: "openai:gpt-4o",
      providerId: null,
      submittedAt: "2026-01-01T00:00:00.000Z",
      collected: false,
      keys: ["a", "b"],
    };
    await store.saveBatch(batch);
    await store.saveBatch({ ...batch, providerId: "batch_1" });
    expect(await store.openBatches("openai:gpt-4o")).toEqual([{ ...batch, providerId: "batch_1" }]);
    expect(await store.openBatches("openai:gpt-4.1")).toEqual([]);
    await store.saveBatch({ ...batch, providerId: "batch_1", collected: true });
    expect(await store.openBatches("openai:gpt-4o")).toEqual([]);
  });
});
