import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/files/parse-yaml.ts";
import { isLoopback } from "../../core/loopback.ts";
import { issueInWords } from "../../core/wording.ts";
import { isShippedRubric } from "../../criteria/load-rubric.ts";
import { addressOf, isPostgres } from "../../store/postgres/address.ts";
import { configPaths } from "./config-path.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { isTrusted } from "./trusted-folders.ts";

export interface ConfigFile {
  readonly path: string;
  readonly config: Config;
  /** Whether it may raise limits: it is the user's own, or that of a folder that they trust. */
  readonly isTrusted: boolean;
  /** Whether it is the user's own, rather than a folder's. */
  readonly isOwn?: boolean;
}

export interface FoundConfig {
  /** What counts: the folder's file before the user's own. */
  readonly files: readonly ConfigFile[];
  /** What the folder's file says and does not count, until the user trusts the folder. */
  readonly ignored: ConfigFile | null;
  /** Files that belong to another user: nothing in them counts. */
  readonly ofOthers: readonly string[];
}

/** The settings files for this folder, and what in them counts. */
export async function findConfig(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<FoundConfig> {
  const paths = configPaths(folder, environment);
  const own = paths.own === null ? null : { ...(await readConfig(paths.own)), isTrusted: true, isOwn: true };
  const found = { files: own ? [own] : [], ignored: null, ofOthers: paths.ofOthers };
  if (paths.folder === null) return found;
  const file = await readConfig(paths.folder);
  if (await isTrusted(dirname(file.path), environment)) {
    refuseForeignMachines(file);
    return { ...found, files: [{ ...file, isTrusted: true }, ...found.files] };
  }
  const { judge, judges, store, prices, limits, ...harmless } = file.config;
  const tightened = limits && { limits: lowest(limits, own?.config.limits ?? {}) };
  return {
    ...found,
    files: [{ ...file, config: { ...harmless, ...tightened } }, ...found.files],
    ignored: { ...file, config: { ...defined({ judge, store, prices }), ...(judges && { judges }) } },
  };
}

/** A file that may have come with somebody else's folder can lower the user's limits, never raise them. */
function lowest(given: NonNullable<Config["limits"]>, own: NonNullable<Config["limits"]>): Config["limits"] {
  const names = Object.keys(given) as (keyof typeof given)[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      Math.min(given[name] ?? Number.POSITIVE_INFINITY, own[name] ?? Number.POSITIVE_INFINITY),
    ]),
  );
}

function defined({ judge, store, prices }: { [Name in "judge" | "store" | "prices"]: string | undefined }): Config {
  return {
    ...(judge !== undefined && { judge }),
    ...(store !== undefined && { store }),
    ...(prices !== undefined && { prices }),
  };
}

async function readConfig(path: string): Promise<ConfigFile> {
  const config = withPathsFrom(dirname(path), parseConfig(await readFile(path, "utf8"), path));
  return { path, config, isTrusted: false };
}

/** All problems at once: a file is corrected in one go. */
export function parseConfig(source: string, path: string): Config {
  let document: unknown;
  try {
    document = parseYaml(source) ?? {};
  } catch (cause) {
    throw new FabulaError("E_CONFIG", `${path} is not valid YAML: correct it and try again.`, { cause });
  }
  const result = configSchema.safeParse(document);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "the top"}: ${issueInWords(issue)}`);
  throw new FabulaError("E_CONFIG", `${path} is wrong at ${problems.join("; at ")}.`, { evidence: document });
}

/** The file comes with a folder and may change with it: it must not decide where manuscripts are sent, nor what is started. */
export function refuseForeignMachines({
  path,
  config: { judge = "", judges, store = "" },
}: Pick<ConfigFile, "path" | "config">): void {
  if (judges !== undefined) throw foreign(path, "judges of its own (`judges:`)", "--judge");
  if (/^(?:command|paste|assistant)\b/.test(judge))
    throw foreign(path, `the judge "${judge}", which starts a program or needs a person`, "--judge");
  const address = /@(https?:\/\/.+)$/i.exec(judge)?.[1];
  if (address !== undefined && URL.canParse(address) && !isLoopback(new URL(address).hostname))
    throw foreign(path, `a judge on another machine (${new URL(address).origin})`, "--judge");
  if (isPostgres(store)) {
    const { server } = addressOf(store);
    if (!isOwnDatabase(store))
      throw foreign(path, `a database on another machine (${server})`, "--store or FABULA_STORE");
  }
}

/** The driver takes the host from the parameters, too. */
function isOwnDatabase(store: string): boolean {
  const { hostname, searchParams } = new URL(store);
  const hosts = [hostname, ...["host", "hostaddr"].flatMap((name) => searchParams.getAll(name))];
  return hosts.every((host) => host === "" || host.startsWith("/") || isLoopback(host));
}

function foreign(path: string, what: string, flag: string): FabulaError {
  return new FabulaError(
    "E_CONFIG",
    `${path} names ${what}, which a folder's settings may not: remove it there and give it with ${flag}, or in your own settings.`,
  );
}

/** Paths in the file are meant from where the file is. */
function withPathsFrom(folder: string, config: Config): Config {
  const path = (given: string) => resolve(folder, given);
  const { store, rubric, prices } = config;
  return {
    ...config,
    ...(store !== undefined && { store: isPostgres(store) ? store : path(store) }),
    ...(rubric !== undefined && { rubric: isShippedRubric(rubric) ? rubric : path(rubric) }),
    ...(prices !== undefined && { prices: path(prices) }),
  };
}
