import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { FabulaError } from "../../core/errors.ts";
import { issueInWords } from "../../core/wording/issue-in-words.ts";
import { isShippedRubric } from "../../criteria/load-rubric.ts";
import { isPostgres } from "../../store/postgres/address.ts";
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
    document = parse(source, { maxAliasCount: 0 }) ?? {};
  } catch (cause) {
    throw new FabulaError("E_CONFIG", `${path} is not valid YAML: correct it and try again.`, { cause });
  }
  const result = configSchema.safeParse(document);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join(".") || "the top"}: ${issueInWords(issue)}`);
  throw new FabulaError("E_CONFIG", `${path} is wrong at ${problems.join("; at ")}.`, { evidence: document });
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
