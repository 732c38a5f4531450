import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const CONFIG_NAMES = ["fabula.config.yaml", "fabula.config.yml"] as const;

/** The nearest `fabula.config.yaml`, from this folder upwards; null when there is none. Loads nothing that parses it. */
export function configPath(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = CONFIG_NAMES.map((name) => join(at, name)).find((candidate) => existsSync(candidate));
    if (path !== undefined) return path;
    if (dirname(at) === at) return null;
  }
}
