import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/files/parse-yaml.ts";
import { isLoopback } from "../../core/loopback.ts";
import { issueInWords } from "../../core/wording/issue-in-words.ts";
import { isShippedRubric } from "../../criteria/load-rubric.ts";
import { addressOf, isPostgres } from "../../store/postgres/address.ts";
import { configPath } from "./config-path.ts";
import { type Config, configSchema } from "./config-schema.ts";

export interface FoundConfig {
  readonly path: string;
  readonly config: Config;
}

/** The nearest `fabula.config.yaml`, from this folder upwards; null when there is none. */
export async function findConfig(folder: string): Promise<FoundConfig | null> {
  const path = configPath(folder);
  if (path === null) return null;
  return { path, config: withPathsFrom(dirname(path), parseConfig(await readFile(path, "utf8"), path)) };
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
  if (result.success) return withoutForeignMachines(result.data, path);
  const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "the top"}: ${issueInWords(issue)}`);
  throw new FabulaError("E_CONFIG", `${path} is wrong at ${problems.join("; at ")}.`, { evidence: document });
}

/** The file may have come with a folder of someone else's: it must not decide where manuscripts and keys are sent. */
function withoutForeignMachines(config: Config, path: string): Config {
  const { judge = "", store = "" } = config;
  const address = /@(https?:\/\/.+)$/i.exec(judge)?.[1];
  if (address !== undefined && URL.canParse(address) && !isLoopback(new URL(address).hostname))
    throw foreign(path, `a judge on another machine (${new URL(address).origin})`, "--judge");
  if (isPostgres(store)) {
    const { server } = addressOf(store);
    if (!isOwnDatabase(store))
      throw foreign(path, `a database on another machine (${server})`, "--store or FABULA_STORE");
  }
  return config;
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
    `${path} names ${what}, which a config file may not: remove it there and give it with ${flag}.`,
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
