import { describe, expect, it } from "vitest";
import { ask, runsUnderTest } from "../../test/support/runs-under-test.ts";
import { openStore } from "../store/open-store.ts";
import { connect } from "../store/sqlite/connection.ts";

const { open, path, start } = runsUnderTest();

/** Makes every write to a table of the store fail, like a full disk, until it is undone. */
async function refuseWrites(table: string): Promise<() => void> {
  const database = await connect(path("store.db"));
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  return () => {
    database.exec("DROP TRIGGER refuse");
    database.close();
  };
}

async function kept(runId: string) {
  const store = await openStore(path("store.db"));
  try {
    const events = (await store.events(runId)).map(({ kind }) => kind);
    return { run: (await store.findRun(runId))!, events };
  } finally {
    await store.close();
  }
}

describe("a run whose store fails for a moment", () => {
  it("is recorded without a gap: what could not be written is written later", async () => {
    await start();
    const { run, model } = await open();
    const lift = await refuseWrites("events");
    await ask(model, "a", { again: "no score in it" });
    await run.summary();
    lift();
    await ask(model, "b", { again: "no score in it" });
    await run.summary();
    expect((await kept(run.id!)).events).toEqual(["asked-again", "asked-again"]);
    expect(await run.finish()).toMatchObject({ status: "done", note: null });
    expect((await kept(run.id!)).events).toEqual(["asked-again", "asked-again", "finished"]);
  });

  it("still gives a sign of life, so that no other process takes it for dead", async () => {
    await start();
    const { run, model } = await open();
    const lift = await refuseWrites("events");
    const before = (await kept(run.id!)).run.seenAt;
    await ask(model, "a", { again: "no score in it" });
    await run.summary();
    expect(Date.parse((await kept(run.id!)).run.seenAt)).toBeGreaterThan(Date.parse(before));
    lift();
  });
});

it("a paid run is done even when its record could not be written, and says what is missing", async () => {
  await start();
  const { run, model } = await open();
  await ask(model, "a");
  const lift = await refuseWrites("events");
  const finished = await run.finish();
  lift();
  expect(finished).toMatchObject({ status: "done", note: expect.stringContaining("the disk is full") });
  expect(finished.summary).toMatchObject({ asked: 1 });
  expect((await kept(run.id!)).run).toMatchObject({ status: "done", note: finished.note });
});
