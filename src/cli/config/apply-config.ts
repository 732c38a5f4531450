import { dirname } from "node:path";
import type { Flag, Flags } from "../command.ts";
import type { Config, ConfigFile, FoundConfig } from "./config-file.ts";

/** Commands in which `judge` judges books, for which a folder may set a default. */
const JUDGING = new Set(["evaluate", "compare", "stress", "story", "ask"]);
const WITH_RUBRIC = new Set(["evaluate", "compare"]);

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of a config as values of flags; environment variables take precedence. */
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

/** Whether a command has a flag that a settings file can give a default. */
export function takesSettings(command: string, flags: Flags): boolean {
  return Object.keys(configuredFlags(command, {}, {})).some((name) => name in flags);
}

/** The flags of a command, with the settings as their defaults. */
export function withConfig(command: string, flags: Flags, { files }: FoundConfig, environment: Environment): Flags {
  const layers = files.map(({ config, isTrusted }) => ({
    values: configuredFlags(command, config, environment),
    isTrusted,
  }));
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const layer = layers.find(({ values }) => values[name] !== undefined);
      return [name, layer ? withDefault(flag, layer.values[name]!, layer.isTrusted) : flag];
    }),
  );
}

/** What a user should know about the settings files that were found: which are used, and what is ignored. */
export function configNotes(
  command: string,
  flags: Flags,
  { files, ignored, ofOthers }: FoundConfig,
  environment: Environment,
): { readonly used: string | null; readonly ignored: readonly string[] } {
  const settings = ({ config }: ConfigFile) =>
    Object.entries(configuredFlags(command, config, environment)).flatMap(([name, value]) =>
      name in flags && value !== undefined ? [name] : [],
    );
  const used = files.filter((file) => settings(file).length > 0).map(({ path }) => path);
  const ignoredSettings = ignored ? [...settings(ignored), ...(ignored.config.judges ? ["judges"] : [])] : [];
  return {
    used: used.length === 0 ? null : `Using the settings in ${used.join(" and ")}.`,
    ignored: [
      ...(ignored && ignoredSettings.length > 0
        ? [
            `Ignoring ${ignoredSettings.join(", ")} in ${ignored.path}, because this folder is not trusted: \`fabula settings trust ${asWord(dirname(ignored.path))}\` trusts it.`,
          ]
        : []),
      ...ofOthers.map((path) => `Ignoring ${path}, which belongs to another user.`),
    ],
  };
}

/** Quotes a path for a shell. */
function asWord(path: string): string {
  return /[^\w./~@:+-]/.test(path) ? JSON.stringify(path) : path;
}

/** A folder that is not trusted can lower a limit, such as the one of `fabula mcp`, but never raise it. */
function withDefault(flag: Flag, value: string | number, isTrusted: boolean): Flag {
  if (flag.type === "number") {
    const most = isTrusted ? Number.POSITIVE_INFINITY : (flag.default ?? Number.POSITIVE_INFINITY);
    return { ...flag, default: Math.min(Number(value), most) };
  }
  return flag.type === "string" ? { ...flag, default: String(value) } : flag;
}
