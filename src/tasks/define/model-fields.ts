import { z } from "zod";
import { DEPTHS } from "../../judge/methods/method.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import { type FieldGroup, field } from "./field.ts";
import { defined } from "./shared-fields.ts";
import type { Host, TaskServices } from "./task.ts";

/** Options of tasks that ask a language model. None of them comes from far: they name keys, addresses and money. */

export const ownModel = z.custom<ChatModel>(
  (value) => typeof value === "object" && value !== null && "complete" in value,
);

export const reader = field(
  z.union([z.string(), ownModel]),
  "the language model that reads: openai:MODEL, anthropic:MODEL, ollama:MODEL, local, MODEL@http://host/v1, command:PROGRAM",
  { value: "NAME", type: "string | ChatModel" },
);

/** How a close reading goes about a book. */
export const closeReading = {
  depth: field(
    z.enum(DEPTHS).default("quick"),
    "how closely the story is read: full also reads every chapter alone, at about twice the price",
    { value: "NAME" },
  ),
  context: field(
    z.number().int().min(2000).exactOptional(),
    "how many tokens the model takes at once, where Fabula does not know it or is wrong",
    { value: "TOKENS" },
  ),
  temperature: field(z.number().min(0).max(2).default(0.7), "the model's temperature", { value: "T" }),
};

/** For tasks that work without a model, and find more with one. */
export const optionalReader = field(
  z.union([z.string(), ownModel]).exactOptional(),
  "have this language model read as well, which costs money: openai:MODEL, anthropic:MODEL, MODEL@http://host/v1",
  { value: "NAME", type: "string | ChatModel" },
);

export const WITH_READER: FieldGroup = {
  title: "With a language model",
  refused: {
    unless: ({ judge }: { readonly judge?: unknown }) => judge !== undefined,
    sentence: "{this} goes with {judge}: without a model nothing is sent and nothing is spent.",
  },
};

export const spending = {
  maxCost: field(z.number().min(0).exactOptional(), "hard limit on the cost of the whole run", {
    value: "USD",
  }),
  dryRun: field(z.boolean().default(false), "print the planned calls, tokens and cost; send nothing"),
  refresh: field(z.boolean().default(false), "ask again even when the store has the answer"),
  batch: field(
    z.boolean().default(false),
    "submit calls to the provider's batch API: about half the price, hours instead of seconds",
  ),
  concurrency: field(
    z.number().int().min(1).max(1000).exactOptional(),
    "concurrent calls; adapts to the provider when not given",
    { value: "N" },
  ),
  requestsPerMinute: field(z.number().min(1).exactOptional(), "never send more requests than this", { value: "N" }),
  tokensPerMinute: field(z.number().min(1).exactOptional(), "never send more tokens than this", { value: "N" }),
  store: field(z.string().exactOptional(), "where calls are kept: a file, or postgres://…", {
    value: "STORE",
    help: "where calls are kept: a file, or postgres://… (FABULA_STORE; else a file in the user's data folder)",
  }),
  prices: field(z.string().exactOptional(), "your own price table", {
    value: "FILE",
    help: "your own price table (FABULA_PRICES)",
  }),
  resume: field(z.string().exactOptional(), "resume a run; `fabula runs resume RUN` does it for you", {
    value: "RUN",
  }),
};

type Spending = z.output<z.ZodObject<typeof spending>>;

/** What a task that reads a book closely is given beside the book. */
export type CloseInput = Spending &
  z.output<z.ZodObject<typeof closeReading>> & { readonly judge: z.output<typeof reader> };

/** The settings of a task's run: keys, and where answers are kept unless the input says, come from who runs it. */
export function runSettingsOf(input: Spending, host: Host): RunSettings {
  const { dryRun, refresh, batch, concurrency, requestsPerMinute, tokensPerMinute, resume } = input;
  return {
    store: input.store ?? host.store,
    connections: host.connections,
    dryRun,
    refresh,
    batch,
    ...defined({ command: host.command, folder: host.folder, prices: input.prices ?? host.prices, resume }),
    ...defined({ maximumCost: input.maxCost, concurrency, requestsPerMinute, tokensPerMinute }),
  };
}

/** What the run of a task needs beside its settings. */
export function runServicesOf({ signal, onEvent, byHand }: TaskServices): RunServices {
  return { signal, onEvent, ...(byHand && { byHand }) };
}
