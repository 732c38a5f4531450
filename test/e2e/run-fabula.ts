import { spawn } from "node:child_process";
import { join } from "node:path";
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
  /** The folder of another build than this one's. */
  readonly build?: string;
}

/** Runs the built command as a user would; `vitest` builds it first when it is stale. */
export function runFabula(words: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(options.build ?? process.cwd(), "dist", "cli", "main.js"), ...words], {
      cwd: options.folder ?? process.cwd(),
      env: { ...process.env, NO_COLOR: "1", ...options.environment },
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
      const problem = options.build === undefined ? problemOf(words, code, output.stdout) : null;
      if (problem === null) resolve({ code, ...output });
      else reject(new Error(`fabula ${words.join(" ")} printed a document that does not fit: ${problem}`));
    });
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);
  });
}

/** Every document that `--json` prints fits the schema that ships for it; lines for bulk work and events of a worker are none. */
function problemOf(words: readonly string[], code: number | null, stdout: string): string | null {
  if (!words.includes("--json") || words.includes("--help") || words[0] === "worker") return null;
  if ((code !== 0 && code !== 3) || stdout === "") return null;
  const isLines = words.some((word, at) => word === "--out=-" || (word === "--out" && words[at + 1] === "-"));
  return isLines ? null : documentProblem(stdout);
}
