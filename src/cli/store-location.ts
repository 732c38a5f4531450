import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Where calls are kept when nobody says otherwise: the user's data folder, one store for all projects, so that an answer
 * paid for in one folder is known in every other. `--store` and FABULA_STORE name another.
 */
export function storeLocation(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (given) return given;
  if (environment.FABULA_STORE) return environment.FABULA_STORE;
  return join(dataFolder(process.platform, environment), "fabula", "fabula.db");
}

function dataFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  if (environment.XDG_DATA_HOME) return environment.XDG_DATA_HOME;
  switch (platform) {
    case "darwin":
      return join(homedir(), "Library", "Application Support");
    case "win32":
      return environment.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
    default:
      return join(homedir(), ".local", "share");
  }
}
