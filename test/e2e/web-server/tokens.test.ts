import { execFile } from "node:child_process";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createSimulatedServer } from "../../../src/testing/index.ts";
import { serveFabula } from "../serve-fabula.ts";
import { SELF_SIGNED } from "./self-signed.ts";
import { servedLibrary } from "./served-library.ts";

const run = promisify(execFile);

const library = servedLibrary();

describe("on this machine", () => {
  it("tells a user without the token nothing, and takes no key from them", async () => {
    const { url } = library.server;
    const anonymous = (method: string, path: string, body?: unknown) =>
      fetch(url + path, {
        method,
        headers: { "x-fabula": "1", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const key = { variable: "OPENAI_API_KEY", key: "sk-of-another-user" };
    const answers = [
      await anonymous("GET", "/api/books"),
      await anonymous("GET", "/api/settings"),
      await anonymous("POST", "/api/keys", key),
      await anonymous("DELETE", "/api/keys/OPENAI_API_KEY"),
      await fetch(`${url}/api/books`, { headers: { authorization: "Bearer something-of-thirty-two-letters" } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await library.server.get("/api/books")).status).toBe(200);
  });

  it.runIf(process.platform !== "win32")(
    "keeps its token where only its owner reads it, and believes no other",
    async () => {
      const own = join(library.folder, "kept");
      const file = join(own, "token");
      const serve = async () => {
        const served = await serveFabula(library.folder, ["--library", own]);
        await served.stop("SIGTERM");
        return new URL(served.link).searchParams.get("token");
      };
      const token = await serve();
      expect((await readFile(file, "utf8")).trim()).toBe(token);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await serve()).toBe(token);
      // One that others can read or have put there is replaced.
      await chmod(file, 0o644);
      const next = await serve();
      expect(next).not.toBe(token);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    },
  );
});

describe("people who were invited", () => {
  it("look or review as their role says, by link or by token, and cannot spend; the audit log says who did what and what it cost", async () => {
    const home = join(library.folder, "invited");
    const served = await serveFabula(library.folder, ["--library", home, "--people", "reviewer:Ada,reader:Ben"]);
    try {
      const { people } = served.printed as { people: { role: string; name: string; url: string }[] };
      expect(people.map(({ role, name }) => `${role} ${name}`)).toEqual(["reviewer Ada", "reader Ben"]);
      const [ada, ben] = people.map(({ url }) => new URL(url).searchParams.get("token")!);
      const book = (await (
        await served.upload("/api/books", {
          name: "story.md",
          content: `# One\n\n${"It rained on the harbour. ".repeat(200)}`,
        })
      ).json()) as { id: string };
      const as = (token: string, method: string, path: string, body?: unknown) =>
        fetch(served.url + path, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const job = { bookId: book.id, judges: ["jury"], method: "aggregate", aspects: [], runs: 1, maximumCost: null };
      for (const token of [ada!, ben!]) {
        expect((await as(token, "GET", "/api/books")).status).toBe(200);
        expect((await as(token, "POST", "/api/jobs", job)).status).toBe(403);
        expect((await as(token, "DELETE", `/api/books/${book.id}`)).status).toBe(403);
        expect((await as(token, "POST", "/api/keys", { variable: "OPENAI_API_KEY", key: "sk-x" })).status).toBe(403);
      }
      // What a reviewer may do reaches the route, which finds fault with what was sent; a reader is stopped before.
      expect((await as(ada!, "POST", "/api/votes", {})).status).toBe(400);
      expect((await as(ben!, "POST", "/api/votes", {})).status).toBe(403);
      // Nobody makes a reviewer of themselves: the name is signed.
      const forged = Buffer.from(JSON.stringify(["reviewer", "Ben"])).toString("base64url");
      expect((await as(`person.${forged}.${ben!.split(".")[2]}`, "GET", "/api/books")).status).toBe(401);
      // By the link: a session that is Ben's.
      const opened = await fetch(people[1]!.url, { redirect: "manual" });
      const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
      const page = { cookie, "x-fabula": "1", origin: served.url, "content-type": "application/json" };
      expect((await fetch(`${served.url}/api/books`, { headers: page })).status).toBe(200);
      const tried = await fetch(`${served.url}/api/jobs`, { method: "POST", headers: page, body: JSON.stringify(job) });
      expect(tried.status).toBe(403);
      expect(((await tried.json()) as { message: string }).message).toContain("Ben was invited as a reader");

      const begun = (await (await served.send("POST", "/api/jobs", job)).json()) as { id: string };
      await served.watch(begun.id, ["done", "failed"]);
      const lines = async () =>
        (await readFile(join(home, "audit.jsonl"), "utf8"))
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      await expect.poll(async () => (await lines()).some(({ job: id }) => id === begun.id)).toBe(true);
      const audit = await lines();
      expect(audit).toContainEqual(
        expect.objectContaining({ who: "reader Ben", method: "POST", path: "/api/jobs", status: 403 }),
      );
      expect(audit).toContainEqual(expect.objectContaining({ who: "reviewer Ada", path: "/api/votes", status: 400 }));
      expect(audit).toContainEqual(
        expect.objectContaining({ who: "owner", job: begun.id, book: book.id, judges: ["jury"], cost: 0, calls: 0 }),
      );
      expect(JSON.stringify(audit)).not.toContain("sk-x");
    } finally {
      await served.stop("SIGTERM");
    }
  });
});

it("takes the link of somebody who was invited back, and a link that is printed later works again", async () => {
  const home = join(library.folder, "revoked");
  const serve = () => serveFabula(library.folder, ["--library", home, "--people", "reader:Ben"]);
  const linkOf = ({ printed }: Awaited<ReturnType<typeof serve>>) =>
    (printed as { people: { url: string }[] }).people[0]!.url;
  const tokenIn = (link: string) => new URL(link).searchParams.get("token")!;
  const served = await serve();
  const before = linkOf(served);
  const as = (url: string, token: string, path: string, method = "GET") =>
    fetch(url + path, { method, headers: { authorization: `Bearer ${token}`, "x-fabula": "1" } });
  try {
    const opened = await fetch(before, { redirect: "manual" });
    const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
    const bySession = async () => (await fetch(`${served.url}/api/books`, { headers: { cookie } })).status;
    expect(await bySession()).toBe(200);
    expect((await as(served.url, tokenIn(before), "/api/people/Ben", "DELETE")).status).toBe(403);
    const unknown = await served.send("DELETE", "/api/people/ben");
    expect(unknown.status).toBe(404);
    expect(((await unknown.json()) as { message: string }).message).toContain("exactly");
    expect((await served.send("DELETE", "/api/people/Ben")).status).toBe(204);
    expect(await bySession()).toBe(403);
    expect((await as(served.url, tokenIn(before), "/api/books")).status).toBe(403);
    await expect
      .poll(() => readFile(join(home, "audit.jsonl"), "utf8"))
      .toMatch(/"who":"reader Ben".*"path":"\/api\/books","status":403/);
  } finally {
    await served.stop("SIGTERM");
  }
  const again = await serve();
  try {
    expect((await as(again.url, tokenIn(before), "/api/books")).status).toBe(403);
    expect((await as(again.url, tokenIn(linkOf(again)), "/api/books")).status).toBe(200);
  } finally {
    await again.stop("SIGTERM");
  }
});

it("the audit log names wrong tokens, whoever has a book read, and what questions to a model cost", async () => {
  const models = await createSimulatedServer();
  const home = join(library.folder, "audited");
  const judge = models.judge("m");
  const served = await serveFabula(library.folder, ["--library", home, "--judges", judge]);
  try {
    const wrong = "a-token-that-is-not-ours";
    await fetch(`${served.url}/?token=${wrong}`, { redirect: "manual" });
    await fetch(`${served.url}/api/books`, { headers: { authorization: `Bearer ${wrong}` } });
    const headers = { "x-fabula": "1", origin: served.url, "content-type": "application/json" };
    await fetch(`${served.url}/api/session`, { method: "POST", headers, body: JSON.stringify({ token: wrong }) });
    const content = `# One\n\n${"It rained on the harbour. ".repeat(200)}`;
    const book = (await (await served.upload("/api/books", { name: "story.md", content })).json()) as { id: string };
    const job = (await (await served.send("POST", `/api/books/${book.id}/readings`)).json()) as { id: string };
    await served.watch(job.id, ["done", "failed"]);
    await served.send("POST", `/api/books/${book.id}/ask`, { question: "Where does it rain?", judge });
    const audit = async () =>
      (await readFile(join(home, "audit.jsonl"), "utf8"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await expect.poll(async () => (await audit()).some(({ task }) => task === "ask")).toBe(true);
    const lines = await audit();
    for (const [method, path, status] of [
      ["GET", "/", 303],
      ["GET", "/api/books", 401],
      ["POST", "/api/session", 401],
    ])
      expect(lines).toContainEqual(expect.objectContaining({ who: "nobody", method, path, status }));
    expect(lines).toContainEqual(expect.objectContaining({ who: "owner", job: job.id, state: "done" }));
    const asked = lines.find(({ task }) => task === "ask");
    expect(asked).toMatchObject({ who: "owner", judges: [judge], book: book.id, state: "done" });
    expect(asked!.calls).toBe(models.exchanges.length);
    expect(JSON.stringify(lines)).not.toContain(wrong);
  } finally {
    await served.stop("SIGTERM");
    await models.close();
  }
});

describe("beyond this machine", () => {
  it("asks for a token, takes it once in the link, and then knows the visitor by a cookie", async () => {
    const open = await serveFabula(join(library.folder), [
      "--host",
      "0.0.0.0",
      "--library",
      join(library.folder, "other"),
    ]);
    try {
      const token = new URL(open.link).searchParams.get("token")!;
      expect(token.length).toBeGreaterThanOrEqual(32);
      const address = open.url.replace("0.0.0.0", "127.0.0.1");
      expect((await fetch(`${address}/api/about`)).status).toBe(401);
      expect((await fetch(`${address}/api/about`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
      expect((await fetch(`${address}/api/about`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
      const wrong = await fetch(`${address}/?token=${"x".repeat(32)}`, { redirect: "manual" });
      expect(wrong.headers.get("set-cookie")).toBeNull();
      const right = await fetch(`${address}/?token=${token}`, { redirect: "manual" });
      expect(right.status).toBe(303);
      expect(right.headers.get("location")).toBe("/");
      const cookie = right.headers.get("set-cookie")!;
      expect(cookie).toMatch(/HttpOnly/i);
      expect(cookie).toMatch(/SameSite=Strict/i);
      const entered = await fetch(`${address}/api/about`, { headers: { cookie: cookie.split(";")[0]! } });
      expect(entered.status).toBe(200);
      const session = (given: string) =>
        fetch(`${address}/api/session`, {
          method: "POST",
          headers: { "x-fabula": "1", "content-type": "application/json" },
          body: JSON.stringify({ token: given }),
        });
      expect((await session("wrong")).status).toBe(401);
      expect((await session(token)).headers.get("set-cookie")).toContain("HttpOnly");
    } finally {
      await open.stop("SIGINT");
    }
  });

  it.runIf(process.platform === "linux")("opens the browser with a code in place of the token", async () => {
    const secret = "a-secret-of-thirty-two-characters";
    const [browser, opened] = [join(library.folder, "xdg-open"), join(library.folder, "opened.txt")];
    await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`, {
      mode: 0o755,
    });
    const open = await serveFabula(library.folder, ["--library", join(library.folder, "opened"), "--open"], {
      FABULA_TOKEN: secret,
      PATH: `${library.folder}:${process.env.PATH}`,
    });
    try {
      const link = await vi.waitFor(() => readFile(opened, "utf8"), { timeout: 60_000 });
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]{24}$/);
      expect((await fetch(link, { redirect: "manual" })).headers.get("set-cookie")).toContain("HttpOnly");
      expect((await fetch(link, { redirect: "manual" })).headers.get("set-cookie")).toBeNull();
    } finally {
      await open.stop("SIGTERM");
    }
  });

  it("takes the token from the environment or a file, and shows none in the list of processes", async () => {
    const secret = "a-secret-of-thirty-two-characters";
    const file = join(library.folder, "token.txt");
    await writeFile(file, `${secret}\n`);
    const ways: [string[], Record<string, string>][] = [
      [["--token", secret], {}],
      [["--token-file", file], {}],
      [[], { FABULA_TOKEN: secret }],
    ];
    for (const [words, environment] of ways) {
      const open = await serveFabula(
        library.folder,
        ["--library", join(library.folder, "secret"), ...words],
        environment,
      );
      try {
        const headers = { authorization: `Bearer ${secret}` };
        expect((await fetch(`${open.url}/api/about`)).status).toBe(401);
        expect((await fetch(`${open.url}/api/about`, { headers })).status).toBe(200);
        expect((await fetch(`${open.url}/health/ready`)).status).toBe(200);
        const { stdout } = await run("ps", ["-o", "args=", "-p", String(open.pid)]).catch(() => ({ stdout: "no ps" }));
        const listed = await readFile(`/proc/${open.pid}/cmdline`, "utf8").catch(() => stdout);
        expect(listed).not.toContain(secret);
      } finally {
        await open.stop("SIGTERM");
      }
    }
  });

  it("serves https with a certificate of the user's, and then marks its cookie as secure", async () => {
    const [key, certificate] = [join(library.folder, "key.pem"), join(library.folder, "certificate.pem")];
    await writeFile(key, SELF_SIGNED.key);
    await writeFile(certificate, SELF_SIGNED.certificate);
    const other = ["--library", join(library.folder, "encrypted")];
    await expect(serveFabula(library.folder, [...other, "--tls-key", key])).rejects.toThrow(/give both/);
    const open = await serveFabula(library.folder, [
      ...[...other, "--host", "0.0.0.0", "--tls-cert", certificate, "--tls-key", key],
    ]);
    try {
      expect(open.link).toMatch(/^https:/);
      const link = new URL(open.link);
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(
          {
            host: "127.0.0.1",
            port: link.port,
            path: link.pathname + link.search,
            ca: SELF_SIGNED.certificate,
            checkServerIdentity: () => undefined,
          },
          resolve,
        ).on("error", reject);
      });
      answer.resume();
      expect(answer.statusCode).toBe(303);
      expect(answer.headers["set-cookie"]?.[0]).toMatch(/; Secure/i);
    } finally {
      await open.stop("SIGTERM");
    }
  });

  it("takes no short token and no port that is taken", async () => {
    const other = ["--library", join(library.folder, "another")];
    await expect(serveFabula(library.folder, [...other, "--token", "short"])).rejects.toThrow(/at least 16 characters/);
    await expect(serveFabula(library.folder, [...other, "--port", new URL(library.server.url).port])).rejects.toThrow(
      /is taken/,
    );
  });

  it("serves no library that another server serves", async () => {
    await expect(serveFabula(library.folder)).rejects.toThrow(
      new RegExp(`already uses this library, at ${library.server.url}`),
    );
  });
});
