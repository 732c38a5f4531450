import { FabulaError } from "../../core/errors.ts";
import { CLOUD_PROVIDERS } from "../../models/adapters/clouds.ts";
import type { ModelConnections } from "../../models/connection.ts";
import { parseJudgeName } from "../../models/judge-name.ts";
import { NAMED_PROVIDERS } from "../../models/providers.ts";
import { didYouMean } from "../../tasks/define/check.ts";
import { isEmbedded } from "../command.ts";
import type { FoundConfig } from "./config-file.ts";

type NamedJudges = Pick<ModelConnections, "commands" | "judges">;

let inForce: NamedJudges = {};

/** The user's own judges, set once per command line, before the command runs. */
export function userJudges(): NamedJudges {
  return inForce;
}

/**
 * A program is started as a judge only if the user named it on the command line or in their own settings. The value
 * of a flag may also come from a folder's settings or a file, so it is not used here.
 */
export function setUserJudges(words: readonly string[], found: FoundConfig | null): void {
  const own = found?.files.find(({ isOwn }) => isOwn)?.config;
  const judges = own?.judges ?? {};
  const named = [...words, own?.judge ?? "", ...Object.values(judges).map(({ judge }) => judge)];
  inForce = { judges, commands: [...new Set(named.flatMap(commandsIn))] };
}

/** Why a name is not a judge, with the name that was probably meant; null if it is one. */
export function whyNoJudge(name: string): string | null {
  if (isEmbedded(name) || Object.hasOwn(inForce.judges ?? {}, name)) return null;
  try {
    parseJudgeName(name);
    return null;
  } catch (error) {
    if (!(error instanceof FabulaError)) throw error;
    return error.code === "E_JUDGE_UNKNOWN" ? `"${name}" is not a judge.${probableJudge(name)}` : error.message;
  }
}

const WAYS = [...CLOUD_PROVIDERS, ...NAMED_PROVIDERS, "ollama", "llama", "command", "paste", "assistant"];

/** The judge that a mistyped name probably means: one of the user's own, or one that Fabula has. */
export function probableJudge(name: string): string {
  const [, way, rest] = /^([^:]*):(.+)$/s.exec(name) ?? [];
  if (way !== undefined) return didYouMean(way, WAYS, (known) => `"${known}:${rest}"`);
  const { judges = {} } = inForce;
  const known = [...Object.keys(judges), "crowd", "editor", "grader", "jury", "local", "paste"];
  return didYouMean(name, known, (one) => `"${one}"`);
}

/** `--judge command:"llm -m x"` and `--judge=command:…`, alone or in a list, with or without a name after `#`. */
function commandsIn(word: string): string[] {
  const [, given] = /(?:^|[=,])command:(.*)$/s.exec(word) ?? [];
  if (given === undefined) return [];
  const whole = given.trim();
  return [whole, ...whole.split(",").map((part) => part.replace(/^command:/, "").trim())].flatMap((command) => [
    command,
    command.replace(/#[^#]*$/, "").trim(),
  ]);
}
