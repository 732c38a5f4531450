import { once } from "node:events";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { FabulaError } from "../core/errors.ts";
import { createApp } from "./http/app.ts";
import { isLoopback } from "./http/loopback.ts";
import { refuseSecondServer, removeServerAddress, writeServerAddress } from "./library/one-server.ts";
import { openServices } from "./services.ts";
import type { ServerSettings } from "./settings.ts";

export interface RunningServer {
  /** The address of the web app, with the token if there is one. */
  readonly url: string;
  /** Pauses running jobs and lets every connection go. */
  close(): Promise<void>;
}

export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  if (!isLoopback(settings.host) && settings.token === null) {
    throw new FabulaError(
      "E_TOKEN",
      `To serve beyond this machine (--host ${settings.host}), a token is needed: give --token.`,
    );
  }
  await refuseSecondServer(settings.library);
  const services = await openServices(settings);
  const app = await createApp(services);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(settings.port, settings.host);
  try {
    await once(server, "listening");
  } catch (cause) {
    throw notListening(settings, cause);
  }
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : settings.port;
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  await writeServerAddress(settings.library, `http://${reachable(host)}:${port}/`);
  services.jobs.start();
  const query = settings.token === null ? "" : `?token=${encodeURIComponent(settings.token)}`;
  return {
    url: `http://${host}:${port}/${query}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      try {
        await services.close();
      } finally {
        server.closeAllConnections();
        await closed;
        await removeServerAddress(settings.library);
      }
    },
  };
}

/** A server that listens on every address is reachable on the loopback address. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "[::]" ? "[::1]" : host;
}

function notListening({ host, port }: ServerSettings, cause: unknown): FabulaError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why =
    code === "EADDRINUSE"
      ? `port ${port} is taken: give another with --port, or --port 0 for any`
      : code === "EACCES"
        ? `port ${port} may not be used: give one above 1023 with --port`
        : `${host}:${port} cannot be listened on (${code || String(cause)}): give another with --host and --port`;
  return new FabulaError("E_LISTEN", `The web app cannot be served: ${why}.`, { cause });
}
