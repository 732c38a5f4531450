import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/support/postgres.ts";
import { Database } from "../../store/postgres/database.ts";
import { type Claimant, claimPiece, endPiece, type PieceName, recoverPieces, releasePiece } from "./pieces.ts";
import { openSharedRun, queuePieces, resultsOf, setSharedRunState } from "./shared-runs.ts";

let postgres: TestPostgres;
let database: Database;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  database = new Database(await postgres.freshDatabase(), { connections: 8 });
  await database.open();
  return () => database.close();
});

const claimant = (worker: string, more: Partial<Claimant> = {}): Claimant => ({
  worker,
  version: "1",
  judges: null,
  ...more,
});

async function worker(id: string, livesFor: number): Promise<Claimant> {
  await database.query(
    `INSERT INTO fabula.workers (id, version, state, seen_at, expires_at)
     VALUES ($1, '1', 'working', clock_timestamp() - interval '1 hour', clock_timestamp() + make_interval(secs => $2))`,
    [id, livesFor],
  );
  return claimant(id);
}

async function queued(run: string, pieces: number, models: readonly string[] = []): Promise<void> {
  const asked = models.map((id) => ({ id, origin: null }));
  const job = { kind: "score-items" as const, options: {}, models: asked, prices: null, refresh: false, pace: {} };
  await openSharedRun(database, { run, version: "1", job, maximumCost: null, spentBefore: 0, limits: [] });
  const drafts = Array.from({ length: pieces }, (_, index) => ({ label: `piece ${index}`, data: { run, index } }));
  await queuePieces(database, { id: run, version: "1" }, drafts, () => {});
}

async function results(run: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const result of resultsOf(database, run)) found.push(result);
  return found;
}

async function takeAll(who: Claimant): Promise<PieceName[]> {
  const held: PieceName[] = [];
  for (;;) {
    const piece = await claimPiece(database, who, held);
    if (!piece) return held;
    held.push(piece);
  }
}

describe("the queue of pieces", () => {
  it("gives each piece to one of many workers that take at the same time", async () => {
    await queued("run", 60);
    const taken = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => takeAll(claimant(name))));
    const positions = taken.flat().map(({ position }) => position);
    expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  it("gives the oldest run first, in order, and nothing of a paused run or another version", async () => {
    await queued("first", 2);
    await queued("second", 2);
    await queued("paused", 2);
    await setSharedRunState(database, "paused", "paused");
    expect(await takeAll(claimant("other", { version: "2" }))).toEqual([]);
    const names = (await takeAll(claimant("a"))).map(({ run, position }) => `${run}/${position}`);
    expect(names).toEqual(["first/0", "first/1", "second/0", "second/1"]);
    await setSharedRunState(database, "paused", "open");
    expect(await takeAll(claimant("b"))).toHaveLength(2);
  });

  it("gives a worker only what its models can do, however many models it names", async () => {
    await queued("both", 1, ["openai:m", "openai:n"]);
    await queued("none", 1);
    const many = Array.from({ length: 40 }, (_, index) => `openai:x${index}`);
    expect((await takeAll(claimant("a", { judges: ["openai:m", ...many] }))).map(({ run }) => run)).toEqual(["none"]);
    expect((await takeAll(claimant("b", { judges: ["openai:n", "openai:m"] }))).map(({ run }) => run)).toEqual([
      "both",
    ]);
  });

  it("queues the pieces of a worker that fell silent, and lets it end none of them any more", async () => {
    const silent = await worker("silent", -60);
    const living = await worker("living", 600);
    await queued("run", 2);
    const lost = (await claimPiece(database, silent, []))!;
    expect(await takeAll(living)).toHaveLength(1);
    // The server's start counts as a sign of life of everybody, and it started moments ago.
    await database.query("UPDATE fabula.workers SET seen_at = expires_at - interval '0 seconds' WHERE id = 'silent'");
    expect(await recoverPieces(database)).toEqual(["silent"]);
    const again = (await claimPiece(database, living, [{ run: "run", position: 1 }]))!;
    expect(again).toMatchObject({ run: "run", position: lost.position, attempts: 2 });
    await endPiece(database, lost, "silent", { result: "late", failedCalls: 0 });
    await endPiece(database, again, "living", { result: "in time", failedCalls: 0 });
    const [first] = await results("run");
    expect(first).toBe("in time");
  });

  it("gives a worker once more what it was given by an answer that got lost", async () => {
    await queued("run", 1);
    await claimPiece(database, claimant("a"), []);
    expect(await claimPiece(database, claimant("b"), [])).toBeNull();
    expect(await claimPiece(database, claimant("a"), [{ run: "run", position: 0 }])).toBeNull();
    expect(await claimPiece(database, claimant("a"), [])).toMatchObject({ run: "run", position: 0 });
  });

  it("drops the result of a piece that was queued again with another input meanwhile", async () => {
    await queued("run", 1);
    const old = (await claimPiece(database, claimant("a"), []))!;
    await queuePieces(database, { id: "run", version: "1" }, [{ label: "changed", data: "new" }], () => {});
    const changed = (await claimPiece(database, claimant("a"), [old]))!;
    await endPiece(database, old, "a", { result: "of the old input", failedCalls: 0 });
    await endPiece(database, changed, "a", { result: "of the new input", failedCalls: 0 });
    expect(await results("run")).toEqual(["of the new input"]);
  });

  it("lets a piece whose input is missing hold up nothing else", async () => {
    await queued("broken", 1);
    await database.query("DELETE FROM fabula.inputs");
    await queued("behind", 1);
    expect((await takeAll(claimant("a"))).map(({ run }) => run)).toEqual(["behind"]);
  });

  it("reads the models of a run whose options hold text that is no JSON to the server", async () => {
    const options = { rubric: "half an emoji: \ud83d" };
    const job = { kind: "score-items" as const, options, models: [], prices: null, refresh: false, pace: {} };
    await openSharedRun(database, { run: "odd", version: "1", job, maximumCost: null, spentBefore: 0, limits: [] });
    await queued("plain", 1);
    expect(await takeAll(claimant("a", { judges: ["openai:m"] }))).toHaveLength(1);
  });

  it("gives out again what was given back, and does not count that as an attempt", async () => {
    await queued("run", 1);
    const piece = (await claimPiece(database, claimant("a"), []))!;
    await releasePiece(database, piece, "a");
    expect(await claimPiece(database, claimant("b"), [])).toMatchObject({ position: 0, attempts: 1 });
  });
});
