import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer, seededReply } from "../../src/testing/index.ts";
import { serveFabula } from "./serve-fabula.ts";

const BOOKS = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-ending-"));
  for (const file of BOOKS) await writeFile(join(folder, file), `${file} waited by the water. `.repeat(200));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server that leaves every call unanswered until it is told to answer those that wait. */
async function createPatientServer() {
  const waiting: (() => void)[] = [];
  const server = await createSimulatedServer({
    reply: async (request, random) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return seededReply(request, random);
    },
  });
  const answer = () => {
    for (const go of waiting.splice(0)) go();
  };
  return { server, answer };
}

/** A command that runs, with what it said on stderr. */
function start(words: readonly string[]) {
  const child = spawn(process.execPath, [join(process.cwd(), "dist", "cli", "main.js"), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, FABULA_STORE: join(folder, "store.db") },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    stderr,
  }));
  return { child, said: () => stderr, ended };
}

const evaluating = (server: SimulatedServer, books: readonly string[]) => [
  ...["evaluate", ...books, "--judge", server.judge("m"), "--method", "one-pass", "--runs", "1", "--concurrency", "1"],
];

describe("a command that is asked to end while it pays for calls", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "says at once what it finishes, loses no call and says how to go on (%s)",
    async (signal) => {
      const { server, answer } = await createPatientServer();
      try {
        const { child, said, ended } = start(evaluating(server, ["a.txt", "b.txt"]));
        await expect.poll(() => server.exchanges.length).toBe(1);
        child.kill(signal);
        await expect.poll(said).toContain("finishing the calls already sent");
        answer();
        const { code, stderr } = await ended;
        expect(code, stderr).toBe(1);
        expect(stderr).toMatch(
          /Interrupted with 1 call answered; nothing paid for is lost\. Resume it with `fabula runs resume/,
        );
        expect(server.exchanges.map(({ outcome }) => outcome)).toEqual(["answered"]);
      } finally {
        await server.close();
      }
    },
  );

  it("hands SIGTERM on to the run it resumes", async () => {
    const { server, answer } = await createPatientServer();
    try {
      const first = start(evaluating(server, ["c.txt", "d.txt"]));
      await expect.poll(() => server.exchanges.length).toBe(1);
      first.child.kill("SIGTERM");
      await expect.poll(first.said).toContain("finishing the calls already sent");
      answer();
      const run = /fabula runs resume ([\w-]+)/.exec((await first.ended).stderr)![1]!;
      const resumed = start(["runs", "resume", run]);
      await expect.poll(() => server.exchanges.length).toBe(2);
      resumed.child.kill("SIGTERM");
      await expect.poll(resumed.said).toContain("finishing the calls already sent");
      answer();
      const { code, stderr } = await resumed.ended;
      expect(code, stderr).toBe(1);
      expect(stderr).toContain("nothing paid for is lost");
      expect(server.exchanges.map(({ outcome }) => outcome)).toEqual(["answered", "answered"]);
    } finally {
      await server.close();
    }
  });

  it("`fabula serve` pauses what runs on SIGTERM and ends with 0", async () => {
    const served = await serveFabula(folder);
    expect(await served.stop("SIGTERM")).toBe(0);
    expect(served.stderr()).toContain("Pausing what is running");
  });
});

describe("a command that pays for nothing", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends at once on the first %s, with no half of its file", async (signal) => {
    const { child, ended } = start(["reader", "predict", "--in", "-", "--out", "predictions.jsonl"]);
    const unfinished = `predictions.jsonl.${child.pid}.unfinished`;
    await expect.poll(() => readdir(folder)).toContain(unfinished);
    // Its standard input stays open: it ends because it was asked to.
    child.kill(signal);
    expect(await ended).toEqual({ code: null, signal, stderr: "" });
    expect(await readdir(folder)).not.toContain("predictions.jsonl");
  });
});

describe("a reader that closes the output (`| head`)", () => {
  it("says so when all was paid and only the result could not be written", async () => {
    const server = await createSimulatedServer({ latency: 300 });
    try {
      const { child, ended } = start([...evaluating(server, ["a.txt"]), "--json", "--refresh"]);
      child.stdout.destroy();
      const { code, stderr } = await ended;
      expect(code, stderr).toBe(1);
      expect(stderr).toContain("Standard output was closed before everything was written. What was paid for is kept");
    } finally {
      await server.close();
    }
  });

  it("is no failure where nothing was paid", async () => {
    const { child, ended } = start(["read", ...BOOKS, "--json"]);
    child.stdout.destroy();
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    // A slow machine may show how far the reading is.
    expect(stderr).not.toMatch(/fabula:|closed/);
  });
});
