import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { HostProcess } from "../../src/cli/run.ts";
import { documentProblem } from "../support/document-validator.ts";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly folder?: string;
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join("dist", "cli", "main.js");

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command inside this process, which takes a fraction of the time of a new one. A process has one folder, one
 * environment and one standard input, so commands take turns; `spawnFabula` is for those that must run side by side, that read
 * what Node itself takes from the environment, or whose process is what is tested.
 */
export function runFabula(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
  // It starts a process that writes to the real output of this one.
  if (words[0] === "runs" && words[1] === "resume") return spawnFabula(words, options);
  const finished = turn.then(async () => checked(words, await runHere(words, options)));
  turn = finished.catch(() => {});
  return finished;
}

async function runHere(words: readonly string[], { folder = ROOT, input = "", environment }: RunOptions) {
  const { run }: typeof import("../../src/cli/run.ts") = await import(
    pathToFileURL(join(ROOT, "dist", "cli", "run.js")).href
  );
  const [stdout, stderr] = [new Collected(), new Collected()];
  const env = { ...process.env, NO_COLOR: "1", ...environment };
  const leave = enter(resolve(folder), {
    env,
    argv: [process.execPath, join(ROOT, MAIN), ...words],
    stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
    stdout,
  });
  try {
    const host = { stdout, stderr, env, on: () => process, exit: refuseToExit };
    const code = await run(words, host as unknown as HostProcess);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    leave();
  }
}

/** Gives this process another folder and other properties, until the returned function is called. */
function enter(folder: string, properties: { readonly [Name in keyof NodeJS.Process]?: unknown }): () => void {
  const before = { folder: process.cwd(), properties: Object.getOwnPropertyDescriptors(process) };
  process.chdir(folder);
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  return () => {
    process.chdir(before.folder);
    for (const name of Object.keys(properties) as (keyof NodeJS.Process)[])
      Object.defineProperty(process, name, before.properties[name]!);
  };
}

function refuseToExit(code?: unknown): never {
  throw new Error(`The command wanted to end the process with ${code}: use spawnFabula.`);
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

/** Runs the built command in a process of its own, as a user would. `build` is the folder of another build than this one's. */
export function spawnFabula(
  words: readonly string[],
  { folder = ROOT, input, environment, build }: RunOptions & { readonly build?: string } = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(build ?? ROOT, MAIN), ...words], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1", ...environment },
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const finished = { code, ...output };
      try {
        resolve(build === undefined ? checked(words, finished) : finished);
      } catch (problem) {
        reject(problem);
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** Every document that `--json` prints fits the schema that ships for it; lines for bulk work and events of a worker are none. */
function checked(words: readonly string[], finished: Finished): Finished {
  const { code, stdout } = finished;
  if (!words.includes("--json") || words.includes("--help") || words[0] === "worker") return finished;
  if ((code !== 0 && code !== 3) || stdout === "") return finished;
  if (words.some((word, at) => word === "--out=-" || (word === "--out" && words[at + 1] === "-"))) return finished;
  const problem = documentProblem(stdout);
  if (problem === null) return finished;
  throw new Error(`fabula ${words.join(" ")} printed a document that does not fit: ${problem}`);
}
