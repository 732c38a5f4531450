/** GET /api/settings → ServerFacts: how this server was started, without any keys. */
export interface ServerFacts {
  readonly version: string;
  readonly library: string;
  /** Without its password. */
  readonly store: string;
  readonly profiles: string;
  readonly benches: readonly string[];
  readonly keys: readonly {
    readonly provider: string;
    readonly variable: string;
    readonly origin: "environment" | "session" | null;
  }[];
  readonly prices: {
    readonly date: string;
    /** The user's own file; null for the table that ships. */
    readonly file: string | null;
    readonly models: readonly PricedModel[];
  };
}

/** US dollars per million tokens. */
export interface PricedModel {
  readonly name: string;
  readonly input: number;
  readonly output: number;
  /** Its context length in tokens, if known. */
  readonly context: number | null;
}

/** POST /api/settings/check → Reachable[]: what can be reached now, as in `fabula doctor`. No model is asked. */
export interface Reachable {
  readonly name: string;
  readonly state: "ready" | "absent" | "broken";
  readonly detail: string;
  readonly milliseconds: number | null;
}
