import type { Flag } from "./flags/flag.ts";
import { pathBesideStore } from "./store-location.ts";

export const PROFILES_FLAG = {
  type: "string",
  value: "FOLDER",
  help: "where profiles are kept (FABULA_READERS; else beside the store, in the user's data folder)",
} as const satisfies Flag;

/** Profiles stay on this machine, beside the store of calls. */
export function profileFolder(given: string | undefined): string {
  return given ?? process.env.FABULA_READERS ?? pathBesideStore("readers", undefined, process.env);
}
