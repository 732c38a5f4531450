/**
 * How many doors a reader opens to follow one thing, from the sources as they run: the files in which a function runs to evaluate a
 * book offline, and those on the stack when a model is asked. `npm run doors`, with `-- --list` for their names
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createSimulatedServer } from "../src/testing/index.ts";

const BOOK = "assets/examples/the-inspector-of-weights.md";
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fabula-doors-"));
const isListed = process.argv.includes("--list");

try {
  const run = await filesThatRun();
  console.log(`${run.length} files in which a function runs to evaluate a book offline`);
  const hops = await filesToSocket();
  // What stands before a generator that waits is not on V8's stack.
  console.log(`${hops.length} files from ${hops[0]} to the socket, as they stand on the stack`);
  if (isListed) console.log(["", ...run, "", ...hops].join("\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function evaluate(words: readonly string[], environment: NodeJS.ProcessEnv, preload: readonly string[] = []) {
  await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", ...preload, join(root, "src/cli/main.ts"), "evaluate", BOOK, ...words],
    {
      cwd: root,
      maxBuffer: 100_000_000,
      env: { ...process.env, FABULA_STORE: join(folder, "calls.db"), ...environment },
    },
  ).catch((error: { code?: unknown; stderr?: string }) => {
    // A made judge leaves something unscored, and the command then ends with 3.
    if (error.code !== 3) throw error;
  });
}

/** By V8's own count of the functions that were called; what only declares, at the top of a file, does not count. */
async function filesThatRun(): Promise<string[]> {
  const counts = join(folder, "coverage");
  await evaluate([], { NODE_V8_COVERAGE: counts });
  const files = new Set<string>();
  for (const name of readdirSync(counts)) {
    const { result } = JSON.parse(readFileSync(join(counts, name), "utf8"));
    for (const { url, functions } of result) {
      const path = sourceOf(url);
      const isCalled = functions.some(
        ({ functionName, ranges }: { functionName: string; ranges: { startOffset: number; count: number }[] }) =>
          // Neither the file itself nor what the compiler adds to it.
          !(functionName === "" && ranges[0]!.startOffset === 0) &&
          !/^(?:__|<static_initializer>)/.test(functionName) &&
          ranges[0]!.count > 0,
      );
      if (path !== null && isCalled) files.add(path);
    }
  }
  return [...files].sort();
}

/** The files on the stack when a request is sent, each counted where it is entered: a file that is left and entered again counts twice. */
async function filesToSocket(): Promise<string[]> {
  const server = await createSimulatedServer();
  const [stack, preload] = [join(folder, "stack.txt"), join(folder, "preload.mjs")];
  writeFileSync(
    preload,
    `import { existsSync, writeFileSync } from "node:fs";
Error.stackTraceLimit = Infinity;
const send = globalThis.fetch;
globalThis.fetch = (...request) => {
  if (!existsSync(${JSON.stringify(stack)})) writeFileSync(${JSON.stringify(stack)}, new Error().stack);
  return send(...request);
};
`,
  );
  try {
    await evaluate(["--judge", server.judge("simulated-large"), "--method", "one-pass", "--runs", "1", "--json"], {}, [
      "--import",
      pathToFileURL(preload).href,
    ]);
  } finally {
    await server.close();
  }
  const frames = readFileSync(stack, "utf8")
    .split("\n")
    .flatMap((line) => sourceOf(/((?:file:\/\/)?\/\S+?):\d+/.exec(line)?.[1] ?? "") ?? []);
  return frames.filter((file, at) => file !== frames[at - 1]).reverse();
}

function sourceOf(address: string): string | null {
  const path = address.replace(/\?.*$/, "");
  const at = path.lastIndexOf("/src/");
  return at < 0 || path.includes("/node_modules/") ? null : path.slice(at + 1);
}
