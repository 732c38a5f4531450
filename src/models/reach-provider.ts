import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { CLOUDS, type CloudProvider, isCloudProvider } from "./adapters/clouds.ts";
import { httpFailure } from "./adapters/failure.ts";
import { type Connection, OLLAMA_ADDRESS } from "./connection.ts";
import { redact } from "./model-error.ts";
import { isNamedProvider, type NamedProvider, providerLine } from "./providers.ts";
import { guardedFetch } from "./transport.ts";

export type Reach =
  | { readonly kind: "reachable"; readonly models: readonly string[] }
  | { readonly kind: "unreachable"; readonly reason: string };

interface Catalogue {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const listSchema = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ""))),
]);

/** Lists a provider's models: the free way to check that it is reachable and accepts the key. */
export async function reachProvider(
  provider: CloudProvider | NamedProvider | "ollama" | "compatible",
  connection: Connection,
  services: { readonly fetch: typeof fetch; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Reach> {
  const { url, headers } = catalogueOf(provider, connection);
  const secrets = connection.key ? [connection.key] : [];
  const unreachable = (status: number | null, body: string, cause: unknown): Reach => {
    const now = services.clock.now();
    return {
      kind: "unreachable",
      reason: httpFailure({ model: provider, status, headers: {}, body, cause, secrets, now }).message,
    };
  };
  try {
    const response = await guardedFetch(provider, services.fetch)(url, { headers, signal: services.signal });
    const body = await response.text();
    if (!response.ok) return unreachable(response.status, body, null);
    return { kind: "reachable", models: listSchema.parse(JSON.parse(body)) };
  } catch (cause) {
    if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
      return {
        kind: "unreachable",
        reason: redact(`${provider} at ${url} answers, but not as its API does.`, secrets),
      };
    }
    return unreachable(null, "", cause);
  }
}

function catalogueOf(
  provider: CloudProvider | NamedProvider | "ollama" | "compatible",
  { key = "", baseUrl }: Connection,
): Catalogue {
  if (isNamedProvider(provider))
    return catalogueOf("compatible", { key, baseUrl: baseUrl ?? providerLine(provider).address });
  if (isCloudProvider(provider)) {
    const { address, models, headers } = CLOUDS[provider];
    return { url: (baseUrl ?? address) + models, headers: headers(key) };
  }
  switch (provider) {
    case "ollama":
      return { url: `${baseUrl ?? OLLAMA_ADDRESS}/api/tags`, headers: {} };
    case "compatible":
      return { url: `${baseUrl}/models`, headers: key ? { authorization: `Bearer ${key}` } : {} };
    default:
      return provider satisfies never;
  }
}
