import { findBrowser, isRunnable } from "../../src/cli/commands/queue/serve.ts";

/**
 * The browser for the tests of the page: the one FABULA_BROWSER names, else one where browsers usually are, else whatever
 * `install` brings; null where nothing can be installed. Without any, the tests cannot say whether the page works.
 */
export function findChromium(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  install: (() => void) | null = null,
): string {
  const named = environment.FABULA_BROWSER;
  if (named && !isRunnable(named)) {
    throw new Error(`FABULA_BROWSER names ${named}, which cannot be run: correct it, or unset it to search the PATH.`);
  }
  const found = findBrowser(platform, environment);
  if (found !== null) return found;
  install?.();
  const installed = findBrowser(platform, environment);
  if (installed !== null) return installed;
  throw new Error(
    "The tests of the page need Chromium or Chrome: install one (Debian, as root: `apt-get install chromium`), or set FABULA_BROWSER to the path of one.",
  );
}
