import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { missingPackage } from "../../core/loading/optional-package.ts";
import { splitLabel } from "../../core/wording.ts";
import {
  CLOUD_PROVIDERS,
  CLOUDS,
  type CloudProvider,
  isCloudProvider,
  packageOf,
} from "../../models/adapters/clouds.ts";
import type { ChatModel, ChatReply } from "../../models/chat-model.ts";
import type { ModelConnections } from "../../models/connection.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { isCovered, judgeNameOf } from "../../models/judge-name.ts";
import { chooseLocalModel, localInWords, localModels, weaknessOf } from "../../models/local-model.ts";
import { ownJudgeId, resolveShortName } from "../../models/own-judge.ts";
import { costOf, loadPrices, type PriceTable, priceOf } from "../../models/prices.ts";
import { NAMED_PROVIDERS, type NamedProvider, providerLine } from "../../models/providers.ts";
import { reachProvider } from "../../models/reach-provider.ts";
import { readJsonReply } from "../../models/read-reply.ts";
import { replySchema } from "../../models/reply-schema.ts";

/** A judge that could be asked right now. */
export interface FoundJudge {
  readonly judge: string;
  readonly detail: string;
  /** US dollars for the one short question that tries the judge out; null when the price is not known. */
  readonly testCost: number | null;
  /** Whether it is paid for through another of the user's accounts, such as a subscription. */
  readonly isCovered: boolean;
  readonly weakness: string | null;
}

/** Programs that answer a prompt on standard input, and the arguments that make them do so. */
const ASSISTANTS: readonly (readonly [program: string, words: string])[] = [
  ["claude", "claude -p"],
  ["gemini", "gemini"],
  ["codex", "codex exec -"],
  ["llm", "llm"],
  ["aichat", "aichat"],
];

export interface FindOptions {
  readonly connections: ModelConnections;
  readonly prices?: string | undefined;
  /** The folders in which programs are searched: the variable PATH. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** A judge that the user named, listed whether or not it would have been found. */
  readonly named?: string | undefined;
}

/**
 * Finds the judges that work here: those in the user's settings, models on this machine, assistants on the path, and
 * providers with a key.
 */
export async function findJudges({ connections, prices, path, signal, named }: FindOptions): Promise<FoundJudge[]> {
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
    const { title, suggested } = isCloudProvider(provider) ? CLOUDS[provider] : providerLine(provider);
    if (suggested === undefined || !connections[provider]?.key) return [];
    const judge = found(`${provider}:${suggested}`, `a key for ${title} is set`, table);
    return [{ ...judge, weakness: isCloudProvider(provider) ? missingPackage(packageOf(provider)) : null }];
  });
  const all = [...own, ...local, ...programs, ...keys];
  if (named === undefined || all.some(({ judge }) => judge === named)) return all;
  return [found(named, "named with --judge", table), ...all];
}

/** Its answer must be readable like a judge's, since a program that asks for a login answers something too. */
const QUESTION =
  "How many letters has the word “seven”? Answer with a JSON object that has one field, letters, a number.";
const ANSWER = z.object({ letters: z.number() });
const LONGEST_ANSWER = 64;
const TEST_TOKENS = { inputTokens: 80, outputTokens: LONGEST_ANSWER, cachedInputTokens: 0, reasoningTokens: 0 };
/**
 * A model on this machine may first have to be loaded; a program that prints nothing for a minute waits for
 * something.
 */
const ANSWER_MILLISECONDS = 120_000;
const PROGRAM_MILLISECONDS = 60_000;

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

/** Asks a judge one short question and reports the result. */
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
    const { problem, seconds } = await askShortly(model, signal);
    return problem === null
      ? { answers: true, detail: `answered in ${seconds} s` }
      : { answers: false, detail: problem };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return { answers: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Asks one short question outside any run, so that nothing is stored. The problem is null if the reply can be read. */
export async function askShortly(
  model: ChatModel,
  signal: AbortSignal,
  /** The time limit for the answer. */
  milliseconds = isProgram(model.id) ? PROGRAM_MILLISECONDS : ANSWER_MILLISECONDS,
): Promise<{ readonly reply: ChatReply; readonly problem: string | null; readonly seconds: string }> {
  const messages = [{ role: "user", content: QUESTION }] as const;
  const limit = AbortSignal.timeout(milliseconds);
  const schema = replySchema("letters", ANSWER);
  const reply = await model
    .complete(
      { purpose: "probe", sample: 0, maximumTokens: LONGEST_ANSWER, messages, schema },
      AbortSignal.any([signal, limit]),
    )
    .catch((error: unknown) => {
      if (!limit.aborted || signal.aborted) throw error;
      const advice = isProgram(model.id)
        ? " and was stopped. Try it in a terminal: it may wait for input or a login."
        : ".";
      throw new FabulaError("E_MODEL_TIMEOUT", `it did not answer within ${milliseconds / 1000} seconds${advice}`);
    });
  const seconds = (reply.latencyMilliseconds / 1000).toFixed(1);
  const parsed = readJsonReply(reply, ANSWER, messages);
  // A model that thinks first may use up its few output tokens here, but it has shown that it answers.
  if (parsed.kind === "read" || parsed.why === "truncated") return { reply, problem: null, seconds };
  const advice = isProgram(model.id)
    ? "Try the program in a terminal (it may want a login first), then try again."
    : "A model that does not manage this will not manage a close reading: try another.";
  return { reply, problem: `${parsed.reason}. ${advice}`, seconds };
}

function isProgram(id: string): boolean {
  return judgeNameOf(withoutLabel(id))?.provider === "command";
}

/**
 * Why a judge cannot be asked right now, as far as this is known without asking it; null when nothing is in the way.
 */
export async function obstacleTo(
  judge: string,
  { connections, path, signal }: Pick<FindOptions, "connections" | "path" | "signal">,
): Promise<string | null> {
  const name = judgeNameOf(withoutLabel(resolveShortName(judge, connections.judges)));
  if (name === null) return null;
  const reach = async (provider: CloudProvider | NamedProvider | "ollama", model: string) => {
    const services = { fetch, clock: systemClock, signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]) };
    const reached = await reachProvider(provider, connections[provider] ?? {}, services);
    if (reached.kind === "unreachable") return reached.reason;
    if (provider !== "ollama" || reached.models.some((known) => known === model || known === `${model}:latest`))
      return null;
    return `Ollama does not have it: run \`ollama pull ${model}\`.`;
  };
  switch (name.provider) {
    case "command": {
      const [program = ""] = name.command.split(/\s+/);
      return program.includes("/") || isOnPath(program, path)
        ? null
        : `there is no program "${program}" on the path: install it, or give its whole path.`;
    }
    case "paste":
    case "compatible":
      return null;
    case "assistant":
      return "an assistant answers over `fabula mcp` alone: start that from the assistant.";
    case "llama":
      return existsSync(name.path) ? null : `there is no file ${name.path}.`;
    case "local":
      return chooseLocalModel(connections, { signal }).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    case "ollama":
      return reach("ollama", name.model);
    default: {
      const { provider, model } = name;
      const hasKey = Boolean(connections[provider]?.key);
      if (isCloudProvider(provider))
        return hasKey ? missingPackage(packageOf(provider)) : `no key: set ${CLOUDS[provider].keys[0]}.`;
      const { needsKey, key } = providerLine(provider);
      if (needsKey) return hasKey ? null : `no key: set ${key}.`;
      return reach(provider, model);
    }
  }
}

function withoutLabel(id: string): string {
  return splitLabel(id)[0];
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
