import type { ModelConnections } from "../../models/connection.ts";
import type { FoundConfig } from "./config-file.ts";

type NamedJudges = Pick<ModelConnections, "commands" | "judges">;

let inForce: NamedJudges = {};

/** What the user set up and named: set once for each command line, before the command runs. */
export function judgesInForce(): NamedJudges {
  return inForce;
}

/**
 * A program is started as a judge only if the user named it: in the words of the command or in their own settings. The words of
 * a flag may also be the default of a folder, or come from a file, so they are not taken from there.
 */
export function setJudgesInForce(words: readonly string[], found: FoundConfig | null): void {
  const own = found?.files.find(({ isOwn }) => isOwn)?.config;
  const judges = own?.judges ?? {};
  const named = [...words, own?.judge ?? "", ...Object.values(judges).map(({ judge }) => judge)];
  inForce = { judges, commands: [...new Set(named.flatMap(commandsIn))] };
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
