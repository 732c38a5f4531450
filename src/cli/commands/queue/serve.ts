import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { lstat, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { FabulaError } from "../../../core/errors.ts";
import { makeFolder, writeFailure } from "../../../core/files.ts";
import { fabulaVersion } from "../../../core/version.ts";
import { splitLabel } from "../../../core/wording.ts";
import { connectionsFromEnvironment } from "../../../models/connection.ts";
import { isCovered } from "../../../models/judge-name.ts";
import { resolveShortName } from "../../../models/own-judge.ts";
import { asDocument } from "../../../report/documents.ts";
import { type Person, ROLES, SCOPES, scopedToken } from "../../../server/http/token.ts";
import type { ServerSettings } from "../../../server/settings.ts";
import { startServer } from "../../../server/start-server.ts";
import { defineCommand, isEmbedded, listed, STORE_FLAG } from "../../command.ts";
import { userJudges } from "../../config/user-judges.ts";
import { pathBesideStore, profileFolder, storeLocation } from "../../paths.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** A browser that can print to PDF: FABULA_BROWSER, or else one in the usual places; null if there is none. */
export function findBrowser(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string | null {
  if (environment.FABULA_BROWSER) return environment.FABULA_BROWSER;
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(PLACES[platform] ?? []),
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find(isRunnable) ?? null;
}

export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const serveCommand = defineCommand({
  summary:
    "Serve the web app: a library of your books, with live and finished evaluations. By default only this machine can reach it, and only someone with the printed link can open it.",
  operands: "",
  flags: {
    port: {
      type: "number",
      value: "N",
      default: 4173,
      integer: true,
      minimum: 0,
      maximum: 65535,
      help: "where to listen; 0 picks a free port",
    },
    host: {
      type: "string",
      value: "ADDRESS",
      default: "127.0.0.1",
      help: "the address to listen on; 0.0.0.0 lets other machines connect",
    },
    token: {
      type: "string",
      value: "T",
      help: "an access token of your own, at least 16 characters; otherwise one is made and kept in the library's folder. Other users of the machine may see it: FABULA_TOKEN and --token-file are safer",
    },
    "program-tokens": {
      type: "boolean",
      help: "also print tokens for programs: one that only reads, and one that can also run tasks at /api/v1",
    },
    people: {
      type: "string",
      value: "ROLE:NAME,…",
      help: "also print a link for each of these people: a reader looks, a reviewer also votes, rates and marks findings; neither can spend money or change a book",
    },
    "token-file": { type: "string", value: "FILE", help: "a file that holds the access token" },
    "tls-cert": { type: "string", value: "FILE", help: "the certificate (PEM) to serve https with; needs --tls-key" },
    "tls-key": { type: "string", value: "FILE", help: "the certificate's private key (PEM)" },
    "trust-proxy": {
      type: "boolean",
      help: "trust X-Forwarded-For and X-Forwarded-Proto: only when nothing but your own proxy can reach the server",
    },
    "drain-seconds": {
      type: "number",
      value: "N",
      default: 30,
      minimum: 0,
      // One day. Timers of more than 24 days end at once.
      maximum: 86_400,
      help: "how long stopping may take at most; calls already sent get 20 s of it",
    },
    library: { type: "string", value: "FOLDER", help: "where the web app keeps books (default: beside the store)" },
    bench: { type: "string", value: "A,B", help: "benchmark folders to show" },
    judges: { type: "string", value: "A,B", help: "judges to offer, such as ollama:llama3.1 or MODEL@http://host/v1" },
    open: { type: "boolean", help: "open the web app in the browser" },
    store: STORE_FLAG,
    profiles: {
      type: "string",
      value: "FOLDER",
      help: "where profiles are kept (FABULA_READERS; else beside the store, in the user's data folder)",
    },
    prices: { type: "string", value: "FILE", help: "your own price table (FABULA_PRICES)" },
  },
  examples: [
    "fabula serve --open",
    "fabula serve --port 0 --judges ollama:llama3.1",
    "fabula serve --host 0.0.0.0   # other machines can connect, with the link that is printed",
  ],
  finishing: "Pausing what is running…",
  async run({ flags, terminal, signal }) {
    const prices = flags.prices ?? process.env.FABULA_PRICES;
    const store = storeLocation(flags.store, process.env);
    const library = flags.library ?? pathBesideStore("library", flags.store, process.env);
    const judges = judgesToOffer(list(flags.judges));
    const offered = new Set(judges.map((judge) => splitLabel(judge)[0]));
    const settings: ServerSettings = {
      host: flags.host,
      port: flags.port,
      token: (await accessToken(flags, process.env)) ?? (await keptToken(library)),
      ...(await tlsFiles(flags)),
      trustProxy: flags["trust-proxy"],
      drainSeconds: flags["drain-seconds"],
      library,
      store,
      profiles: profileFolder(flags.profiles, process.env),
      benches: list(flags.bench),
      judges,
      connections: {
        ...connectionsFromEnvironment(process.env),
        ...userJudges(),
        // Judges named in the user's settings are for the user; visitors get only what is offered.
        commands: userJudges().commands?.filter((command) => offered.has(`command:${command}`)) ?? [],
      },
      ...(prices ? { prices } : {}),
      findBrowser: () => findBrowser(process.platform, process.env),
      version: fabulaVersion(),
    };
    const server = await startServer(settings);
    // On one line, because scripts that start a server wait for it while the server keeps running.
    const programs = flags["program-tokens"] ? SCOPES.map((scope) => [scope, scopedToken(settings.token, scope)]) : [];
    const tokens = programs.length > 0 ? { tokens: Object.fromEntries(programs) } : {};
    const invited = await Promise.all(
      invitedPeople(flags.people).map(async (person) => ({ ...person, url: await server.urlFor(person) })),
    );
    const people = invited.length > 0 ? { people: invited } : {};
    if (flags.json) terminal.print(JSON.stringify(asDocument("server", { url: server.url, ...tokens, ...people })));
    else {
      terminal.print(`The web app is at ${server.url}`);
      for (const [scope, token] of programs) terminal.print(`A program's token to ${scope}: ${token}`);
      for (const { role, name, url } of invited) terminal.print(`A link for ${name} (${role}): ${url}`);
    }
    terminal.note("Ctrl-C stops it; what is running is paused and can be resumed.");
    if (flags.open) openInBrowser(server.urlForOneVisit());
    if (!signal.aborted) await once(signal, "abort");
    await server.close();
    return 0;
  },
});

/** `reviewer:Ada,reader:Ben`. */
function invitedPeople(words: string | undefined): Person[] {
  return list(words).map((word) => {
    const [role, ...rest] = word.split(":");
    const name = rest.join(":").trim();
    const known = ROLES.find((one) => one === role);
    if (!known || name === "")
      throw new FabulaError("E_USAGE", `"${word}" is not a role and a name: write --people reviewer:Ada,reader:Ben.`);
    return { role: known, name };
  });
}

/**
 * The judges named at the start, and the user's own by their names. A program may judge only if it was named at the
 * start.
 */
function judgesToOffer(named: readonly string[]): string[] {
  const { judges = {} } = userJudges();
  const own = Object.keys(judges).map((short) => resolveShortName(short, judges));
  const given = named.filter((name) => !isEmbedded(name)).map((name) => resolveShortName(name, judges));
  return [...new Set([...given, ...own.filter((id) => !isCovered(id))])];
}

function list(words: string | undefined): string[] {
  return (words ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Opens an address in the system's browser. If there is none, the user has the printed address. */
function openInBrowser(url: string): void {
  const [command, ...words] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command!, words, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** Where the token comes from; one given on the command line is visible in the list of processes. */
async function accessToken(
  flags: { readonly token?: string | undefined; readonly "token-file"?: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const file = flags["token-file"];
  if (flags.token !== undefined && file !== undefined) {
    throw new FabulaError("E_USAGE", "--token and --token-file cannot be used together: give one of them.");
  }
  if (file !== undefined) return (await readSecret(file, "--token-file")).trim();
  return flags.token ?? (environment.FABULA_TOKEN || undefined);
}

/**
 * The token of a library, created once and stored in its folder, readable only by its owner, so that a restart logs
 * nobody out.
 */
async function keptToken(library: string): Promise<string> {
  const path = join(library, "token");
  const kept = await readFile(path, "utf8").catch(() => "");
  if (kept.trim() !== "" && (await isPrivate(path))) return kept.trim();
  const token = randomBytes(24).toString("base64url");
  try {
    await makeFolder(library, { mode: 0o700 });
    await rm(path, { force: true });
    await writeFile(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw writeFailure(path, cause);
  }
  return token;
}

/** On Windows, owner and access rights are not known. */
async function isPrivate(path: string): Promise<boolean> {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const { uid, mode } = await lstat(path);
  return uid === user && (mode & 0o077) === 0;
}

async function tlsFiles(flags: {
  readonly "tls-cert"?: string | undefined;
  readonly "tls-key"?: string | undefined;
}): Promise<Pick<ServerSettings, "tls">> {
  const { "tls-cert": certificate, "tls-key": key } = flags;
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) {
    throw new FabulaError("E_USAGE", "--tls-cert and --tls-key belong together: give both.");
  }
  return {
    tls: { certificate: await readSecret(certificate, "--tls-cert"), key: await readSecret(key, "--tls-key") },
  };
}

async function readSecret(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_FILE_MISSING", `${flag} ${file} cannot be read: check the path and who may read it.`, {
      cause,
    });
  }
}

export const mcpCommand = defineCommand({
  summary:
    "Serve Fabula's tools to AI assistants over standard input and output: read, search, map, notes, evaluate, compare, forecast.",
  operands: "",
  flags: {
    "max-cost": {
      type: "number",
      value: "USD",
      minimum: 0,
      default: 1,
      help: "the most one evaluation by a language model may cost; an assistant can ask for less, never for more",
    },
    judges: {
      type: "string",
      value: "J1,J2",
      help: "language models that an assistant may use as judges, such as openai:gpt-4.1 [none]",
    },
    folder: { type: "string", value: "FOLDER", default: ".", help: "only books in this folder can be opened" },
    store: STORE_FLAG,
  },
  examples: ["fabula mcp", "fabula mcp --folder manuscripts --judges openai:gpt-4.1-mini --max-cost 0.50"],
  finishing:
    "Stopping: finishing the calls already sent, so that nothing paid for is lost. Ctrl-C again stops at once.",
  async run({ flags, signal }) {
    const { serveTools } = await import("../../mcp/serve-tools.ts");
    await serveTools({
      folder: flags.folder,
      judges: flags.judges === undefined ? [] : listed(flags.judges),
      maximumCost: flags["max-cost"],
      store: storeLocation(flags.store, process.env),
      signal,
    });
    return 0;
  },
});
