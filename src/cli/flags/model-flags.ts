import { connectionsFromEnvironment } from "../../models/transport.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import { withoutPassword } from "../../store/postgres/address.ts";
import { judgesInForce } from "../config/judges-in-force.ts";
import { storeLocation } from "../store-location.ts";
import type { Flag, Flags, FlagValues } from "./flag.ts";
import { SHARING_FLAGS } from "./sharing-flags.ts";

export const STORE_FLAG = {
  type: "string",
  value: "STORE",
  help: "where calls are kept: a file, or postgres://… (FABULA_STORE; else a file in the user's data folder)",
} as const satisfies Flag;

/** What every command that asks models takes. */
export const MODEL_FLAGS = {
  "max-cost": { type: "number", value: "USD", minimum: 0, help: "hard limit on the cost of the whole run" },
  "dry-run": { type: "boolean", help: "print the planned calls, tokens and cost; send nothing" },
  refresh: { type: "boolean", help: "ask again even when the store has the answer" },
  batch: {
    type: "boolean",
    help: "submit calls to the provider's batch API: about half the price, hours instead of seconds",
  },
  concurrency: {
    type: "number",
    value: "N",
    minimum: 1,
    maximum: 1000,
    integer: true,
    help: "concurrent calls; adapts to the provider when not given",
  },
  "requests-per-minute": { type: "number", value: "N", minimum: 1, help: "never send more requests than this" },
  "tokens-per-minute": { type: "number", value: "N", minimum: 1, help: "never send more tokens than this" },
  store: STORE_FLAG,
  prices: { type: "string", value: "FILE", help: "your own price table (FABULA_PRICES)" },
  local: SHARING_FLAGS.local,
  detach: SHARING_FLAGS.detach,
  resume: { type: "string", value: "RUN", help: "resume a run; `fabula runs resume RUN` does it for you" },
} as const satisfies Flags;

/** The settings of a run, from the flags, the environment and what was typed. */
export function runSettings(flags: FlagValues<typeof MODEL_FLAGS>): RunSettings {
  const prices = flags.prices ?? process.env.FABULA_PRICES;
  return {
    store: storeLocation(flags.store, process.env),
    // Remembered with the run, and shown by `fabula runs`.
    command: process.argv.slice(2).map(withoutPassword),
    folder: process.cwd(),
    connections: { ...connectionsFromEnvironment(process.env), ...judgesInForce() },
    dryRun: flags["dry-run"],
    refresh: flags.refresh,
    batch: flags.batch,
    ...(prices ? { prices } : {}),
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(flags["max-cost"] === undefined ? {} : { maximumCost: flags["max-cost"] }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
    ...(flags["requests-per-minute"] === undefined ? {} : { requestsPerMinute: flags["requests-per-minute"] }),
    ...(flags["tokens-per-minute"] === undefined ? {} : { tokensPerMinute: flags["tokens-per-minute"] }),
  };
}
