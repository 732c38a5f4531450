import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { lampsBook, lampsReply } from "../../support/lamps.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { startWorker } from "../../support/worker-process.ts";
import { runFabula } from "../run-fabula.ts";

let postgres: TestPostgres;
let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await createSimulatedServer({ reply: lampsReply() });
  folder = await mkdtemp(join(tmpdir(), "fabula-close-workers-"));
  await writeFile(join(folder, "lamps.md"), lampsBook({}, 5));
});
afterAll(async () => {
  await server.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

it("a worker reads as closely as the command says, and what it paid for is the whole letter", async () => {
  const store = await postgres.freshDatabase();
  const worker = startWorker(store, []);
  try {
    const words = ["evaluate", "lamps.md", "--judge", server.judge("m"), "--depth", "full", "--runs", "1", "--json"];
    const shared = await runFabula(words, { folder, environment: { FABULA_STORE: store } });
    expect(shared.stderr).toContain("is queued for the workers");
    expect(shared.code, shared.stderr).toBe(0);
    const { letter } = JSON.parse(shared.stdout);
    expect(letter.close).toMatchObject({ shown: "both", unanswered: [] });
    expect(letter.close.story.reader).toHaveLength(8);
    const asked = server.exchanges.length;
    const alone = await runFabula(words, { folder, environment: { FABULA_STORE: join(folder, "alone.db") } });
    expect(server.exchanges.length).toBe(2 * asked);
    expect(letter.findings).toEqual(JSON.parse(alone.stdout).letter.findings);
  } finally {
    worker.child.kill("SIGTERM");
    await worker.ended;
  }
});
