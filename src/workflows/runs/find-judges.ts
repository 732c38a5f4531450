import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { missingPackage } from "../../core/loading/optional-package.ts";
import type { ModelConnections } from "../../models/connection.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { CLOUD_PROVIDERS, type CloudProvider, isCovered } from "../../models/judge-name.ts";
import { localInWords, localModels, weaknessOf } from "../../models/local-model.ts";
import { ownJudgeId } from "../../models/own-judge.ts";
import { costOf, loadPrices, type PriceTable, priceOf } from "../../models/prices.ts";
import { NAMED_PROVIDERS, type NamedProvider, providerLine } from "../../models/providers.ts";

/** A judge that could be asked right now. */
export interface FoundJudge {
  readonly judge: string;
  readonly detail: string;
  /** US dollars for the one short question that tries it out; null when the price is not known. */
  readonly testCost: number | null;
  /** Another account of the user's pays for it. */
  readonly isCovered: boolean;
  readonly weakness: string | null;
}

/** Programs that answer a prompt on standard input, and how they are told to. */
const ASSISTANTS: readonly (readonly [program: string, words: string])[] = [
  ["claude", "claude -p"],
  ["gemini", "gemini"],
  ["codex", "codex exec -"],
  ["llm", "llm"],
  ["aichat", "aichat"],
];

/** Of each provider, the model to begin with: it takes a whole novel, at a moderate price. */
const SUGGESTED: Readonly<Partial<Record<CloudProvider | NamedProvider, string>>> = {
  openai: "gpt-4.1",
  anthropic: "claude-sonnet-4-6",
  google: "gemini-2.5-pro",
  openrouter: "anthropic/claude-sonnet-4.6",
  mistral: "mistral-large-2512",
  groq: "openai/gpt-oss-120b",
  xai: "grok-4.3",
  together: "meta-llama/Llama-3.3-70B-Instruct-Turbo",
};

export interface FindOptions {
  readonly connections: ModelConnections;
  readonly prices?: string | undefined;
  /** Where programs are looked for: the variable PATH. */
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Which judges work here: those in the user's settings, models on this machine, assistants on the path, keys that were found. */
export async function findJudges({ connections, prices, path, signal }: FindOptions): Promise<FoundJudge[]> {
  const table = await loadPrices(prices, connections.judges);
  const own = Object.entries(connections.judges ?? {}).map(([short, judge]) =>
    found(short, `${judge.name ?? short}, in your settings: ${judge.judge}`, table, ownJudgeId(short, judge)),
  );
  const local = (await localModels(connections, { signal })).map((model) => ({
    ...found(model.id, localInWords(model).replace(/^The local judge is /, "on this machine: "), table),
    weakness: weaknessOf(model),
  }));
  const programs = ASSISTANTS.filter(([program]) => isOnPath(program, path)).map(([program, words]) =>
    found(`command:${words}`, `${program} is installed; your own account pays`, table),
  );
  const keys = [...CLOUD_PROVIDERS, ...NAMED_PROVIDERS].flatMap((provider) => {
    const model = SUGGESTED[provider];
    if (model === undefined || !connections[provider]?.key) return [];
    const title = provider in connections && isNamed(provider) ? providerLine(provider).title : provider;
    const judge = found(`${provider}:${model}`, `a key for ${title} is set`, table);
    return [{ ...judge, weakness: isNamed(provider) ? null : missingPackage(`@ai-sdk/${provider}`) }];
  });
  return [...own, ...local, ...programs, ...keys];
}

function isNamed(provider: string): provider is NamedProvider {
  return NAMED_PROVIDERS.some((name) => name === provider);
}

const QUESTION = "Answer with the one word: ready";
const TEST_TOKENS = { inputTokens: 20, outputTokens: 32, cachedInputTokens: 0, reasoningTokens: 0 };
const ANSWER_MILLISECONDS = 120_000;

function found(judge: string, detail: string, table: PriceTable, id = judge): FoundJudge {
  const price = priceOf(table, id);
  return {
    judge,
    detail,
    testCost: price && costOf(price, TEST_TOKENS),
    isCovered: isCovered(id) && price === null,
    weakness: null,
  };
}

/** Asks a judge one short question; says how it went. */
export async function tryOut(
  judge: string,
  connections: ModelConnections,
  signal: AbortSignal,
): Promise<{ readonly answers: boolean; readonly detail: string }> {
  try {
    const { judges } = connections;
    const named = judge.startsWith("command:") ? [judge.slice("command:".length)] : [];
    const commands = [...(connections.commands ?? []), ...named];
    const model = await createChatModel(judge, {
      connections: { ...connections, commands, ...(judges && { judges }) },
    });
    const reply = await model.complete(
      { purpose: "probe", sample: 0, maximumTokens: 32, messages: [{ role: "user", content: QUESTION }] },
      AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MILLISECONDS)]),
    );
    const seconds = (reply.latencyMilliseconds / 1000).toFixed(1);
    return { answers: true, detail: `answered in ${seconds} s` };
  } catch (error) {
    return { answers: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

function isOnPath(program: string, path: string): boolean {
  const endings = process.platform === "win32" ? [".cmd", ".exe", ".bat"] : [""];
  return path
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => endings.some((ending) => isExecutable(join(folder, program + ending))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
