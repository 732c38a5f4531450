/**
 * A service or server that speaks OpenAI's chat completions. To add one, add a line here and its prices to
 * `assets/prices.yaml`.
 */
interface ProviderLine {
  readonly title: string;
  /** `{NAME}` is replaced by an environment variable, for providers with an address per customer. */
  readonly address: string;
  /** The environment variable of its key. */
  readonly key: string;
  /** Whether it refuses requests without a key. */
  readonly needsKey: boolean;
  /** Whether it enforces a JSON Schema; otherwise the schema is put in the prompt. */
  readonly schemas: boolean;
  /** The suggested model for newcomers. */
  readonly suggested?: string;
}

const service = { needsKey: true, schemas: true };
const ownServer = { needsKey: false, schemas: true };

/** `NAME_BASE_URL` in the environment overrides the address of any of them. */
export const PROVIDERS = {
  openrouter: {
    ...service,
    title: "OpenRouter",
    address: "https://openrouter.ai/api/v1",
    key: "OPENROUTER_API_KEY",
    suggested: "anthropic/claude-sonnet-4.6",
  },
  azure: {
    ...service,
    title: "Azure OpenAI",
    address: "{AZURE_OPENAI_ENDPOINT}/openai/v1",
    key: "AZURE_OPENAI_API_KEY",
  },
  bedrock: {
    ...service,
    title: "Amazon Bedrock",
    address: "https://bedrock-runtime.{AWS_REGION}.amazonaws.com/openai/v1",
    key: "AWS_BEARER_TOKEN_BEDROCK",
    schemas: false,
  },
  mistral: {
    ...service,
    title: "Mistral",
    address: "https://api.mistral.ai/v1",
    key: "MISTRAL_API_KEY",
    suggested: "mistral-large-2512",
  },
  deepseek: {
    ...service,
    title: "DeepSeek",
    address: "https://api.deepseek.com/v1",
    key: "DEEPSEEK_API_KEY",
    schemas: false,
  },
  groq: {
    ...service,
    title: "Groq",
    address: "https://api.groq.com/openai/v1",
    key: "GROQ_API_KEY",
    suggested: "openai/gpt-oss-120b",
  },
  xai: { ...service, title: "xAI", address: "https://api.x.ai/v1", key: "XAI_API_KEY", suggested: "grok-4.3" },
  together: {
    ...service,
    title: "Together",
    address: "https://api.together.xyz/v1",
    key: "TOGETHER_API_KEY",
    suggested: "meta-llama/Llama-3.3-70B-Instruct-Turbo",
  },
  vllm: { ...ownServer, title: "vLLM", address: "http://127.0.0.1:8000/v1", key: "VLLM_API_KEY" },
  lmstudio: { ...ownServer, title: "LM Studio", address: "http://127.0.0.1:1234/v1", key: "LMSTUDIO_API_KEY" },
  llamacpp: { ...ownServer, title: "llama.cpp server", address: "http://127.0.0.1:8080/v1", key: "LLAMACPP_API_KEY" },
} as const satisfies Readonly<Record<string, ProviderLine>>;

export type NamedProvider = keyof typeof PROVIDERS;
export const NAMED_PROVIDERS = Object.keys(PROVIDERS) as NamedProvider[];

export function isNamedProvider(name: string): name is NamedProvider {
  return Object.hasOwn(PROVIDERS, name);
}

export function providerLine(name: NamedProvider): ProviderLine {
  return PROVIDERS[name];
}

/** The address with environment values inserted; undefined if one of them is missing. */
export function addressFor(
  name: NamedProvider,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const own = environment[`${name.toUpperCase()}_BASE_URL`];
  if (own) return own.replace(/\/+$/, "");
  const { address } = providerLine(name);
  if (variablesOf(name).some((variable) => !environment[variable])) return undefined;
  return address.replace(/\{(\w+)\}/g, (_, variable: string) => environment[variable]!.replace(/\/+$/, ""));
}

/** The environment variables used in the provider's address. */
export function variablesOf(name: NamedProvider): string[] {
  return [...providerLine(name).address.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable!);
}
