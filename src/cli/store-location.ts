import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isPostgres } from "../store/postgres/address.ts";

/**
 * Where calls are stored by default: in the user's data folder, one store for all projects, so that an answer
 * paid for in one folder is known in every other. `--store` and FABULA_STORE name another.
 */
export function storeLocation(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (given) return given;
  if (environment.FABULA_STORE) return environment.FABULA_STORE;
  return join(dataFolder(process.platform, environment), "fabula", "fabula.db");
}

/** Local files are kept beside the store, if that is a file. */
export function pathBesideStore(name: string, given: string | undefined, environment: NodeJS.ProcessEnv): string {
  const store = storeLocation(given, environment);
  const folder = isPostgres(store) ? join(dataFolder(process.platform, environment), "fabula") : dirname(store);
  return join(folder, name);
}

/** Readers' profiles stay on this machine, beside the store of calls. */
export function profileFolder(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  return given ?? environment.FABULA_READERS ?? pathBesideStore("readers", undefined, environment);
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
