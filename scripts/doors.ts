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
const MAIN = "src/cli/main.ts";
const folder = mkdtempSync(join(tmpdir(), "fabula-doors-"));
const isListed = process.argv.includes("--list");

try {
  const run = await filesThatRun();
  console.log(`${run.length} files in which a function runs to evaluate a book offline`);
  const hops = await filesToSocket();
  console.log(
    `${hops.length - 1} hops from file to file between ${hops[0]} and the socket, which the last of them opens`,
  );
  if (isListed) console.log(["", ...run, "", ...hops].join("\n"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function evaluate(entry: string, words: readonly string[], environment: NodeJS.ProcessEnv) {
  await promisify(execFile)(process.execPath, ["--import", "tsx", entry, "evaluate", BOOK, ...words], {
    cwd: root,
    maxBuffer: 100_000_000,
    env: { ...process.env, FABULA_STORE: join(folder, "calls.db"), ...environment },
  }).catch((error: { code?: unknown; stderr?: string }) => {
    // A made judge leaves something unscored, and the command then ends with 3.
    if (error.code !== 3) throw error;
  });
}

/** By V8's own count of the functions that were called; what only declares, at the top of a file, does not count. */
async function filesThatRun(): Promise<string[]> {
  const counts = join(folder, "coverage");
  await evaluate(MAIN, [], { NODE_V8_COVERAGE: counts });
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

/**
 * The files that stand between the command and the socket, each counted where it is entered: a file that is left and entered again
 * counts twice. The inspector follows a call through whatever was waited for, which a stack alone does not. It forgets what was
 * waited for long ago, as before thousands of modules were loaded: so the command is done twice, and followed the second time.
 */
async function filesToSocket(): Promise<string[]> {
  const server = await createSimulatedServer();
  const [trace, entry] = [join(folder, "trace.json"), join(folder, "twice.mjs")];
  writeFileSync(
    entry,
    `import { existsSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { run } from ${JSON.stringify(pathToFileURL(join(root, "src/cli/run.ts")).href)};
const words = process.argv.slice(2);
await run(words, process);
const session = new Session();
session.connect();
session.post("Runtime.enable");
session.post("Debugger.enable");
session.post("Debugger.setAsyncCallStackDepth", { maxDepth: 10_000 });
const send = globalThis.fetch;
globalThis.fetch = (...request) => {
  session.once("Runtime.consoleAPICalled", ({ params }) => {
    const addresses = [];
    for (let stack = params.stackTrace; stack; ) {
      for (const { url } of stack.callFrames) addresses.push(url);
      let before = stack.parent;
      const stackTraceId = stack.parentId;
      if (stackTraceId) session.post("Debugger.getStackTrace", { stackTraceId }, (_error, found) => (before = found?.stackTrace));
      stack = before;
    }
    if (!existsSync(${JSON.stringify(trace)})) writeFileSync(${JSON.stringify(trace)}, JSON.stringify(addresses));
  });
  console.debug("");
  return send(...request);
};
process.exitCode = await run([...words, "--refresh"], process);
`,
  );
  try {
    const judge = server.judge("simulated-large");
    await evaluate(entry, ["--judge", judge, "--method", "one-pass", "--runs", "1", "--json"], {});
  } finally {
    await server.close();
  }
  const addresses: string[] = JSON.parse(readFileSync(trace, "utf8"));
  const files = [...addresses.flatMap((address) => sourceOf(address) ?? []), MAIN];
  return files.filter((file, at) => file !== files[at - 1]).reverse();
}

function sourceOf(address: string): string | null {
  const path = address.replace(/\?.*$/, "");
  const at = path.lastIndexOf("/src/");
  return at < 0 || path.includes("/node_modules/") ? null : path.slice(at + 1);
}
