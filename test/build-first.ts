import { execFileSync } from "node:child_process";

/** Whole commands are tested as they are built: a stale build would test yesterday's code. Quick when nothing changed. */
export default function buildFirst(): void {
  execFileSync(process.execPath, ["scripts/setup.mjs"], { stdio: "inherit" });
}
