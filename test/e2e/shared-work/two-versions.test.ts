import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { answering, madeQuestions } from "../../../benchmarks/support/made-library.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { installBuild } from "../../support/install-build.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { startWorker, type WorkerProcess } from "../../support/worker-process.ts";
import { spawnFabula } from "../run-fabula.ts";

/** Each starts several processes, and a busy machine takes its time. */
vi.setConfig({ testTimeout: 240_000 });

const QUESTIONS = 30;
const NEW_WORDS = "You answer in the manner of the next version.";

let postgres: TestPostgres;
let server: SimulatedServer;
let root: string;
/** Two whole installations: this one, and one of the next release, which words a prompt otherwise. */
let older: string;
let newer: string;
let store: string;
let folder: string;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  // The answer tells which version asked.
  server = await createSimulatedServer({
    reply: ({ messages }) => {
      const asked = messages.map(({ content }) => content).join();
      return JSON.stringify({ answer: asked.includes(NEW_WORDS) ? "asked by the newer" : "asked by the older" });
    },
  });
  root = await mkdtemp(join(tmpdir(), "fabula-versions-"));
  older = await installBuild(join(root, "older"), "0.1.0");
  newer = await installBuild(join(root, "newer"), "0.2.0");
  const prompt = join(newer, "assets", "prompts", "en", "qa-answer.md");
  const text = await readFile(prompt, "utf8");
  await writeFile(prompt, text.replace("You answer questions about books", `${NEW_WORDS} You answer questions`));
});
afterAll(async () => {
  await server.close();
  await postgres.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  store = await postgres.freshDatabase();
  folder = await mkdtemp(join(root, "work-"));
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(QUESTIONS));
});
afterEach(async () => {
  for (const worker of workers.splice(0)) {
    worker.child.kill("SIGKILL");
    await worker.ended;
  }
});

/** The file of a build that holds the tables of the shared store. */
async function migrationsOf(build: string): Promise<string> {
  const parts = join(build, "dist", "parts");
  for (const name of await readdir(parts)) {
    const text = await readFile(join(parts, name), "utf8");
    if (/^(?:var|const) MIGRATIONS = /m.test(text) && text.includes("CREATE TABLE fabula.calls"))
      return join(parts, name);
  }
  throw new Error("no part of the build holds the tables");
}

async function worker(build: string): Promise<WorkerProcess> {
  const started = startWorker(store, [], {}, build);
  workers.push(started);
  await started.said("ready");
  return started;
}

const fabula = (build: string, words: readonly string[]) =>
  spawnFabula(words, { folder, build, environment: { FABULA_STORE: store } });

const answer = (build: string, out: string, ...more: string[]) =>
  fabula(build, [...answering(out, server.judge("m")), ...more]);

const runOf = ({ stderr }: { stderr: string }) => /Run (\S+) is queued/.exec(stderr)![1]!;

async function answersIn(out: string): Promise<Set<string>> {
  const text = await readFile(join(folder, out), "utf8");
  return new Set(text.match(/asked by the \w+/g) ?? []);
}

it("workers of two versions side by side each do the work of their own, and only that", async () => {
  const [one, two] = await Promise.all([worker(older), worker(newer)]);
  const before = server.exchanges.length;
  const [first, second] = await Promise.all([answer(older, "older.jsonl"), answer(newer, "newer.jsonl")]);
  expect([first.code, second.code], first.stderr + second.stderr).toEqual([0, 0]);
  expect(await answersIn("older.jsonl")).toEqual(new Set(["asked by the older"]));
  expect(await answersIn("newer.jsonl")).toEqual(new Set(["asked by the newer"]));
  expect(server.exchanges.length - before).toBe(2 * QUESTIONS);
  const doneBy = ({ log }: WorkerProcess) =>
    new Set(log.filter(({ event }) => event === "done").map(({ run }) => String(run)));
  expect(doneBy(one)).toEqual(new Set([runOf(first)]));
  expect(doneBy(two)).toEqual(new Set([runOf(second)]));
});

it("work of a version that nobody runs any more waits, says so in one sentence, and is redone by the next when resumed", async () => {
  const run = runOf(await answer(older, "out.jsonl", "--detach"));
  const next = await worker(newer);
  await expect
    .poll(async () => (await fabula(older, ["runs", "show", run])).stdout)
    .toMatch(
      /^The only worker that is connected is of another version of Fabula: start some of this one \(\d+-0\.1\.0-\w+\) with `fabula worker`\.$/m,
    );
  expect(next.log.filter(({ event }) => event === "done")).toEqual([]);
  const resumed = await fabula(newer, ["runs", "resume", run]);
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(await answersIn("out.jsonl")).toEqual(new Set(["asked by the newer"]));
});

it("an older worker finishes its work when a newer version has changed the tables, and an older command refuses", async () => {
  const one = await worker(older);
  const run = runOf(await answer(older, "out.jsonl", "--detach"));
  const future = join(root, "future");
  await cp(newer, future, { recursive: true });
  await appendFile(
    await migrationsOf(future),
    '\nMIGRATIONS.push("ALTER TABLE fabula.pieces ADD COLUMN weight INTEGER");\n',
  );
  const opened = await fabula(future, ["runs", "list"]);
  expect(opened.code, opened.stderr).toBe(0);
  await expect.poll(() => one.log.filter(({ event }) => event === "done").length).toBe(2);
  const shown = await fabula(future, ["runs", "show", run]);
  expect(shown.stdout).toContain("2 of 2 pieces done");
  expect(shown.stdout).toContain(`The work is done: \`fabula runs resume ${run}\` fetches the result.`);
  const refused = await fabula(older, ["runs", "resume", run]);
  expect(refused.code).toBe(1);
  expect(refused.stderr.trim()).toMatch(
    /^fabula: The store \S+ was written by a newer version of Fabula: update Fabula/,
  );
});
