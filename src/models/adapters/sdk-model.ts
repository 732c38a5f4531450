import type { LanguageModelV3 } from "@ai-sdk/provider";
import { withOptionalPackage } from "../../core/loading/optional-package.ts";
import { type Connection, USUAL_ADDRESS } from "../connection.ts";
import type { CloudProvider, JudgeName } from "../judge-name.ts";
import { withReadableCounts } from "../transport.ts";

type SdkJudge = Extract<JudgeName, { readonly provider: CloudProvider | "compatible" }>;

/** A model of the AI SDK. Each provider's library is loaded when a model of it is asked: together they are large. */
export async function sdkModel(
  judge: SdkJudge,
  { key, baseUrl }: Connection,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV3> {
  const settings = { ...(key && { apiKey: key }), fetch: withReadableCounts(fetch) };
  // Always given: without it, the libraries take an address from the environment, which the key may not be for.
  const baseURL = judge.provider === "compatible" ? judge.baseUrl : (baseUrl ?? USUAL_ADDRESS[judge.provider]);
  switch (judge.provider) {
    case "openai": {
      const { createOpenAI } = await withOptionalPackage(() => import("@ai-sdk/openai"));
      // Chat completions rather than responses: they take a seed, and batches and compatible servers speak them too.
      return createOpenAI({ ...settings, baseURL }).chat(judge.model);
    }
    case "anthropic": {
      const { createAnthropic } = await withOptionalPackage(() => import("@ai-sdk/anthropic"));
      return createAnthropic({ ...settings, baseURL })(judge.model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await withOptionalPackage(() => import("@ai-sdk/google"));
      return createGoogleGenerativeAI({ ...settings, baseURL })(judge.model);
    }
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const server = { name: "compatible", baseURL, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...settings, ...server })(judge.model);
    }
    default:
      return judge satisfies never;
  }
}
