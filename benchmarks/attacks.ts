/**
 * Attacks that once succeeded, tried again on the command line and on a server: what each takes of the attacked process, what the
 * attacker is told, and how long an honest visitor waits meanwhile, for a page and for an upload. Linux only.
 *
 *   npx tsx benchmarks/attacks.ts
 *
 * Exits 1 when one takes 300 MB or 10 s, or an honest visitor waits for a page for a second.
 */

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { serveFabula } from "../test/e2e/serve-fabula.ts";
import { epubOf, PROSE } from "../test/support/small-files.ts";
import { draftOf } from "../test/support/stories.ts";
import { adversarialFiles } from "./support/adversarial-files.ts";
import { type Address, Client } from "./support/load/client.ts";

const KNOWN = ["one page listed 20,000 times.epub", "pages of a repeated letter.epub", "empty paragraphs.docx"];

interface HostileFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function hostileFiles(): HostileFile[] {
  return [
    ...adversarialFiles()
      .filter(({ name }) => KNOWN.includes(name))
      .map(({ name, make }) => ({ name, bytes: make() })),
    { name: "more text than a book has.epub", bytes: overfullEpub() },
  ];
}

/** Sixty pages of a megabyte, each with enough that does not pack to stay below what is taken for a bomb. */
function overfullEpub(): Uint8Array {
  const page = () => `<p>${randomBytes(9000).toString("base64")}</p>${`<p>${PROSE}</p>`.repeat(10_000)}`;
  return epubOf(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`p${at}.html`, page()])));
}

/** The files, and a pipe that no one writes to. Returns what to give to a command. */
function writeHostileFiles(folder: string): string[] {
  const files = hostileFiles();
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
  const pipe = "pipe.txt";
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, pipe)]);
  return [...files.map(({ name }) => name), pipe, "/dev/zero"];
}

interface Attacked extends Address {
  readonly pid: number;
}

const NEVER = new AbortController().signal;
const attacker = (server: Attacked) => new Client(server, 1, NEVER);

/** The same file as often as one address may send it at a time, while someone else reads the shelf and uploads a book. */
async function attackByUploads(server: Attacked, file: HostileFile, times: number): Promise<AttackResult> {
  const upload = async (at: number) =>
    (await attacker(server).upload(`${at} ${file.name}`, unlike(file.bytes, at))).json();
  return whileHonest(server, `${times} uploads of ${file.name}`, async (refused) => {
    const all = Array.from({ length: times }, (_, at) => upload(at) as Promise<{ message: string }>);
    // The others wait for their turn, which is their sender's own doing.
    const { message } = await Promise.race(all);
    refused();
    await Promise.all(all);
    return message;
  });
}

/** What stands before an archive is no part of it: each is another file to a library that knows files by their bytes. */
function unlike(bytes: Uint8Array, at: number): Uint8Array {
  return Buffer.concat([bytes, Buffer.from(" ".repeat(at))]);
}

async function attackByGuesses(server: Attacked, guesses: number): Promise<AttackResult> {
  let tried = 0;
  const result = await whileHonest(server, `${guesses} wrong tokens`, async () => {
    let last = "";
    for (let at = 0; at < guesses; at++) {
      const headers = { authorization: `Bearer ${"guess".repeat(5)}-${at}` };
      const response = await attacker(server).send("/api/books", { headers });
      if (response.status === 401) tried++;
      last = ((await response.json()) as { message: string }).message;
    }
    return last;
  });
  return tried > 10 ? { ...result, problem: `${tried} of them were compared with the token` } : result;
}

async function whileHonest(
  server: Attacked,
  name: string,
  attack: (refused: () => void) => Promise<string>,
): Promise<AttackResult> {
  const honest = new Client(server, 2, NEVER);
  let isOver = false;
  let slowest = 0;
  const timed = async (request: () => Promise<Response>) => {
    const started = performance.now();
    const response = await request();
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`an honest request was answered with ${response.status}`);
    return performance.now() - started;
  };
  const reading = (async () => {
    while (!isOver) {
      slowest = Math.max(slowest, await timed(() => honest.send("/api/books")));
      await wait(100);
    }
  })();
  const story = draftOf(`Honest beside ${name}`, 2);
  const uploaded = timed(() => honest.upload("honest.md", story));
  const started = performance.now();
  let seconds = Number.NaN;
  const refused = () => {
    seconds = (performance.now() - started) / 1000;
  };
  const sentence = await attack(refused);
  if (Number.isNaN(seconds)) refused();
  const uploadMilliseconds = await uploaded;
  isOver = true;
  await reading;
  const megabytes = peakMegabytes(server.pid) ?? Number.NaN;
  return { name, seconds, megabytes, sentence, honestMilliseconds: slowest, uploadMilliseconds };
}

const GIVEN_UP_SECONDS = 120;

/** One command on one hostile file: how it ends, and what it takes until then. */
async function attackCommand(command: string, file: string, folder: string): Promise<AttackResult> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(process.cwd(), "dist", "cli", "main.js"), command, file], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: GIVEN_UP_SECONDS * 1000,
    killSignal: "SIGKILL",
  });
  let [said, megabytes] = ["", 0];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const look = setInterval(() => {
    megabytes = Math.max(megabytes, peakMegabytes(child.pid) ?? 0);
  }, 20);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(look);
  const lines = said.trim().split("\n");
  const problem =
    code !== 1 ? `it ended with ${code}` : /^\s+at |FATAL/m.test(said) ? "it printed more than a sentence" : null;
  return {
    ...{ name: `${command} ${file}`, seconds: (performance.now() - started) / 1000, megabytes },
    ...{ sentence: lines.at(-1) ?? "", honestMilliseconds: null, ...(problem && { problem }) },
  };
}

const MOST = { megabytes: 300, seconds: 10, honestMilliseconds: 1000 };

function print(result: AttackResult): void {
  const { name, seconds, megabytes, sentence, honestMilliseconds: honest } = result;
  const problems = [
    ...(result.problem ? [result.problem] : []),
    ...(megabytes < MOST.megabytes ? [] : ["too much memory"]),
    ...(seconds < MOST.seconds ? [] : ["too slow"]),
    ...(honest === null || honest < MOST.honestMilliseconds ? [] : ["an honest visitor waited too long"]),
  ];
  const uploaded = result.uploadMilliseconds ?? Number.NaN;
  const waited =
    honest === null ? "" : `, honest visitor: page ${Math.round(honest)} ms, upload ${Math.round(uploaded)} ms`;
  console.log(
    `${problems.length === 0 ? "✓" : "✗"} ${name}: ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB${waited}`,
  );
  console.log(`    ${sentence.slice(0, 200)}`);
  for (const problem of problems) console.log(`    ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), "fabula-attacks-"));
try {
  const files = writeHostileFiles(folder);
  for (const command of ["read", "evaluate"])
    for (const file of files) print(await attackCommand(command, file, folder));

  const token = randomBytes(24).toString("base64url");
  const server = await serveFabula(folder, ["--trust-proxy"], { FABULA_TOKEN: token });
  try {
    const attacked = { url: server.url, pid: server.pid, token };
    for (const file of hostileFiles()) for (const times of [2, 12]) print(await attackByUploads(attacked, file, times));
    print(await attackByGuesses(attacked, 300));
  } finally {
    await server.stop("SIGTERM");
  }
  print(await killDuringUpload(folder));
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A server that is killed while files come in; the next one must leave nothing of them. */
async function killDuringUpload(parent: string): Promise<AttackResult> {
  const folder = join(parent, "killed");
  await mkdir(folder);
  const uploads = () => readdirSync(folder).filter((name) => name.startsWith("fabula-upload-"));
  const token = randomBytes(24).toString("base64url");
  const first = await serveFabula(folder, [], { TMPDIR: folder, FABULA_TOKEN: token });
  const { hostname, port } = new URL(first.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  const head = `Authorization: Bearer ${token}\r\nX-Fabula: 1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n`;
  socket.write(`POST /api/books HTTP/1.1\r\nHost: localhost\r\n${head}${part}${"rain ".repeat(10_000)}`);
  for (let waited = 0; uploads().length === 0; waited += 50) {
    if (waited > 10_000) throw new Error("the server keeps no upload that is under way");
    await wait(50);
  }
  await first.stop("SIGKILL");
  socket.destroy();
  const left = uploads().length;
  const started = performance.now();
  const second = await serveFabula(folder, [], { TMPDIR: folder });
  const seconds = (performance.now() - started) / 1000;
  const megabytes = peakMegabytes(second.pid) ?? Number.NaN;
  const after = uploads().length;
  await second.stop("SIGTERM");
  return {
    ...{ name: "a server killed during an upload, and the next one", seconds, megabytes, honestMilliseconds: null },
    sentence: `${left} unfinished upload on disk after the kill, ${after} after the next start`,
    ...(left > 0 && after === 0 ? {} : { problem: "uploads stay behind" }),
  };
}

/** What came of one attack. */
interface AttackResult {
  readonly name: string;
  /** Until it was refused. */
  readonly seconds: number;
  /** The most memory that the attacked process itself took, without those that it started to parse. */
  readonly megabytes: number;
  /** What the attacker was told, in one sentence. */
  readonly sentence: string;
  /** The slowest page that an honest visitor got meanwhile; null where there is no one else. */
  readonly honestMilliseconds: number | null;
  /** How long an honest visitor's upload took meanwhile, with the start of the process that reads it. */
  readonly uploadMilliseconds?: number;
  /** Why it counts as a failure, whatever it took. */
  readonly problem?: string;
}

/** The most memory that a process has taken so far; null when it is gone. */
function peakMegabytes(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    // One that has ended and was not waited for yet has none.
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return null;
  }
}
