import { readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";
import { isLoopback } from "../../core/loopback.ts";
import { parseYaml } from "../../core/parse-yaml.ts";
import { issueInWords } from "../../core/wording.ts";
import { isShippedRubric } from "../../criteria/load-rubric.ts";
import { ownJudgesSchema } from "../../models/own-judge.ts";
import { addressOf, isPostgres } from "../../store/postgres/address.ts";
import { configPaths, settingsFolder } from "../paths.ts";

/**
 * The contents of `fabula.config.yaml`: defaults for a folder and everything in it, or for a user. Flags and
 * environment variables take precedence.
 */
export const configSchema = z.strictObject({
  judge: z.string().min(1).optional().describe("who judges when no --judge is given, such as jury or openai:gpt-4.1"),
  store: z
    .string()
    .min(1)
    .optional()
    .describe("where calls are kept: a file, from this file's folder, or a postgres:// address on this machine"),
  rubric: z.string().min(1).optional().describe("the aspects a language model judges: a name, or a file"),
  prices: z.string().min(1).optional().describe("a price table of your own: a YAML file"),
  judges: ownJudgesSchema
    .optional()
    .describe("judges under short names of your own; in your own settings alone, not in a folder's"),
  limits: z
    .strictObject({
      maxCost: z.number().nonnegative().optional().describe("US dollars for a whole run"),
      concurrency: z.number().int().positive().max(1000).optional().describe("calls at a time"),
      requestsPerMinute: z.number().positive().optional(),
      tokensPerMinute: z.number().positive().optional(),
    })
    .optional()
    .describe("limits of every run that asks models"),
});

export type Config = z.infer<typeof configSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigFile {
  readonly path: string;
  readonly config: Config;
  /** Whether it may raise limits: it is the user's own, or in a folder that they trust. */
  readonly isTrusted: boolean;
  /** Whether it is the user's own, rather than a folder's. */
  readonly isOwn?: boolean;
}

export interface FoundConfig {
  /** The files that apply: the folder's before the user's own. */
  readonly files: readonly ConfigFile[];
  /** Settings in the folder's file that are ignored until the user trusts the folder. */
  readonly ignored: ConfigFile | null;
  /** Files that belong to another user, which are ignored. */
  readonly ofOthers: readonly string[];
}

/** Finds the settings files for this folder, and the settings in them that apply. */
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

/** A file from somebody else's folder may lower the user's limits but never raise them. */
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

/** Lists all problems at once, so that the file can be corrected in one go. */
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

/**
 * The file comes with a folder and may change with it, so it must not decide where manuscripts are sent or which
 * programs are started.
 */
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

/** The database driver also accepts the host as a URL parameter. */
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

/** Paths in the file are relative to the file. */
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

const listSchema = z.object({ folders: z.array(z.string()) });

/** Whether the user has trusted the settings file in this folder. */
export async function isTrusted(folder: string, environment: Environment): Promise<boolean> {
  return (await trustedFolders(environment)).includes(await realpath(folder));
}

/** Trusts, or stops trusting, the folder of the settings file that applies here; returns the file's path. */
export async function setTrust(folder: string, isTrustedNow: boolean, environment: Environment): Promise<string> {
  const { folder: path, ofOthers } = configPaths(folder, environment);
  if (path === null) {
    throw new FabulaError(
      "E_CONFIG",
      ofOthers[0] === undefined
        ? `There is no fabula.config.yaml in ${resolve(folder)} or its project: check the folder.`
        : `${ofOthers[0]} belongs to another user, so it cannot be trusted: make a copy that is yours.`,
    );
  }
  const home = await realpath(dirname(path));
  const others = (await trustedFolders(environment)).filter((other) => other !== home);
  const folders = isTrustedNow ? [...others, home] : others;
  await writeWholeFile(listPath(environment), `${JSON.stringify({ folders }, null, 2)}\n`);
  return path;
}

async function trustedFolders(environment: Environment): Promise<readonly string[]> {
  const path = listPath(environment);
  const source = await readFile(path, "utf8").catch(() => null);
  if (source === null) return [];
  try {
    return listSchema.parse(JSON.parse(source)).folders;
  } catch (cause) {
    throw new FabulaError("E_CONFIG", `${path} cannot be read: delete it, and trust your folders again.`, { cause });
  }
}

function listPath(environment: Environment): string {
  return join(settingsFolder(process.platform, environment), "trusted-folders.json");
}
