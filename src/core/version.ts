import { readFileSync } from "node:fs";
import { manifestPath } from "./assets.ts";

/** Read without a schema library, which would take longer to load than `fabula --version` takes in all. */
export function fabulaVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(manifestPath(), "utf8"));
  if (
    typeof manifest === "object" &&
    manifest !== null &&
    "version" in manifest &&
    typeof manifest.version === "string"
  )
    return manifest.version;
  throw new Error("the package's manifest has no version: reinstall fabula");
}
