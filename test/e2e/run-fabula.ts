import { spawn } from "node:child_process";
import { join } from "node:path";

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
    child.on("close", (code) => resolve({ code, ...output }));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);
  });
}
