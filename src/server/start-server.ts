import { once } from "node:events";
import type { Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createSecureContext } from "node:tls";
import { createAdaptorServer } from "@hono/node-server";
import { systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { removeAbandonedFolders } from "../core/files/temporary-folder.ts";
import { isLoopback } from "../core/loopback.ts";
import { createApp, guardOf } from "./http/app.ts";
import { refuseSecondServer, removeServerAddress, writeServerAddress } from "./library/one-server.ts";
import { openServices } from "./services.ts";
import type { ServerSettings } from "./settings.ts";
import { endAllTasks } from "./threads/task-pool.ts";

const HEADERS_MILLISECONDS = 15_000;
/** A large book over a slow line. */
const REQUEST_MILLISECONDS = 10 * 60_000;
const DRAIN_SECONDS = 30;

export interface RunningServer {
  /** The address of the web app, with the token if there is one. */
  readonly url: string;
  /** The address with a code in place of the token, which lets one browser in, once and within a minute. */
  urlForOneVisit(): string;
  /** Pauses running jobs and lets every connection go. */
  close(): Promise<void>;
}

export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  if ((!isLoopback(settings.host) || settings.trustProxy) && settings.token === null) {
    throw new FabulaError(
      "E_TOKEN",
      `To serve beyond this machine (--host ${settings.host}), a token is needed: set FABULA_TOKEN, or give --token-file.`,
    );
  }
  const encrypted = encryption(settings);
  await refuseSecondServer(settings.library);
  const services = await openServices(settings);
  let isReady = true;
  const guard = guardOf(services);
  const app = await createApp(services, () => isReady, guard);
  const server = createAdaptorServer({ fetch: app.fetch, ...encrypted }) as Server;
  server.headersTimeout = HEADERS_MILLISECONDS;
  server.requestTimeout = REQUEST_MILLISECONDS;
  server.listen(settings.port, settings.host);
  try {
    await once(server, "listening");
  } catch (cause) {
    throw notListening(settings, cause);
  }
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : settings.port;
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  const scheme = settings.tls ? "https" : "http";
  await writeServerAddress(settings.library, `${scheme}://${reachable(host)}:${port}/`);
  await removeAbandonedFolders();
  services.jobs.start();
  const open = `${scheme}://${host}:${port}/`;
  return {
    url: settings.token === null ? open : `${open}?token=${encodeURIComponent(settings.token)}`,
    urlForOneVisit: () => (guard ? `${open}?code=${guard.makeCode()}` : open),
    async close() {
      isReady = false;
      const closed = once(server, "close");
      server.close();
      try {
        await within(settings.drainSeconds ?? DRAIN_SECONDS, services.close());
      } finally {
        endAllTasks();
        server.closeAllConnections();
        await closed;
        await removeServerAddress(settings.library);
      }
    },
  };
}

function encryption({ tls }: ServerSettings) {
  if (!tls) return {};
  try {
    createSecureContext({ cert: tls.certificate, key: tls.key });
  } catch (cause) {
    throw new FabulaError(
      "E_CERTIFICATE",
      "The files of --tls-cert and --tls-key are not a certificate and its private key in PEM form: check both.",
      { cause },
    );
  }
  return { createServer: createHttpsServer, serverOptions: { cert: tls.certificate, key: tls.key } };
}

/** What takes longer is left as a crash would leave it: the next server goes on from there. */
async function within(seconds: number, work: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const tooLong = systemClock.sleep(seconds * 1000, patience.signal).catch(() => {});
  try {
    await Promise.race([work, tooLong]);
  } finally {
    patience.abort();
  }
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
