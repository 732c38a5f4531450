import type { ModelConnections } from "../models/connection.ts";

/** Everything about the server that a user chooses; the command line reads it from flags and the environment. */
export interface ServerSettings {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Required on the loopback interface too, which other users of the machine reach as well. */
  readonly token: string;
  /** Certificate and key, as PEM; without them the connection is not encrypted. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Trust a proxy in front of the server: believe the client address and protocol it reports. */
  readonly trustProxy?: boolean;
  /** How long calls that were already sent may take when the server shuts down. */
  readonly drainSeconds?: number;
  /** Where the books, evaluations and jobs of the web app are kept. */
  readonly library: string;
  /** Where calls are kept. */
  readonly store: string;
  /** Where readers' profiles are kept. */
  readonly profiles: string;
  /** Benchmark folders to be shown. */
  readonly benches: readonly string[];
  /** Judges to offer besides the embedded ones. */
  readonly judges: readonly string[];
  readonly connections: ModelConnections;
  readonly prices?: string;
  readonly version: string;
  /** A Chromium or Chrome that can print to PDF. Asked for each PDF: one may be installed while the server runs. */
  readonly findBrowser?: () => string | null;
  /** The folder of the built web app. */
  readonly client?: string;
}
