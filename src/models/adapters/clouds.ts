import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { OptionalPackage } from "../../core/loading/optional-package.ts";

/**
 * A provider with its own format. Names of judges, keys, help, `doctor`, `setup` and the contract tests follow from
 * its entry.
 */
interface Cloud {
  readonly title: string;
  /** Its address, unless `…_BASE_URL` beside the variable of its key overrides it. */
  readonly address: string;
  /** The environment variables of its key; users are told to set the first of these. */
  readonly keys: readonly [`${string}_API_KEY`, ...string[]];
  /** Its library, with the version to install: an optional peer in `package.json`. */
  readonly package: string;
  /** The suggested model for newcomers: it takes a whole novel, at a moderate price. */
  readonly suggested: string;
  /** The path of its list of models, below its address. */
  readonly models: string;
  /** How our own requests carry the key. */
  headers(key: string): Readonly<Record<string, string>>;
  /**
   * Loads its library, which makes models by their names.
   * @internal Its type comes from a package that users of the library need not have.
   */
  load(settings: LibrarySettings): Promise<(model: string) => LanguageModelV3>;
}

interface LibrarySettings {
  readonly apiKey?: string;
  readonly baseURL: string;
  readonly fetch: typeof fetch;
}

export const CLOUDS = declared({
  openai: {
    title: "OpenAI",
    address: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    package: "@ai-sdk/openai@3",
    suggested: "gpt-4.1",
    models: "/models",
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    // Chat completions rather than responses: they take a seed, and batches and compatible servers speak them too.
    load: async (settings) => (await import("@ai-sdk/openai")).createOpenAI(settings).chat,
  },
  anthropic: {
    title: "Anthropic",
    address: "https://api.anthropic.com/v1",
    keys: ["ANTHROPIC_API_KEY"],
    package: "@ai-sdk/anthropic@3",
    suggested: "claude-sonnet-4-6",
    models: "/models?limit=1000",
    headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
    load: async (settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings),
  },
  google: {
    title: "Google",
    address: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    package: "@ai-sdk/google@3",
    suggested: "gemini-2.5-pro",
    models: "/models?pageSize=1000",
    headers: (key) => ({ "x-goog-api-key": key }),
    load: async (settings) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings),
  },
});

export type CloudProvider = keyof typeof CLOUDS;
export const CLOUD_PROVIDERS = Object.keys(CLOUDS) as CloudProvider[];

/** Keeps the names without exposing the types of any library. */
function declared<Name extends string>(clouds: Readonly<Record<Name, Cloud>>): Readonly<Record<Name, Cloud>> {
  return clouds;
}

export function isCloudProvider(name: string): name is CloudProvider {
  return Object.hasOwn(CLOUDS, name);
}

/** The package to install if the provider's library is missing. */
export function packageOf(provider: CloudProvider): OptionalPackage {
  const { title, package: install } = CLOUDS[provider];
  return {
    name: install.slice(0, install.lastIndexOf("@")),
    purpose: `${/^[AEIO]/.test(title) ? "An" : "A"} ${title} judge`,
    install,
  };
}
