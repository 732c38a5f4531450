import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { placeholderValue } from "../../../src/models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { runFabula } from "../run-fabula.ts";

let folder: string;
let postgres: TestPostgres;
let server: SimulatedServer;
let store: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-e2e-"));
  postgres = await startPostgres();
  server = await createSimulatedServer({
    // Every aspect is scored: an unscored one would end the command with 3.
    reply: ({ schema }, random) =>
      JSON.stringify(placeholderValue(schema, random), (key, part) => (key === "score" ? (part ?? 70) : part)),
  });
});
beforeEach(async () => {
  store = await postgres.freshDatabase();
});
afterAll(async () => {
  await server.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (words: readonly string[], environment: Record<string, string> = {}) =>
  runFabula(words, { folder, environment: { OLLAMA_HOST: "127.0.0.1:9", ...environment } });
const STORY = join(process.cwd(), "assets", "examples", "the-inspector-of-weights.md");
/** In this process: without `--local` the work would wait for workers. */
const evaluate = () => [
  ...["evaluate", STORY, "--judge", server.judge("simulated-small")],
  ...["--method", "aggregate", "--local"],
];

describe("commands with --store postgres://", () => {
  it("keep calls there, remember them, and never show the password", async () => {
    const first = await fabula([...evaluate(), "--store", store]);
    expect(first.code, first.stderr).toBe(0);
    const asked = server.exchanges.length;
    expect(asked).toBeGreaterThan(0);
    const second = await fabula(evaluate(), { FABULA_STORE: store });
    expect(second.stderr).toContain(`${asked} from the store`);
    expect(server.exchanges.length).toBe(asked);

    const list = await fabula(["runs", "list", "--json", "--store", store]);
    const { runs } = JSON.parse(list.stdout);
    expect(runs).toHaveLength(2);
    const shown = await fabula(["runs", "show", runs[1].id, "--store", store]);
    expect(shown.stdout).toContain("fabula:***@127.0.0.1");
    const resumed = await fabula(["runs", "resume", runs[1].id], { FABULA_STORE: store });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(server.exchanges.length).toBe(asked);

    const doctor = await fabula(["doctor", "--store", store]);
    expect(doctor.stdout).toMatch(/store +postgres:\/\/fabula:\*\*\*@.*: \d+ calls, \d+\.\d MB, PostgreSQL \d+\.\d+/);
    expect(await readdir(folder)).toEqual([]);
    for (const { stdout, stderr } of [first, second, list, shown, resumed, doctor]) {
      expect(stdout + stderr).not.toContain(postgres.password);
    }
  });

  it("take the password from the environment, where nobody else sees it", async () => {
    const { stdout } = await fabula(["doctor", "--store", store.replace(`:${postgres.password}`, "")], {
      PGPASSWORD: postgres.password,
    });
    expect(stdout).toMatch(/store +postgres:\/\/fabula@127\.0\.0\.1:\d+\/fresh_\d+: 0 calls/);
  });

  it("say in one sentence that there is no such database", async () => {
    const { code, stderr } = await fabula([...evaluate(), "--store", postgres.url("nothing")]);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^fabula: The PostgreSQL server 127\.0\.0\.1:\d+ has no database "nothing": make it with/,
    );
  });
});

describe("fabula runs copy", () => {
  it("moves a project to a server and back without loss, and shows no password", async () => {
    const file = join(folder, "mine.db");
    const judged = await fabula([...evaluate(), "--json", "--store", file]);
    expect(judged.code, judged.stderr).toBe(0);
    const asked = server.exchanges.length;

    const there = await fabula(["runs", "copy", "--from", file, "--to", store, "--json"]);
    expect(there.code, there.stderr).toBe(0);
    const { copied, comparison } = JSON.parse(there.stdout);
    expect(copied.runs).toEqual({ rows: 1, added: 1 });
    expect(copied.calls.added).toBeGreaterThan(0);
    const again = await fabula([...evaluate(), "--json"], { FABULA_STORE: store });
    expect(JSON.parse(again.stdout).overall).toEqual(JSON.parse(judged.stdout).overall);
    expect(server.exchanges.length).toBe(asked);

    const back = await fabula(["runs", "copy", "--from", store, "--to", file]);
    expect(back.stdout).toMatch(/calls +\d+ +0/);
    expect(back.stdout).toMatch(/runs +2 +1/);
    const fresh = await fabula(["runs", "copy", "--from", file, "--to", join(folder, "fresh.db"), "--json"]);
    expect(JSON.parse(fresh.stdout).copied.runs).toEqual({ rows: 2, added: 2 });
    expect(JSON.parse(fresh.stdout).comparison.digests[0]).not.toBe(comparison.digests[0]);
    for (const { stdout, stderr } of [there, again, back]) expect(stdout + stderr).not.toContain(postgres.password);
  });

  it.each([
    [["--to", "x.db"], "`fabula runs copy` needs --from."],
    [["--from", "nowhere.db", "--to", "x.db"], "There is no store at nowhere.db"],
  ])("says in one sentence what is missing: %j", async (words, sentence) => {
    const { code, stderr } = await fabula(["runs", "copy", ...words]);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });

  it("does not copy a store onto itself", async () => {
    const { code, stderr } = await fabula(["runs", "copy", "--from", store, "--to", store]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--from and --to are both postgres:\/\/fabula:\*\*\*@/);
  });
});
