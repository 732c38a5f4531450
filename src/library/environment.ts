import type { ModelConnections } from "../models/create-chat-model.ts";
import { connectionsFromEnvironment } from "../models/transport/connections-from-environment.ts";

/**
 * Keys and addresses of providers, from the environment, with what the caller gives over them. The one place outside the
 * command line that reads the environment (docs/decisions/007-library.md): a program that uses the library is itself the edge.
 */
export function connectionsOf(given: ModelConnections = {}): ModelConnections {
  return { ...connectionsFromEnvironment(process.env), ...given };
}
