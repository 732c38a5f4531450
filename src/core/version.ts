import { readFileSync } from "node:fs";
import { z } from "zod";
import { assetPath } from "./assets.ts";

export function fabulaVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(assetPath("..", "package.json"), "utf8"));
  return z.object({ version: z.string() }).parse(manifest).version;
}
