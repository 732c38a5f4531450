import type { ModelConnections } from "../models/connection.ts";
import { parseJudgeName } from "../models/judge-name.ts";
import { resolveShortName } from "../models/own-judge.ts";
import { connectionsFromEnvironment } from "../models/transport/connections-from-environment.ts";

/**
 * Keys and addresses of providers, from the environment, with what the caller gives over them. The one place outside the
 * command line that reads the environment (docs/decisions/004-library-and-documents.md): a program that uses the library is itself the edge.
 */
export function connectionsOf(given: ModelConnections = {}, named: readonly unknown[] = []): ModelConnections {
  const commands = named.flatMap((judge) => (typeof judge === "string" ? commandOf(judge, given) : []));
  return {
    ...connectionsFromEnvironment(process.env),
    ...given,
    ...(commands.length > 0 && { commands: [...(given.commands ?? []), ...commands] }),
  };
}

/** A program that the caller names as a judge, itself or by a short name, may be started; one that a file names may not. */
function commandOf(judge: string, { judges }: ModelConnections): string[] {
  const name = resolveShortName(judge, judges);
  if (!name.startsWith("command:")) return [];
  const parsed = parseJudgeName(name);
  return parsed.provider === "command" ? [parsed.command] : [];
}
