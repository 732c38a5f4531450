import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answering, madeQuestions } from "../../../benchmarks/support/made-library.ts";
import { type SimulatedServer, seededReply } from "../../../src/testing/index.ts";
import { cutLine } from "../../support/cut-line.ts";
import { loopbackServer } from "../../support/loopback-server.ts";
import { sharedWorkUnderTest } from "../../support/shared-work-under-test.ts";
import { startWorker } from "../../support/worker-process.ts";
import { runFabula } from "../run-fabula.ts";
import { serveFabula } from "../serve-fabula.ts";

/** Each starts several processes, and a busy machine takes its time. */
vi.setConfig({ testTimeout: 240_000 });

const under = sharedWorkUnderTest();
const { worker, workers, fabula, runOf } = under;
let folder: string;
let server: SimulatedServer;
beforeEach(() => {
  ({ folder } = under);
});

const questions = (count: number) => writeFile(join(folder, "questions.jsonl"), madeQuestions(count));

const answer = (out: string, ...more: string[]) => fabula([...answering(out, server.judge("m")), "--json", ...more]);

describe("shared work", () => {
  it("gives what one process gives, whoever did it", async () => {
    server = await under.serve({ latency: 20 });
    await questions(60);
    const [one, two] = [worker(), worker()];
    const shared = await answer("shared.jsonl");
    expect(shared.stderr).toContain("is queued for the workers");
    expect(shared.code).toBe(0);
    const asked = server.exchanges.length;
    const alone = await runFabula([...answering("alone.jsonl", server.judge("m")), "--json"], {
      folder,
      environment: { FABULA_STORE: join(folder, "alone.db") },
    });
    expect(alone.code).toBe(0);
    expect(server.exchanges.length).toBe(2 * asked);
    expect(await readFile(join(folder, "shared.jsonl"), "utf8")).toBe(
      await readFile(join(folder, "alone.jsonl"), "utf8"),
    );
    const { run, ...report } = JSON.parse(shared.stdout);
    expect(report).toEqual({ ...JSON.parse(alone.stdout), run: undefined });
    const shown = JSON.parse((await fabula(["runs", "show", run, "--json"])).stdout);
    expect(shown).toMatchObject({
      status: "done",
      shared: { state: "closed", pieces: { total: 3, done: 3, failed: 0 } },
    });
    const page = await serveFabula(folder, ["--store", under.store]);
    try {
      expect(await page.json(`/api/runs/${run}`)).toMatchObject({ status: "done", pieces: { done: 3, total: 3 } });
    } finally {
      await page.stop("SIGINT");
    }
    for (const { child, ended } of [one, two]) {
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    }
    expect([...one.log, ...two.log].filter(({ event }) => event === "not-json")).toEqual([]);
  });
});

describe("a worker", () => {
  it("that is killed leaves its piece to another, and nothing answered is paid again", async () => {
    server = await under.serve({ latency: 150 });
    // Eight pieces, of which each worker takes four.
    await questions(200);
    const [one, two] = [worker(), worker()];
    await Promise.all([one.said("ready"), two.said("ready")]);
    const running = answer("out.jsonl", "--concurrency", "12");
    while (server.exchanges.length < 30) await wait(20);
    one.child.kill("SIGKILL");
    const finished = await running;
    expect(finished.code).toBe(0);
    expect(two.log.some(({ event }) => event === "recovered")).toBe(true);
    const bills = new Map<string, number>();
    for (const { idempotencyKey, outcome } of server.exchanges) {
      if (outcome === "answered") bills.set(idempotencyKey!, (bills.get(idempotencyKey!) ?? 0) + 1);
    }
    expect(bills.size).toBe(200);
    // Only what was on its way to the killed worker may have been billed without reaching the store.
    expect([...bills.values()].reduce((sum, count) => sum + count - 1, 0)).toBeLessThanOrEqual(12);
  });

  it("that is stopped finishes what it has sent and gives the rest back", async () => {
    server = await under.serve({ latency: 200 });
    await questions(80);
    const one = worker();
    await one.said("ready");
    const detached = await answer("out.jsonl", "--concurrency", "4", "--detach");
    expect(detached.code).toBe(0);
    const run = runOf(detached);
    while (server.exchanges.length < 10) await wait(20);
    one.child.kill("SIGTERM");
    expect(await one.ended).toBe(0);
    expect(one.log.some(({ event }) => event === "given-back")).toBe(true);
    expect(server.exchanges.filter(({ outcome }) => outcome !== "answered")).toEqual([]);
    const before = server.exchanges.length;
    expect(before).toBeLessThan(80);
    worker();
    const fetched = await fabula(["runs", "resume", run, "--json"]);
    expect(fetched.code).toBe(0);
    expect(server.exchanges).toHaveLength(80);
    expect(JSON.parse(fetched.stdout)).toMatchObject({ questions: 80, answered: 80, run });
  });

  it("whose network was away for twenty seconds goes on within seconds, and so does whoever waits for it; nothing is paid twice", async () => {
    server = await under.serve({ latency: 300 });
    await questions(60);
    const line = await cutLine(under.postgres.port);
    try {
      under.store = line.through(under.store);
      const only = worker();
      const waiting = answer("out.jsonl", "--concurrency", "4");
      await expect.poll(() => server.exchanges.length).toBeGreaterThan(8);
      line.cut();
      await wait(20_000);
      line.mend();
      const restored = performance.now();
      const { code, stderr } = await waiting;
      expect(code, stderr).toBe(0);
      // Of two minutes that a silent connection is given, nothing is seen.
      expect((performance.now() - restored) / 1000).toBeLessThan(60);
      expect(only.log.map(({ event }) => event)).toContain("back");
      expect(new Set(server.exchanges.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(server.exchanges.length);
      expect((await readFile(join(folder, "out.jsonl"), "utf8")).trim().split("\n")).toHaveLength(60);
    } finally {
      await line.close();
    }
  });

  it("whose network was away until others took over ends within seconds of its return", async () => {
    server = await under.serve({ latency: 300 });
    await questions(80);
    const line = await cutLine(under.postgres.port);
    const direct = under.store;
    try {
      const other = worker();
      under.store = line.through(direct);
      const cut = worker();
      under.store = direct;
      await Promise.all([other.said("ready"), cut.said("ready")]);
      const waiting = answer("out.jsonl", "--concurrency", "2");
      await expect.poll(() => server.exchanges.length).toBeGreaterThan(8);
      line.cut();
      await other.said("recovered");
      line.mend();
      const restored = performance.now();
      expect(await cut.ended).toBe(1);
      expect((performance.now() - restored) / 1000).toBeLessThan(60);
      const { code, stderr } = await waiting;
      expect(code, stderr).toBe(0);
    } finally {
      await line.close();
    }
  });

  it("leaves a paused run alone until it is unpaused", async () => {
    // Slow until it is paused: the pause comes in time however long its command takes to start.
    let isSlow = true;
    server = await under.serve({
      reply: async (asked, random) => {
        if (isSlow) await wait(1000);
        return seededReply(asked, random);
      },
    });
    await questions(80);
    const one = worker("--metrics-port", "0");
    await one.said("ready");
    const detached = await answer("out.jsonl", "--concurrency", "4", "--detach");
    const run = runOf(detached);
    while (server.exchanges.length < 10) await wait(20);
    expect((await fabula(["runs", "pause", run])).code).toBe(0);
    const address = String((await one.said("metrics")).detail);
    const metrics = async () => (await fetch(address)).text();
    await expect.poll(metrics).toMatch(/^fabula_pieces_under_way 0$/m);
    expect(one.log.some(({ event }) => event === "given-back")).toBe(true);
    isSlow = false;
    const before = server.exchanges.length;
    await wait(1000);
    expect(server.exchanges).toHaveLength(before);
    expect((await fabula(["runs", "show", run])).stdout).toContain("paused");
    expect(await metrics()).toMatch(/fabula_calls_total\{outcome="answered",model="m@.+"\} \d+/);
    expect((await fetch(address.replace("/metrics", "/healthz"))).status).toBe(200);
    await fabula(["runs", "unpause", run]);
    expect((await fabula(["runs", "resume", run])).code).toBe(0);
    expect(server.exchanges).toHaveLength(80);
  });

  it("without the key that the work needs says so and leaves the work to others", async () => {
    server = await under.serve({ key: "sk-right-key-000" });
    await questions(5);
    const address = { OPENAI_BASE_URL: `${server.url}/v1` };
    const words = answering("out.jsonl", "openai:gpt-4o-mini");
    const poor = startWorker(under.store, [], { ...address, OPENAI_API_KEY: "" });
    workers.push(poor);
    await poor.said("ready");
    const waiting = runFabula(words, { folder, environment: { FABULA_STORE: under.store, ...address } });
    const { run, detail } = await poor.said("refused");
    expect(detail).toContain("No key for openai");
    const rich = startWorker(under.store, [], { ...address, OPENAI_API_KEY: "sk-right-key-000" });
    workers.push(rich);
    expect((await waiting).code).toBe(0);
    const shown = await fabula(["runs", "show", String(run)]);
    expect(shown.stdout).toMatch(/cannot do this run: No key for openai/);
    poor.child.kill("SIGTERM");
    expect(await poor.ended).toBe(0);
    expect(JSON.stringify(rich.log)).not.toContain("sk-right-key-000");
  });

  it("whose key was revoked spoils none of the work: it says so and leaves the work to others", async () => {
    server = await under.serve({ key: "sk-right-key-000" });
    await questions(40);
    const address = { OPENAI_BASE_URL: `${server.url}/v1` };
    const words = [...answering("out.jsonl", "openai:gpt-4o-mini"), "--concurrency", "4"];
    const revoked = startWorker(under.store, [], { ...address, OPENAI_API_KEY: "sk-revoked-key-00" });
    workers.push(revoked);
    await revoked.said("ready");
    const waiting = runFabula(words, { folder, environment: { FABULA_STORE: under.store, ...address } });
    const { run } = await revoked.said("refused");
    const good = startWorker(under.store, [], { ...address, OPENAI_API_KEY: "sk-right-key-000" });
    workers.push(good);
    const { code, stderr } = await waiting;
    expect(code, stderr).toBe(0);
    expect(server.exchanges.filter(({ outcome }) => outcome === "answered")).toHaveLength(40);
    const shown = await fabula(["runs", "show", String(run)]);
    expect(shown.stdout).toMatch(/cannot do this run: .*key/);
  });

  it("sends its key to the server that it is for, and to no other that a queued run names", async () => {
    const key = "sk-the-workers-key-0123456789";
    server = await under.serve({ key });
    const thief = await loopbackServer((_request, response) => response.writeHead(401).end("{}"));
    try {
      await questions(3);
      const keyed = startWorker(under.store, [], { FABULA_API_KEY: key, FABULA_BASE_URL: `${server.url}/v1` });
      workers.push(keyed);
      await fabula([...answering("stolen.jsonl", `m@${thief.url}/v1`), "--detach"]);
      await keyed.said("refused");
      expect(thief.received.length).toBeGreaterThan(0);
      expect(JSON.stringify(thief.received)).not.toContain(key);
      expect(JSON.stringify(keyed.log)).toContain(`no key was sent to ${thief.url}`);
      expect((await answer("answers.jsonl")).code).toBe(0);
      expect(server.exchanges.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "answered"]);
    } finally {
      await thief.close();
    }
  });
});
