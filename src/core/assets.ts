import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of the package's `assets/` folder. */
export function assetPath(...segments: string[]): string {
  return join(packageFolder(), "assets", ...segments);
}

/** A file of the build, wherever the bundler put the code that asks for it. */
export function builtPath(...segments: string[]): string {
  return join(packageFolder(), "dist", ...segments);
}

/** The package's manifest. */
export function manifestPath(): string {
  return join(packageFolder(), "package.json");
}

/** True in the build; false where the sources themselves run, as in tests. */
export function isBuilt(): boolean {
  return import.meta.url.endsWith(".js");
}

/** Found by walking up from this file, so that it is the same from `src/`, from `dist/` and from an installed package. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "assets")) || !existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the package's assets folder is missing: reinstall fabula");
    folder = parent;
  }
  return folder;
}
