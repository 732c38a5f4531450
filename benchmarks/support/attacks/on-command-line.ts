import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type AttackResult, peakMegabytes } from "./attack-result.ts";

const GIVEN_UP_SECONDS = 120;

/** One command on one hostile file: how it ends, and what it takes until then. */
export async function attackCommand(command: string, file: string, folder: string): Promise<AttackResult> {
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
