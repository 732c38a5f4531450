import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * A real browser for the tests of the page: the one FABULA_BROWSER names, else one on the PATH, else Debian's package,
 * installed where that can be done. A machine where none of this works cannot say whether the page works, so it fails.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? installChromium();
  // The sandbox needs rights that a container rarely has; the pages opened here are our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] });
}

function findChromium(): string | null {
  const named = process.env.FABULA_BROWSER;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`FABULA_BROWSER names ${named}, which cannot be run: correct it, or unset it to search the PATH.`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function installChromium(): string {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && spawnSync("apt-get", ["--version"]).status === 0) {
    console.error("Installing Debian's chromium for the tests of the page…");
    const options = { stdio: ["ignore", "inherit", "inherit"] as ["ignore", "inherit", "inherit"] };
    const install = () => spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options);
    if (install().status !== 0) {
      spawnSync("apt-get", ["update"], options);
      install();
    }
    const found = findChromium();
    if (found) return found;
  }
  throw new Error(
    "The tests of the page need a Chromium: install one (Debian: `apt-get install chromium`) or name it in FABULA_BROWSER.",
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
