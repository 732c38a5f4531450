import { once } from "node:events";
import { rm } from "node:fs/promises";
import type { Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { createAdaptorServer } from "@hono/node-server";
import { z } from "zod";
import { systemClock } from "../core/clock.ts";
import { FabulaError } from "../core/errors.ts";
import { removeAbandonedFolders } from "../core/files.ts";
import { createApp } from "./http/app.ts";
import { type Person, personToken, TokenGuard } from "./http/token.ts";
import { readJsonFile, writeJsonFile } from "./library/json-file.ts";
import { openServices } from "./services.ts";
import type { ServerSettings } from "./settings.ts";
import { endAllTasks } from "./threads/run-task.ts";

/** A busy server may answer slowly; a stopped one is noticed at once, because its port is closed. */
const PATIENCE_MILLISECONDS = 15_000;
const noteSchema = z.object({ url: z.string() });
/** How a Fabula server answers, with or without the token. */
const ownAnswer = z.union([z.object({ version: z.string() }), z.object({ code: z.literal("E_TOKEN") })]);

/**
 * Two servers on one library would each treat the other's running jobs as abandoned. A server writes its address into the
 * library; the next one checks whether that address still answers, because the file survives a crash.
 */
async function refuseSecondServer(library: string): Promise<void> {
  const note = await readJsonFile(noteIn(library), noteSchema).catch(() => null);
  if (!note || !(await isAnswering(note.url))) return;
  throw new FabulaError(
    "E_LIBRARY_BUSY",
    `Another server already uses this library, at ${note.url}: open that address, or pass another folder with --library.`,
  );
}

async function writeServerAddress(library: string, url: string): Promise<void> {
  await writeJsonFile(noteIn(library), { url } satisfies z.infer<typeof noteSchema>);
}

async function removeServerAddress(library: string): Promise<void> {
  await rm(noteIn(library), { force: true });
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/about", url), { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
    return ownAnswer.safeParse(await response.json()).success;
  } catch (error) {
    return isUnknownCertificate(error);
  }
}

/** A server with an unknown certificate counts as running too. */
function isUnknownCertificate(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(String(cause.code));
}

function noteIn(library: string): string {
  return join(library, "server.json");
}

const HEADERS_MILLISECONDS = 15_000;
/** A large book over a slow line. */
const REQUEST_MILLISECONDS = 10 * 60_000;
const DRAIN_SECONDS = 30;

export interface RunningServer {
  /** The address of the web app, with the token. */
  readonly url: string;
  /** The address with a code in place of the token, which lets one browser in, once and within a minute. */
  urlForOneVisit(): string;
  /** The address for somebody who is invited. */
  urlFor(person: Person): Promise<string>;
  /** Pauses running jobs and closes all connections. */
  close(): Promise<void>;
}

export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const encrypted = encryption(settings);
  await refuseSecondServer(settings.library);
  const services = await openServices(settings);
  let isReady = true;
  const guard = new TokenGuard(settings.token, services.clock, (person) => services.people.isInvited(person));
  const app = await createApp(services, guard, () => isReady);
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
    url: `${open}?token=${encodeURIComponent(settings.token)}`,
    async urlFor(person) {
      const token = personToken(settings.token, await services.people.invite(person));
      return `${open}?token=${encodeURIComponent(token)}`;
    },
    urlForOneVisit: () => `${open}?code=${guard.makeCode()}`,
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

/** Work that takes longer is abandoned, as after a crash; the next server resumes it. */
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
