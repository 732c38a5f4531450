import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { startPostgres, type TestPostgres } from "../support/postgres.ts";
import { check } from "./checks.ts";
import { blocksOfHelp, blocksOfPages, isService, PAGES } from "./documents.ts";
import { type Session, startSession } from "./session.ts";
import { commandOf } from "./try-blocks.ts";

// What runs until it is stopped, and what needs a database server: the web app, assistants, workers and shared stores.
const LINES = [
  ...new Set([...blocksOfPages(), ...blocksOfHelp(inject("help"))].flatMap(({ lines }) => lines.filter(isService))),
];
const TAKEN = {
  serve: LINES.filter((line) => line.startsWith("fabula serve")),
  mcp: LINES.filter((line) => line.startsWith("fabula mcp")),
  worker: LINES.filter((line) => line.startsWith("fabula worker")),
  limits: LINES.filter((line) => line.startsWith("fabula limits")),
  paused: LINES.filter((line) => /^fabula runs (?:pause|unpause)/.test(line)),
  queued: LINES.filter((line) => /^fabula (?:evaluate|score)/.test(line)),
  copied: LINES.filter((line) => line.startsWith("fabula runs copy")),
  cancelled: LINES.filter((line) => line.startsWith("fabula runs cancel")),
};
const STORE = "postgres://fabula@db.example/fabula";

let session: Session;
let postgres: TestPostgres;
let store: string;
beforeAll(async () => {
  [session, postgres] = await Promise.all([startSession(inject("project")), startPostgres()]);
  store = await postgres.freshDatabase();
});
afterAll(async () => {
  await session.close();
  await postgres.close();
});

/** The line as it can be run here: with this machine's database and with ports that are free. */
async function here(line: string): Promise<string> {
  const ready = (await session.ready(line)).replaceAll(STORE, store).replace(/ 9464\b/, ` ${await freePort()}`);
  return ready.startsWith("fabula serve") && !ready.includes("--port") ? `${ready} --port 0` : ready;
}

it("every service that a document shows is tried here", () => {
  expect(Object.values(TAKEN).flat().toSorted()).toEqual(LINES.toSorted());
});

describe("the web app", () => {
  it.each(TAKEN.serve)("%s", async (line) => {
    const opened = join(session.home, "opened");
    rmSync(opened, { force: true });
    const server = watch(session.fabula.start(await here(line)));
    const link = (await server.said(/https?:\/\/\S+/))[0].replace("//0.0.0.0", "//127.0.0.1");
    const page = await visit(link);
    expect(page.text).toContain("<title>Fabula");
    const address = new URL(link).origin;
    if (line.includes("--host")) expect((await fetch(`${address}/api/about`, { redirect: "manual" })).ok).toBe(false);
    const about = await (await fetch(`${address}/api/about`, { headers: { cookie: page.cookie } })).text();
    for (const judge of /--judges (\S+)/.exec(line)?.[1]?.split(",") ?? ["crowd"])
      expect(about).toContain(judge.split("@")[0]);
    if (line.includes("--open")) {
      await expect.poll(() => readdirSync(session.home)).toContain("opened");
      expect((await visit(readFileSync(opened, "utf8").trim())).text).toContain("<title>Fabula");
    }
    expect(await server.stop()).toBe(0);
  });
});

describe("tools for an assistant", () => {
  const guide = PAGES.find((page) => page.endsWith("platform-engineers.md"))!;
  const named = [...readFileSync(guide, "utf8").matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name!);

  it.each(TAKEN.mcp)("%s", async (line) => {
    session.begin();
    await here("fabula read manuscripts/novel.md");
    const client = new Client({ name: "promises", version: "1.0.0" });
    const command = ["-c", `exec ${await here(line)}`];
    await client.connect(
      new StdioClientTransport({
        command: "bash",
        args: command,
        cwd: session.folder,
        env: { ...session.fabula.environment },
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...new Set(named)].toSorted());
    const file = line.includes("--folder") ? "novel.md" : "manuscripts/novel.md";
    const { content } = await client.callTool({ name: "read_book", arguments: { book: file } });
    expect(JSON.stringify(content)).toContain("The Ferry at Low Water");
    await client.close();
  });
});

describe("a shared store", () => {
  let run: string;
  beforeAll(async () => {
    session.begin();
    const { stderr } = await session.fabula.run(
      await here(`fabula evaluate books/*.epub --judge openai:gpt-4.1 --detach --store ${STORE}`),
    );
    run = /Run (\d{8}-\d{6}-\w+) is queued/.exec(stderr)?.[1] ?? `nothing was queued: ${stderr}`;
  });

  it.each(TAKEN.paused)("%s", async (line) => {
    const { code, stdout, stderr } = await session.fabula.run((await here(line)).replace(/\d{8}-\d{6}-\w+/, run));
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(run);
  });

  it.each(TAKEN.limits)("%s", async (line) => {
    const { code, stdout, stderr } = await session.fabula.run(`${await here(line)} --store ${store}`);
    expect(code, stderr).toBe(0);
    const [, provider, owner] = /^fabula limits (?:([a-z]+)|--owner ([a-z]+))/.exec(line) ?? [];
    if (provider !== undefined && !line.includes("--none")) expect(stdout).toContain(provider);
    if (owner !== undefined) expect(stdout).toContain(owner);
  });

  it.each(TAKEN.worker)("%s", async (line) => {
    const words = await here(line.includes("--store") ? line : `${line} --store ${STORE}`);
    const worker = watch(session.fabula.start(words));
    await worker.said(/"event":"ready"/);
    const port = /--metrics-port (\d+)/.exec(words)?.[1];
    if (port !== undefined) {
      await worker.said(/"event":"metrics"/);
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain("fabula_pieces_unfinished");
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    }
    expect(line.includes("--drain") ? await worker.ended : await worker.stop()).toBe(0);
  });

  it.each(TAKEN.queued)("%s", async (line) => {
    const worker = watch(session.fabula.start(`fabula worker --store ${store}`));
    await worker.said(/"event":"ready"/);
    const queued = await here(line);
    const finished = await session.fabula.run(queued);
    expect(finished.stderr).toMatch(/queued|workers?/);
    await check(
      { ...finished, line: queued, words: queued.split(" "), calls: 0, folder: session.folder },
      commandOf(line),
    );
    expect(await worker.stop()).toBe(0);
  });

  it.each(TAKEN.cancelled)("%s", async (line) => {
    const { stderr } = await session.fabula.run(
      await here(`fabula evaluate books/*.epub --judge openai:gpt-4.1 --refresh --detach --store ${STORE}`),
    );
    const waiting = /Run (\d{8}-\d{6}-\w+) is queued/.exec(stderr)![1]!;
    const ended = await session.fabula.run((await here(line)).replace(/\d{8}-\d{6}-\w+/, waiting));
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain(`Run ${waiting} is cancelled`);
  });

  it.each(TAKEN.copied)("%s", async (line) => {
    session.begin();
    const { code, stdout, stderr } = await session.fabula.run(await here(line));
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^calls +[1-9]\d* +[1-9]/m);
  });
});

/** A started program: what it said, and how it ended. */
function watch(child: ChildProcess) {
  // A test that fails before it stops its program does not leave it running.
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    ended,
    async said(pattern: RegExp): Promise<RegExpExecArray> {
      await expect.poll(() => text).toMatch(pattern);
      return pattern.exec(text)!;
    },
    async stop(): Promise<number | null> {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** Opens a link as a browser does: it keeps the cookie and goes where it is sent. */
async function visit(link: string): Promise<{ text: string; cookie: string }> {
  const first = await fetch(link, { redirect: "manual" });
  const cookie = first.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const target = first.headers.get("location");
  const page = target === null ? first : await fetch(new URL(target, link), { headers: { cookie } });
  return { text: await page.text(), cookie };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
