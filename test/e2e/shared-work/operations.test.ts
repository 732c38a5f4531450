import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { answering, madeQuestions } from "../../../benchmarks/support/made-library.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { startWorker } from "../../support/worker-process.ts";
import { runFabula } from "../run-fabula.ts";
import { serveFabula } from "../serve-fabula.ts";

vi.setConfig({ testTimeout: 240_000 });

let postgres: TestPostgres;
let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await createSimulatedServer({ latency: 20 });
  folder = await mkdtemp(join(tmpdir(), "fabula-operations-"));
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(60));
});
afterAll(async () => {
  await server.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

const triggerSchema = z.object({
  kind: z.literal("ScaledObject"),
  spec: z.object({ triggers: z.array(z.object({ type: z.string(), metadata: z.object({ query: z.string() }) })) }),
});

/** What KEDA would ask. */
function scalingQuery(): string {
  const documents = parseAllDocuments(readFileSync("examples/deploy/kubernetes.yaml", "utf8"));
  const found = documents.map((document) => triggerSchema.safeParse(document.toJS())).find(({ success }) => success);
  return found!.data!.spec.triggers[0]!.metadata.query;
}

async function ask(store: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  try {
    const { rows } = await client.query({ text: query, rowMode: "array" });
    return (rows?.[0] as unknown[] | undefined)?.[0];
  } finally {
    await client.end();
  }
}

/** Every series that a text of metrics has: its name, and the names of its labels. */
function seriesIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.split("\n").filter((one) => one && !one.startsWith("#"))) {
    const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line)!;
    const known = found.get(name) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
    found.set(name, known);
  }
  return found;
}

const boardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })),
});
const FUNCTIONS = new Set(["max", "sum", "rate", "increase", "by"]);

it("the queue can be measured without a worker, and every query of the board finds what server and workers print", async () => {
  const store = await postgres.freshDatabase();
  const environment = { FABULA_STORE: store, FABULA_OWNER: "ada" };
  const answer = (...more: string[]) =>
    runFabula([...answering("out.jsonl", server.judge("m")), ...more], { folder, environment });
  const served = await serveFabula(folder, [], { FABULA_STORE: store });
  try {
    expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
    const queued = await answer("--detach", "--requests-per-minute", "3000");
    expect(queued.code, queued.stderr).toBe(0);
    const pieces = Number(await ask(store, scalingQuery()));
    expect(pieces).toBeGreaterThan(0);
    const before = await (await served.get("/metrics")).text();
    expect(before).toContain(`fabula_queue_pieces{state="queued"} ${pieces}\n`);
    expect(before).toContain('fabula_fleet_workers{state="working"} 0\n');
    expect(before).toMatch(/fabula_queue_oldest_seconds \d/);

    const worker = startWorker(store, ["--metrics-port", "0"]);
    try {
      const { detail } = await worker.said("metrics");
      const address = /http:\S+/.exec(String(detail))![0];
      const run = /Run (\S+) is queued/.exec(queued.stderr)![1]!;
      const fetched = await runFabula(["runs", "resume", run], { folder, environment });
      expect(fetched.code, fetched.stderr).toBe(0);
      const after = await (await served.get("/metrics")).text();
      expect(after).toContain('fabula_queue_pieces{state="queued"} 0\n');
      expect(after).toMatch(/fabula_fleet_calls_total\{model="m@http[^"]+",owner="ada"\} 60\n/);
      expect(Number(await ask(store, scalingQuery()))).toBe(0);

      const printed = new Map([...seriesIn(await (await fetch(address)).text()), ...seriesIn(after)]);
      const { panels } = boardSchema.parse(JSON.parse(readFileSync("examples/deploy/grafana.json", "utf8")));
      for (const { expr } of panels.flatMap(({ targets }) => targets)) {
        const names = [...expr.matchAll(/fabula_\w+/g)].map(([name]) => name);
        expect(names.length, expr).toBeGreaterThan(0);
        for (const name of names) expect([...printed.keys()], expr).toContain(name);
        const labels = [...expr.replace(/\[\w+\]/g, "").matchAll(/[a-z_]+/g)].map(([word]) => word);
        const strings = new Set([...expr.matchAll(/"([^"]*)"/g)].flatMap(([, text]) => text!.split(" ")));
        const used = labels.filter((word) => !FUNCTIONS.has(word) && !names.includes(word) && !strings.has(word));
        for (const label of used) expect([...names.flatMap((name) => [...printed.get(name)!])], expr).toContain(label);
      }
    } finally {
      worker.child.kill("SIGKILL");
      await worker.ended;
    }
  } finally {
    await served.stop("SIGINT");
  }
});

it("Slurm is given as many workers as there is work for, and none when nothing is queued", async () => {
  const programs = await mkdtemp(join(folder, "programs-"));
  const program = (name: string, text: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  const start = (pieces: number, running: number) => {
    program("psql", `echo ${pieces}`);
    program("squeue", `seq ${running}`);
    program("sbatch", 'echo "$@"');
    return execFileSync("sh", [join(process.cwd(), "examples/deploy/slurm.sh"), "start", "20"], {
      env: { PATH: `${programs}:/usr/bin:/bin`, FABULA_STORE: "postgres://somewhere/else" },
      encoding: "utf8",
    });
  };
  expect(start(0, 0)).toBe("");
  expect(start(30, 1)).toContain("--array=1-3 ");
  expect(start(30, 4)).toBe("");
  expect(start(100_000, 0)).toContain("--array=1-20 ");
});

it("doctor says what of a store is damaged and how to go on, and changes nothing; the rest of it still answers", async () => {
  const path = join(folder, "damaged.db");
  const run = await runFabula([...answering("alone.jsonl", server.judge("m"))], {
    folder,
    environment: { FABULA_STORE: path },
  });
  expect(run.code, run.stderr).toBe(0);
  const doctor = (store: string) =>
    runFabula(["doctor", "--store", store, "--json"], { folder, environment: { FABULA_STORE: "" } });
  const finding = ({ stdout }: { stdout: string }) =>
    z
      .object({ findings: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string() })) })
      .parse(JSON.parse(stdout))
      .findings.find(({ name }) => name === "store")!;
  expect(finding(await doctor(path)).state).toBe("ready");

  // A page of the table of requests, by its place in the file.
  const whole = new Database(path);
  whole.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const { page } = whole
    .prepare("SELECT max(pageno) AS page FROM dbstat WHERE name = 'requests' AND pagetype = 'leaf'")
    .get() as { page: number };
  whole.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, (page - 1) * 4096, page * 4096);
  writeFileSync(path, bytes);
  const damaged = finding(await doctor(path));
  expect(damaged).toMatchObject({
    state: "broken",
    detail: expect.stringMatching(
      /is not whole: damaged: requests; whole: batches, calls, events, .+; restore it from a backup, or .+\.recover/,
    ),
  });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  const listed = await runFabula(["runs", "list", "--store", path], { folder, environment: { FABULA_STORE: "" } });
  expect(listed.code, listed.stderr).toBe(0);
  const copied = await runFabula(["runs", "copy", "--from", path, "--to", join(folder, "copy.db")], { folder });
  expect(copied).toMatchObject({ code: 1, stderr: expect.stringContaining("is damaged: restore it from a backup") });

  const store = await postgres.freshDatabase();
  expect(finding(await doctor(store)).state).toBe("ready");
  await ask(store, "DROP TABLE fabula.requests; DROP FUNCTION fabula.claim_calls");
  expect(finding(await doctor(store))).toMatchObject({
    state: "broken",
    detail: expect.stringMatching(
      /is not whole: the table requests is missing; the function claim_calls is missing; stop the workers/,
    ),
  });
});
