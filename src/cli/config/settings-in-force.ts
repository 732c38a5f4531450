import { withoutPassword } from "../../store/postgres/address.ts";
import { storeLocation } from "../store-location.ts";
import { configuredFlags } from "./apply-config.ts";
import type { FoundConfig } from "./config-file.ts";

export interface SettingInForce {
  readonly name: string;
  readonly value: string;
  /** A flag, a variable of the environment, the config file, or Fabula's own default. */
  readonly from: string;
}

interface Given {
  readonly store: string | undefined;
  readonly prices: string | undefined;
}

/** What a command in this folder would use, and where each value comes from. */
export function settingsInForce(
  given: Given,
  environment: NodeJS.ProcessEnv,
  found: FoundConfig | null,
): SettingInForce[] {
  const configured = found ? configuredFlags("evaluate", found.config, environment) : {};
  const setting = (name: string, variable: string | null, flag: string | undefined, otherwise: string | null) => {
    const own = variable === null ? undefined : environment[variable];
    if (flag !== undefined && flag !== String(configured[name]))
      return [{ name, value: withoutPassword(flag), from: `--${name}` }];
    if (own) return [{ name, value: withoutPassword(own), from: `${variable} in the environment` }];
    const value = configured[name];
    if (value !== undefined) return [{ name, value: withoutPassword(String(value)), from: found!.path }];
    return otherwise === null ? [] : [{ name, value: otherwise, from: "the default" }];
  };
  return [
    ...setting("judge", null, undefined, "jury"),
    ...setting("store", "FABULA_STORE", given.store, storeLocation(undefined, environment)),
    ...setting("rubric", null, undefined, "long-story"),
    ...setting("prices", "FABULA_PRICES", given.prices, "those that ship"),
    ...["max-cost", "concurrency", "requests-per-minute", "tokens-per-minute"].flatMap((name) =>
      setting(name, null, undefined, null),
    ),
  ];
}
