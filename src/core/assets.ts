import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The package's `assets/` folder, found by walking up from this file, so that it is the same from `src/` (tests), from
 * `dist/` (the built command) and from an installed package.
 */
export function assetPath(...segments: string[]): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "assets")) || !existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the package's assets folder is missing: reinstall fabula");
    folder = parent;
  }
  return join(folder, "assets", ...segments);
}
