import { z } from "zod";
import { loadPrices } from "../../models/prices.ts";
import { type Asked, askedBody, fromModels } from "../define/asked.ts";
import { runServicesOf, runSettingsOf, seed, spending } from "../define/shared-fields.ts";
import { defineTask, field } from "../define/task.ts";
import { folder as benchFolder, checkRepeats, names, prompts, promptsFrom, whole, writing } from "./fields.ts";
import type { ExtendResult } from "./frozen/extend.ts";

/** Tasks for frozen benchmarks: freeze, extend, submit, publish and verify. */

const folder = benchFolder("FOLDER", "the frozen benchmark's folder");
const today = () => new Date().toISOString().slice(0, 10);
const title = field(z.string().exactOptional(), "the board's title", { value: "TEXT" });

export const benchFreezeTask = defineTask({
  name: "bench freeze",
  summary:
    "Freeze a benchmark in a folder with a version: hashes of the drawn novels and chapters, synopses, populations and settings.",
  input: z.strictObject({
    bench: field(z.string(), "the benchmark's folder, as `bench leaderboard` leaves it in SITE.bench", {
      operand: "BENCH",
    }),
    out: field(z.string(), "the new folder of this version", { value: "FOLDER" }),
    previous: field(
      z.string().exactOptional(),
      "the folder of the previous version, whose novels, synopses and texts are kept",
      { value: "FOLDER" },
    ),
    title,
    originals: field(
      z.boolean().default(false),
      "also include the originals' texts, which new judges must read; only if they may be published",
    ),
    ...writing,
    prompts,
    seed: seed("the random seed for the intervals"),
  }),
  async run({ words, maxTokens, temperature, ...input }) {
    const { freezeBench } = await import("./frozen/freeze.ts");
    return freezeBench({
      ...input,
      previous: input.previous ?? null,
      title: input.title,
      prompts: await promptsFrom(input.prompts),
      writing: { words, maximumTokens: maxTokens, temperature },
      date: today(),
    });
  },
  output: { kind: "frozen-benchmark", body: (result) => result },
});

export const benchExtendTask = defineTask({
  name: "bench extend",
  summary:
    "Add writers and judges to a frozen benchmark and fill its gaps. Nothing that is already in its files is asked for again.",
  input: z.strictObject({
    folder,
    writer: names("models that write"),
    writers: field(z.string().exactOptional(), "one model per line, with cutoff=2024 where it is known", {
      value: "FILE",
    }),
    judge: names("more judges, who also score the existing texts"),
    originals: field(
      z.string().exactOptional(),
      "the prepared folder with the originals' texts, which a new judge must read",
      { value: "FOLDER" },
    ),
    checkTexts: whole(10, "texts that a new judge scores repeatedly", 0),
    checkRepeats: checkRepeats(),
    anchors: whole(5, "texts that every judge asked in this run scores again, to see whether it has changed", 0),
    prompts,
    ...spending,
  }),
  async run(input, services): Promise<Asked<ExtendResult>> {
    const { extendFrozen } = await import("./frozen/extend.ts");
    const { readWriterList } = await import("./leaderboard/writer-list.ts");
    const { inRun } = await import("../../runner/open-run.ts");
    const listed = input.writers === undefined ? [] : await readWriterList(input.writers);
    const outcome = await inRun(runSettingsOf(input, services.host), runServicesOf(services), async (run) =>
      extendFrozen(run, {
        folder: input.folder,
        writers: [...listed, ...(input.writer ?? []).map((model) => ({ model, cutOff: null }))],
        judges: input.judge ?? [],
        originals: input.originals ?? null,
        check: { texts: input.checkTexts, repeats: input.checkRepeats },
        anchors: input.anchors,
        prompts: await promptsFrom(input.prompts),
        date: today(),
        onProgress: services.onProgress,
        signal: services.signal,
      }),
    );
    return fromModels(outcome);
  },
  output: { kind: "extended-benchmark", body: askedBody },
});

export const benchSubmitTask = defineTask({
  name: "bench submit",
  summary:
    "Check a submission against a frozen benchmark, and accept it if nothing is wrong. It has a line per chapter with novel, chapter and the text written from synopses.jsonl.",
  input: z.strictObject({
    folder,
    submission: field(z.string(), 'the submission, a chapter per line: {"novel","chapter","text"}', {
      operand: "SUBMISSION.jsonl",
    }),
    writer: field(z.string(), "what the writer is called on the board", { value: "NAME" }),
    model: field(z.string().exactOptional(), "the model that wrote, for its price and family [the writer's name]", {
      value: "MODEL",
    }),
    name: field(z.string().exactOptional(), "the writer's display name", { value: "TEXT" }),
    maker: field(z.string().exactOptional(), "who made the model", { value: "TEXT" }),
    released: field(z.string().exactOptional(), "when it was released", { value: "DATE" }),
    cutoff: field(z.number().int().exactOptional(), "the last year its training data may hold", { value: "YEAR" }),
    partial: field(z.boolean().default(false), "accept a submission with missing chapters"),
    check: field(z.boolean().default(false), "only check it"),
  }),
  async run({ folder: frozen, submission, writer, model, name, maker, released, cutoff, partial, check }) {
    const { submitToFrozen } = await import("./frozen/submit.ts");
    return submitToFrozen({
      folder: frozen,
      file: submission,
      card: {
        writer,
        model: model ?? writer,
        ...(name !== undefined && { name }),
        ...(maker !== undefined && { maker }),
        ...(released !== undefined && { date: released }),
        cutOff: cutoff ?? null,
      },
      partial,
      checkOnly: check,
    });
  },
  output: { kind: "submission", body: (result) => result },
});

export const benchSiteTask = defineTask({
  name: "bench site",
  summary: "Write the site of a frozen benchmark, with all data behind its numbers. No model is asked.",
  input: z.strictObject({
    folder,
    out: field(z.string(), "where the site is written", { value: "FOLDER" }),
    title,
    date: field(
      z
        .string()
        .regex(/^\d{4}-\d\d-\d\d$/)
        .exactOptional(),
      "the site's date [today]",
      { value: "DATE" },
    ),
    prices: spending.prices,
  }),
  async run({ folder: frozen, out, title: named, date, prices }, { host, signal, onProgress }) {
    const { writeFrozenSite } = await import("./frozen/board.ts");
    return writeFrozenSite({
      folder: frozen,
      out: out.replace(/\/+$/, ""),
      title: named,
      date: date ?? today(),
      prices: await loadPrices(prices ?? host.prices, host.connections.judges),
      onProgress,
      signal,
    });
  },
  output: {
    kind: "leaderboard-site",
    body: ({ site, folder: frozen, version, data, incomplete }) => ({
      ...{ site, folder: frozen, version, incomplete },
      writers: data.benchmark.board.rows,
      unplaced: data.benchmark.board.unplaced,
    }),
  },
});

export const benchVerifyTask = defineTask({
  name: "bench verify",
  summary: "Rebuild a published site from the data it publishes, and compare every file.",
  input: z.strictObject({ site: field(z.string(), "the site's folder", { operand: "SITE" }) }),
  async run({ site }, { signal, onProgress }) {
    const { verifySite } = await import("./frozen/board.ts");
    return verifySite(site, { signal, onProgress });
  },
  output: { kind: "site-verification", body: (result) => result },
});
