import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { isLoopback } from "../../../core/loopback.ts";
import { fabulaVersion } from "../../../core/version.ts";
import { connectionsFromEnvironment } from "../../../models/transport/connections-from-environment.ts";
import { asDocument } from "../../../report/documents/as-document.ts";
import type { ServerSettings } from "../../../server/settings.ts";
import { startServer } from "../../../server/start-server.ts";
import { defineCommand } from "../../command.ts";
import { findBrowser } from "../../find-browser.ts";
import { isEmbedded } from "../../flags/embedded-judge.ts";
import { STORE_FLAG } from "../../flags/model-flags.ts";
import { openInBrowser } from "../../open-in-browser.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { accessToken, tlsFiles } from "../../serve-secrets.ts";
import { pathBesideStore, storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary:
    "Serve the web app: a library of your books, with live and finished evaluations. Only this machine can open it by default.",
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
      help: "the address to listen on; any but this machine's own requires a token",
    },
    token: {
      type: "string",
      value: "T",
      help: "the access token, at least 16 characters; generated and printed when one is needed. Other users of the machine may see it: FABULA_TOKEN and --token-file are safer",
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
      // A day. Timers cannot wait longer than 24 days, and end at once instead.
      maximum: 86_400,
      help: "how long stopping may take at most; calls already sent get 20 s of it",
    },
    library: { type: "string", value: "FOLDER", help: "where the web app keeps books (default: beside the store)" },
    bench: { type: "string", value: "A,B", help: "benchmark folders to show" },
    judges: { type: "string", value: "A,B", help: "judges to offer, such as ollama:llama3.1 or MODEL@http://host/v1" },
    open: { type: "boolean", help: "open the web app in the browser" },
    store: STORE_FLAG,
    profiles: PROFILES_FLAG,
    prices: { type: "string", value: "FILE", help: "your own price table (FABULA_PRICES)" },
  },
  examples: [
    "fabula serve --open",
    "fabula serve --port 0 --judges ollama:llama3.1",
    "fabula serve --host 0.0.0.0   # other machines can connect, with the token that is printed",
  ],
  finishing: "Pausing what is running…",
  async run({ flags, terminal, signal }) {
    const prices = flags.prices ?? process.env.FABULA_PRICES;
    const store = storeLocation(flags.store, process.env);
    const token = await accessToken(flags, process.env);
    const settings: ServerSettings = {
      host: flags.host,
      port: flags.port,
      token: token ?? (isLoopback(flags.host) && !flags["trust-proxy"] ? null : randomBytes(24).toString("base64url")),
      ...(await tlsFiles(flags)),
      trustProxy: flags["trust-proxy"],
      drainSeconds: flags["drain-seconds"],
      library: flags.library ?? pathBesideStore("library", flags.store, process.env),
      store,
      profiles: profileFolder(flags.profiles),
      benches: list(flags.bench),
      judges: list(flags.judges).filter((name) => !isEmbedded(name)),
      connections: connectionsFromEnvironment(process.env),
      ...(prices ? { prices } : {}),
      findBrowser: () => findBrowser(process.platform, process.env),
      version: fabulaVersion(),
    };
    const server = await startServer(settings);
    // On one line: who starts a server waits for it while the server goes on.
    if (flags.json) terminal.print(JSON.stringify(asDocument("server", { url: server.url })));
    else terminal.print(`The web app is at ${server.url}`);
    terminal.note("Ctrl-C stops it; what is running is paused and can be resumed.");
    if (flags.open) openInBrowser(server.urlForOneVisit());
    if (!signal.aborted) await once(signal, "abort");
    await server.close();
    return 0;
  },
});

function list(words: string | undefined): string[] {
  return (words ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
