import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Paged } from "../../../src/api/answers.ts";
import type { RunRow } from "../../../src/api/runs.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { spawnFabula } from "../run-fabula.ts";
import { serveFabula } from "../serve-fabula.ts";

const STORY = join(process.cwd(), "assets", "examples", "the-inspector-of-weights.md");
/** `pg` cannot be loaded by a process with this in its environment. */
const WITHOUT_SERVERS = {
  NODE_OPTIONS: `--import ${pathToFileURL(join(process.cwd(), "test", "support", "without-servers.mjs")).href}`,
};

let folder: string;
let server: SimulatedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-file-"));
  server = await createSimulatedServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const fabula = (...words: string[]) =>
  spawnFabula(words, { folder, environment: { ...WITHOUT_SERVERS, FABULA_STORE: join(folder, "calls.db") } });

describe("who keeps calls in a file needs neither the driver of PostgreSQL nor the queue", () => {
  it("evaluates, lists, shows, exports, copies and goes on", async () => {
    const words = ["evaluate", STORY, "--judge", server.judge("m"), "--method", "aggregate", "--json"];
    const judged = await fabula(...words);
    // A simulated judge leaves some aspects out, which ends with 3.
    expect([0, 3], judged.stderr).toContain(judged.code);
    expect(server.exchanges.length).toBeGreaterThan(0);
    const listed = await fabula("runs", "list", "--json");
    expect(listed.code, listed.stderr).toBe(0);
    const [{ id }] = JSON.parse(listed.stdout).runs;
    for (const command of [
      ["runs", "show", id],
      ["runs", "export", id],
      ["runs", "resume", id],
      ["runs", "copy", "--from", "calls.db", "--to", "copy.db"],
      ["doctor"],
    ]) {
      const { code, stderr } = await fabula(...command);
      expect([0, command[1] === "resume" ? judged.code : 0], `${command.join(" ")}: ${stderr}`).toContain(code);
    }
  });

  it("scores in bulk with the grader", async () => {
    await writeFile(join(folder, "items.jsonl"), `${JSON.stringify({ id: 1, text: "It rained. ".repeat(200) })}\n`);
    const { code, stderr } = await fabula("score", "--in", "items.jsonl", "--out", "scores.jsonl");
    expect([0, 3], stderr).toContain(code);
  });

  it("serves the page with its list of runs", async () => {
    const page = await serveFabula(folder, ["--store", join(folder, "calls.db")], WITHOUT_SERVERS);
    try {
      const { items } = await page.json<Paged<RunRow>>("/api/runs");
      expect(items).not.toEqual([]);
      expect(await page.json(`/api/runs/${items[0]?.id}`)).toMatchObject({ status: "done", pieces: null });
    } finally {
      await page.stop("SIGINT");
    }
  });

  it("loads every command", async () => {
    const registry = pathToFileURL(join(process.cwd(), "dist", "cli", "registry.js")).href;
    const script = `
      const { ROOT } = await import(${JSON.stringify(registry)});
      const load = async (entry) => {
        if (!("members" in entry)) return [await entry.load()];
        return (await Promise.all(Object.values(entry.members).map(load))).flat();
      };
      console.log((await load(ROOT)).length);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
      env: { ...process.env, ...WITHOUT_SERVERS },
    });
    expect(Number(stdout)).toBeGreaterThan(40);
  });

  it("would be noticed: a shared store does need them", async () => {
    for (const words of [["runs", "list"], ["worker"], ["score", "--in", "items.jsonl"]]) {
      const { code, stderr } = await fabula(...words, "--store", "postgres://nobody@127.0.0.1:9/nothing");
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /A store in PostgreSQL needs the package pg[-\w]*, which is not installed: run `npm install/,
      );
    }
  });
});
