import type { Flag, Flags } from "../flags/flag.ts";
import type { Config } from "./config-schema.ts";

/** Commands in which `judge` is who judges books, so that a folder may have a default for it. */
const JUDGING = new Set(["evaluate", "compare", "stress"]);
const WITH_RUBRIC = new Set(["evaluate", "compare"]);

type Environment = Readonly<Record<string, string | undefined>>;

/** What a config says, as values of flags; the environment's own variables win over it. */
export function configuredFlags(
  command: string,
  config: Config,
  environment: Environment,
): Readonly<Record<string, string | number | undefined>> {
  const { judge, store, rubric, prices, limits = {} } = config;
  return {
    judge: JUDGING.has(command) ? judge : undefined,
    rubric: WITH_RUBRIC.has(command) ? rubric : undefined,
    store: environment.FABULA_STORE ? undefined : store,
    prices: environment.FABULA_PRICES ? undefined : prices,
    "max-cost": limits.maxCost,
    concurrency: limits.concurrency,
    "requests-per-minute": limits.requestsPerMinute,
    "tokens-per-minute": limits.tokensPerMinute,
  };
}

/** The flags of a command with the config's values for defaults. */
export function withConfig(command: string, flags: Flags, config: Config, environment: Environment): Flags {
  const values = configuredFlags(command, config, environment);
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const value = values[name];
      return [name, value === undefined ? flag : withDefault(flag, value)];
    }),
  );
}

function withDefault(flag: Flag, value: string | number): Flag {
  if (flag.type === "number") return { ...flag, default: Number(value) };
  return flag.type === "string" ? { ...flag, default: String(value) } : flag;
}
