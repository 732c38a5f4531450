import { existsSync, lstatSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isPostgres } from "../store/postgres/address.ts";

const CONFIG_NAMES = ["fabula.config.yaml", "fabula.config.yml"] as const;

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigPaths {
  /** The nearest settings file, in the folder or above it within its project; null if there is none. */
  readonly folder: string | null;
  /** The user's own, for all folders; null when there is none. */
  readonly own: string | null;
  /** Files that are ignored because they belong to another user. */
  readonly ofOthers: readonly string[];
}

/** Finds the settings files. Loads no parser, because most folders have none. */
export function configPaths(folder: string, environment: Environment): ConfigPaths {
  const ofOthers: string[] = [];
  const ownFile = (candidate: string) => {
    const path = CONFIG_NAMES.map((name) => join(candidate, name)).find((name) => existsSync(name));
    if (path === undefined || isOwn(path)) return path ?? null;
    ofOthers.push(path);
    return null;
  };
  const own = ownFile(settingsFolder(process.platform, environment));
  const nearest = foldersOfProject(resolve(folder)).reduce<string | null>((found, at) => found ?? ownFile(at), null);
  return { folder: nearest === own ? null : nearest, own, ofOthers };
}

/** Where the user's own settings are stored, with the list of folders they trust. */
export function settingsFolder(platform: NodeJS.Platform, environment: Environment): string {
  return join(configFolder(platform, environment), "fabula");
}

function configFolder(platform: NodeJS.Platform, environment: Environment): string {
  if (environment.XDG_CONFIG_HOME) return environment.XDG_CONFIG_HOME;
  switch (platform) {
    case "darwin":
      return join(homedir(), "Library", "Application Support");
    case "win32":
      return environment.APPDATA ?? join(homedir(), "AppData", "Roaming");
    default:
      return join(homedir(), ".config");
  }
}

/**
 * The folder and those above it, up to the root of its project: the nearest that contains `.git`, or else the nearest
 * that contains `package.json`. Outside a project, only the folder itself, because folders above may belong to
 * anybody.
 */
function foldersOfProject(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  for (const mark of [".git", "package.json"]) {
    const root = folders.findIndex((at) => existsSync(join(at, mark)));
    if (root >= 0) return folders.slice(0, root + 1);
  }
  return [folder];
}

/**
 * Whether the file belongs to the user; another owner could change it, or point the link elsewhere. Windows does not
 * report owners.
 */
function isOwn(path: string): boolean {
  const user = process.getuid?.();
  return user === undefined || (lstatSync(path).uid === user && statSync(path).uid === user);
}

/**
 * Where calls are stored by default: in the user's data folder, one store for all projects, so that an answer paid
 * for in one folder is available in every other. `--store` and FABULA_STORE name another.
 */
export function storeLocation(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (given) return given;
  if (environment.FABULA_STORE) return environment.FABULA_STORE;
  return join(dataFolder(process.platform, environment), "fabula", "fabula.db");
}

/** Other local files are kept beside the store, if it is a file. */
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
