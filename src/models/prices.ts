import { readFile } from "node:fs/promises";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { FabulaError } from "../core/errors.ts";
import { issueInWords, splitLabel } from "../core/wording.ts";
import type { TokenUsage } from "./chat-model.ts";
import { judgeNameOf, ownJudgeId } from "./judge-name.ts";
import type { OwnJudge } from "./own-judge.ts";
import { isNamedProvider, PROVIDERS } from "./providers.ts";
import { isThisMachine } from "./transport.ts";

const rates = z.strictObject({
  input: z.number().nonnegative(),
  cached: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});

const priceSchema = rates.extend({
  above: rates.extend({ tokens: z.number().int().positive() }).optional(),
  context: z.number().int().positive().optional(),
  reply: z.number().int().positive().optional(),
  thinking: z.number().int().positive().optional(),
  batch: z.number().min(0).max(1).optional(),
});

const priceTableSchema = z.strictObject({
  date: z.iso.date(),
  models: z.record(z.string(), priceSchema),
});

/** US dollars per million tokens. */
export type Price = z.infer<typeof priceSchema>;
export type PriceTable = z.infer<typeof priceTableSchema>;

const FREE: Price = { input: 0, output: 0 };
const MILLION = 1_000_000;

/** Read once, because a worker opens a run for every piece. */
let shippedTable: Promise<PriceTable> | undefined;

/** The shipped price table, overridden by the user's file and by the prices in the settings of their judges. */
export async function loadPrices(
  ownFile?: string,
  judges: Readonly<Record<string, OwnJudge>> = {},
): Promise<PriceTable> {
  shippedTable ??= readTable(assetPath("prices.yaml"));
  const shipped = await shippedTable;
  const own = ownFile === undefined ? { date: shipped.date, models: {} } : await readTable(ownFile);
  const table = { date: own.date, models: { ...shipped.models, ...own.models } };
  const named = Object.entries(judges).flatMap(([short, judge]) => {
    if (judge.price === undefined) return [];
    const {
      input: _input,
      cached: _cached,
      output: _output,
      above: _above,
      ...known
    } = priceOf(table, judge.judge) ?? FREE;
    return [[ownJudgeId(short, judge), { ...known, ...judge.price }] as const];
  });
  return named.length === 0 ? table : { ...table, models: { ...table.models, ...Object.fromEntries(named) } };
}

async function readTable(path: string): Promise<PriceTable> {
  let document: unknown;
  try {
    const { parseYaml } = await import("../core/parse-yaml.ts");
    document = parseYaml(await readFile(path, "utf8"));
  } catch (cause) {
    throw new FabulaError(
      "E_PRICES_UNREADABLE",
      `The price table ${path} cannot be read: check that it is a YAML file.`,
      {
        cause,
      },
    );
  }
  const result = priceTableSchema.safeParse(document);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new FabulaError(
    "E_PRICES_INVALID",
    `The price table ${path} is wrong at ${issue.path.join(".")}: ${issueInWords(issue)}.`,
  );
}

/**
 * The price of a model: its own entry, that of the version it is a dated edition of, zero on this machine, or
 * unknown.
 */
export function priceOf(table: PriceTable, id: string): Price | null {
  const [modelId] = splitLabel(id);
  const exact = table.models[id] ?? table.models[modelId];
  if (exact) return exact;
  const undated = modelId.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
  const edition = table.models[undated];
  if (edition) return edition;
  return runsHere(modelId) ? FREE : null;
}

/** Whether a model runs on the user's own server, where no charge is known. */
export function runsHere(modelId: string): boolean {
  const name = judgeNameOf(modelId);
  // A program's own model, with any name.
  if (name === null) return false;
  if (name.provider === "ollama" || name.provider === "llama" || name.provider === "local") return true;
  if (isNamedProvider(name.provider)) return !PROVIDERS[name.provider].needsKey;
  if (name.provider !== "compatible") return false;
  return isThisMachine(new URL(name.baseUrl).hostname);
}

export function costOf(price: Price, usage: TokenUsage, batched = false): number {
  const tier = price.above && usage.inputTokens > price.above.tokens ? price.above : price;
  const fresh = usage.inputTokens - usage.cachedInputTokens;
  const dollars =
    (fresh * tier.input + usage.cachedInputTokens * (tier.cached ?? tier.input) + usage.outputTokens * tier.output) /
    MILLION;
  return batched ? dollars * (price.batch ?? 1) : dollars;
}
