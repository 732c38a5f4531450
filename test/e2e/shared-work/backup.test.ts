import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { answering, madeQuestions } from "../../../benchmarks/support/made-library.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { debianPackage } from "../../support/debian-package.ts";
import { startPostgres } from "../../support/postgres.ts";
import { startWorker, type WorkerProcess } from "../../support/worker-process.ts";
import { runFabula } from "../run-fabula.ts";

vi.setConfig({ testTimeout: 240_000 });

const QUESTIONS = 120;

let folder: string;
let server: SimulatedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-backup-"));
  server = await createSimulatedServer({ latency: 150 });
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(QUESTIONS));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const answered = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;

/** A command of the page on operations, as it stands there. */
function documented(program: string): string {
  const line = new RegExp(`^${program} .*?(?= {2,}#)`, "m").exec(readFileSync("docs/operations.md", "utf8"));
  return line![0];
}

/** Of the newest PostgreSQL of this machine that has a server and the programs for backups. */
async function debianPrograms(): Promise<string | null> {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? (await readdir(root)).sort((one, other) => Number(other) - Number(one)) : [];
  const whole = versions.find((version) =>
    ["initdb", "postgres", "pg_dump", "pg_restore"].every((name) => existsSync(join(root, version, "bin", name))),
  );
  return whole === undefined ? null : join(root, whole);
}

it("a dump of a busy database goes on in a new one: nothing it holds is paid again, and nothing is missing", async ({
  skip,
}) => {
  // The PostgreSQL of the npm packages has no pg_dump.
  if ((await debianPrograms()) === null) debianPackage("postgresql", "backups of a shared store")?.();
  const programs = await debianPrograms();
  if (programs === null) {
    expect(process.env.CI, "CI must have PostgreSQL's programs for backups").toBeUndefined();
    return skip("there is no pg_dump, and it cannot be installed");
  }
  const postgres = await startPostgres({ programs });
  const workers: WorkerProcess[] = [];
  const worker = (store: string) => workers.push(startWorker(store));
  try {
    const [store, other] = [await postgres.freshDatabase(), await postgres.freshDatabase()];
    const inShell = (command: string, address: string) =>
      execFileSync("sh", ["-c", command], {
        cwd: folder,
        env: { ...process.env, PATH: `${programs}/bin:${process.env.PATH}`, FABULA_STORE: address },
      });
    worker(store);
    const queued = await runFabula(
      [...answering("answers.jsonl", server.judge("m")), "--concurrency", "4", "--detach"],
      {
        folder,
        environment: { FABULA_STORE: store },
      },
    );
    const run = /Run (\S+) is queued/.exec(queued.stderr)![1]!;
    await expect.poll(answered, { timeout: 120_000, interval: 20 }).toBeGreaterThan(QUESTIONS / 5);
    inShell(documented("pg_dump"), store);
    expect(answered()).toBeLessThan(QUESTIONS);
    // The machine with the database is lost, and the worker with it.
    workers[0]!.child.kill("SIGKILL");
    await workers[0]!.ended;
    inShell(documented("pg_restore"), other);
    const restored = await openStore(other);
    const held = await restored.countCalls();
    await restored.close();
    expect(held).toBeGreaterThan(QUESTIONS / 10);
    expect(held).toBeLessThan(QUESTIONS);
    // What was on its way ends.
    await expect.poll(() => server.exchanges.some(({ outcome }) => outcome === "pending")).toBe(false);
    const before = server.exchanges.length;
    worker(other);
    const { code, stderr } = await runFabula(["runs", "resume", run], { folder, environment: { FABULA_STORE: other } });
    expect(code, stderr).toBe(0);
    expect(server.exchanges.length - before).toBe(QUESTIONS - held);
    expect((await readFile(join(folder, "answers.jsonl"), "utf8")).trim().split("\n")).toHaveLength(QUESTIONS);
  } finally {
    for (const { child, ended } of workers) {
      child.kill("SIGKILL");
      await ended;
    }
    await postgres.close();
  }
});

it("a copy of a file in use goes on in its place: nothing it holds is paid again, and nothing is missing", async () => {
  const [store, backup] = [join(folder, "store.db"), join(folder, "backup.db")];
  const words = [...answering("answers.jsonl", server.judge("m")), "--concurrency", "4"];
  const child = spawn(process.execPath, [join(process.cwd(), "dist", "cli", "main.js"), ...words], {
    cwd: folder,
    env: { ...process.env, FABULA_STORE: store },
    stdio: "ignore",
  });
  const ended = once(child, "close");
  await expect.poll(answered, { timeout: 120_000, interval: 20 }).toBeGreaterThan(QUESTIONS / 5);
  const copied = await runFabula(["runs", "copy", "--from", store, "--to", backup, "--skip-comparison"], { folder });
  expect(copied.code, copied.stderr).toBe(0);
  expect(answered()).toBeLessThan(QUESTIONS);
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => server.exchanges.some(({ outcome }) => outcome === "pending")).toBe(false);
  const copy = await openStore(backup);
  const held = await copy.countCalls();
  const [run] = await copy.listRuns({}, { after: null, limit: 1 });
  await copy.close();
  expect(held).toBeGreaterThan(QUESTIONS / 10);
  const before = server.exchanges.length;
  const { code, stderr } = await runFabula(["runs", "resume", run!.id], {
    folder,
    environment: { FABULA_STORE: backup },
  });
  expect(code, stderr).toBe(0);
  expect(server.exchanges.length - before).toBe(QUESTIONS - held);
  expect((await readFile(join(folder, "answers.jsonl"), "utf8")).trim().split("\n")).toHaveLength(QUESTIONS);
});
