import { existsSync } from "node:fs";
import { assetPath } from "../../core/assets.ts";
import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { countOf } from "../../core/wording.ts";
import { CLOUD_PROVIDERS, CLOUDS } from "../../models/adapters/clouds.ts";
import { findLlama } from "../../models/adapters/llama.ts";
import type { Connection, ModelConnections } from "../../models/connection.ts";
import { createChatModel } from "../../models/create-chat-model.ts";
import { resolveShortName } from "../../models/own-judge.ts";
import { costOf, loadPrices, type Price, type PriceTable, priceOf } from "../../models/prices.ts";
import { NAMED_PROVIDERS, providerLine } from "../../models/providers.ts";
import { type Reach, reachProvider } from "../../models/reach-provider.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import { askShortly } from "./find-judges.ts";
import { withStore } from "./past-runs.ts";

/** `absent` is not a fault, since few users need every provider. */
export interface Finding {
  readonly name: string;
  readonly state: "ready" | "absent" | "broken";
  readonly detail: string;
  /** How long the answer took; absent if nothing was asked or nothing answered. */
  readonly milliseconds?: number;
}

export interface JudgeCheck {
  readonly judge: string;
  readonly answers: boolean;
  readonly detail: string;
  readonly price: Price | null;
  readonly priceDate: string;
  readonly cost: number | null;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly judge: JudgeCheck | null;
  readonly prices: { readonly date: string; readonly models: Readonly<Record<string, Price>> };
}

export interface DoctorSettings {
  readonly store: string;
  readonly connections: ModelConnections;
  readonly prices?: string;
  /** A judge to ask one short question, which costs very little but not nothing. */
  readonly judge?: string;
  readonly fetch?: typeof fetch;
}

const PATIENCE_MILLISECONDS = 8000;

/** Checks everything a run may need. A model is asked only if one is named. */
export async function diagnose(settings: DoctorSettings, signal: AbortSignal): Promise<Diagnosis> {
  const prices = await loadPrices(settings.prices, settings.connections.judges);
  const [store, ...providers] = await Promise.all([
    storeFinding(settings.store),
    ...providerFindings(settings, signal),
  ]);
  return {
    findings: [juryFinding(), store, ...providers, llamaFinding(settings.connections.llama?.folder)],
    judge: settings.judge === undefined ? null : await tryJudge(settings, settings.judge, prices, signal),
    prices,
  };
}

function juryFinding(): Finding {
  const isWhole = ["crowd", "editor", "grader", "domain"].every((model) => existsSync(assetPath("models", model)));
  return isWhole
    ? { name: "jury", state: "ready", detail: "ships with Fabula; needs no key and no network" }
    : { name: "jury", state: "broken", detail: "its weights are missing: reinstall fabula" };
}

async function storeFinding(location: string): Promise<Finding> {
  const start = systemClock.now().getTime();
  if (!isPostgres(location) && !existsSync(location)) {
    return { name: "store", state: "ready", detail: `${location}: created by the first command that asks a model` };
  }
  try {
    return await withStore(location, async (store) => {
      const damage = await store.check();
      if (damage.length > 0)
        return { name: "store", state: "broken", detail: `${store.location} is not whole: ${damage.join("; ")}` };
      const { kind, version, bytes } = await store.describe();
      const megabytes = (bytes / 1024 / 1024).toFixed(1);
      const detail = `${store.location}: ${countOf(await store.countCalls(), "call")}, ${megabytes} MB, ${kind} ${version}`;
      return { name: "store", state: "ready", detail, milliseconds: systemClock.now().getTime() - start };
    });
  } catch (error) {
    return { name: "store", state: "broken", detail: error instanceof Error ? error.message : String(error) };
  }
}

function providerFindings({ connections, fetch: given }: DoctorSettings, signal: AbortSignal): Promise<Finding>[] {
  const services = () => ({
    fetch: given ?? fetch,
    clock: systemClock,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]),
  });
  const cloud = CLOUD_PROVIDERS.map(async (name): Promise<Finding> => {
    const connection = connections[name] ?? {};
    if (!connection.key) return { name, state: "absent", detail: `no key: set ${CLOUDS[name].keys[0]} to use it` };
    return timed(async () => reachFinding(name, await reachProvider(name, connection, services()), "broken"));
  });
  const ollama = () =>
    timed(async () =>
      reachFinding("ollama", await reachProvider("ollama", connections.ollama ?? {}, services()), "absent"),
    );
  const named = NAMED_PROVIDERS.filter((name) => connections[name] !== undefined).map(
    async (name): Promise<Finding> => {
      const connection = connections[name] ?? {};
      const { needsKey, key, schemas } = providerLine(name);
      if (needsKey && !connection.key) return { name, state: "absent", detail: `no key: set ${key} to use it` };
      const finding = await timed(async () =>
        reachFinding(name, await reachProvider(name, connection, services()), needsKey ? "broken" : "absent"),
      );
      const shape = schemas ? "" : "; the shape of a reply is said in the prompt";
      return finding.state === "ready" ? { ...finding, detail: `${finding.detail}${shape}` } : finding;
    },
  );
  return [...cloud, ...named, ollama(), ...ownServerFindings(connections.compatible ?? {}, services)];
}

/** The servers of `MODEL@ADDRESS` judges that have a key; most need none. */
function ownServerFindings(
  connection: Connection,
  services: () => Parameters<typeof reachProvider>[2],
): Promise<Finding>[] {
  const name = "own server";
  const { key, baseUrl } = connection;
  if (baseUrl !== undefined)
    return [timed(async () => reachFinding(name, await reachProvider("compatible", connection, services()), "broken"))];
  if (key === undefined) return [];
  const detail =
    "FABULA_API_KEY is set, but is sent nowhere: set FABULA_BASE_URL to the address of the server that it is for";
  return [Promise.resolve({ name, state: "broken", detail })];
}

async function timed(ask: () => Promise<Finding>): Promise<Finding> {
  const start = systemClock.now().getTime();
  const finding = await ask();
  return finding.state === "ready" ? { ...finding, milliseconds: systemClock.now().getTime() - start } : finding;
}

function reachFinding(name: string, reach: Reach, otherwise: "absent" | "broken"): Finding {
  if (reach.kind === "unreachable") return { name, state: otherwise, detail: reach.reason };
  const { models } = reach;
  const some = models.slice(0, 3).join(", ");
  return { name, state: "ready", detail: `${countOf(models.length, "model")}${some ? `, such as ${some}` : ""}` };
}

function llamaFinding(folder: string | undefined): Finding {
  return findLlama(folder)
    ? { name: "llama", state: "ready", detail: "node-llama-cpp is installed: llama:PATH.gguf judges work" }
    : { name: "llama", state: "absent", detail: "for llama:PATH.gguf judges: npm install node-llama-cpp@3" };
}

async function tryJudge(
  settings: DoctorSettings,
  judge: string,
  prices: PriceTable,
  signal: AbortSignal,
): Promise<JudgeCheck> {
  const price = priceOf(prices, resolveShortName(judge, settings.connections.judges));
  const known = { judge, price, priceDate: prices.date };
  try {
    const model = await createChatModel(judge, settings);
    const { reply, problem, seconds } = await askShortly(model, signal);
    const cost = price && costOf(price, reply.usage);
    if (problem !== null) return { ...known, answers: false, detail: problem, cost };
    return { ...known, answers: true, detail: `answered in ${seconds} s as ${reply.model}`, cost };
  } catch (error) {
    if (error instanceof FabulaError && error.code === "E_JUDGE_UNKNOWN") throw error;
    return { ...known, answers: false, detail: error instanceof Error ? error.message : String(error), cost: null };
  }
}
