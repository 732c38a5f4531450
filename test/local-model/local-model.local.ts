import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { verdictSchema } from "../../src/core/verdict.ts";
import { asJson, ask } from "../../src/models/ask.ts";
import type { ChatModel, ChatRequest } from "../../src/models/chat-model.ts";
import type { ModelConnections } from "../../src/models/connection.ts";
import { createChatModel } from "../../src/models/create-chat-model.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { SILENT_ADDRESS } from "../support/loopback-server.ts";
import { writeSmallModel } from "./small-model.ts";

const file = process.env.FABULA_LOCAL_MODEL ?? "";
const connections: ModelConnections = { llama: { folder: process.env.FABULA_LLAMA ?? "", maximumThreads: 2 } };
const signal = new AbortController().signal;
const verdict = z.object({ review: z.string().max(160), score: z.number().int().min(0).max(100) });

/** Short enough for a model that takes 2,048 tokens, prompt and rubric included. */
const STORY = `The Lamp

Every night for eleven years Anna lit the lamp on the quay, and every night the ferry that had drowned her brother did not come.
On the first night of the twelfth year it came. The captain stood at the rail, young as he had been, and held out his hand. Anna
looked at the lamp, then at the hand. "You are late," she said, and blew out the light, and went home to her supper.
`;
const OUTLINE = `# The Lamp

Every night Anna lights the lamp on the quay for the ferry that drowned her brother. In the twelfth year the ferry comes.
`;
const request = (content: string): ChatRequest => ({
  purpose: "judge",
  sample: 0,
  temperature: 0,
  maximumTokens: 80,
  messages: [
    { role: "system", content: "You are a strict critic." },
    { role: "user", content },
  ],
});
const BUNDLED = resolve("assets/examples/the-inspector-of-weights.md");
const SUMMARY = ["--method", "summary", "--aspects", "plot", "--runs", "1"];
const question = `${STORY}\nJudge the plot of this story: a review of one sentence, and a score from 0 to 100.`;

let model: ChatModel;
let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-local-model-"));
  model = await createChatModel(`llama:${file}`, { connections });
  // The same model behind an OpenAI-compatible address: the server speaks the format, the model gives the answers.
  server = await createSimulatedServer({
    reply: async ({ messages, schema, temperature, maximumTokens }) => {
      const { text, stop } = await model.complete(
        {
          purpose: "judge",
          sample: 0,
          messages,
          ...(temperature === null ? {} : { temperature }),
          ...(maximumTokens === null ? {} : { maximumTokens }),
          ...(schema ? { schema: { name: "asked", schema } } : {}),
        },
        signal,
      );
      return { text, stop };
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a small real model on this machine", () => {
  it("is held to the schema by a grammar, and answers alike behind an OpenAI-compatible endpoint", async () => {
    const asked = { ...request(question), ...asJson("verdict", verdict), askAgain: false };
    const direct = await ask(model, asked, signal);
    const [reply] = direct.attempts;
    expect(reply!.usage.inputTokens).toBeGreaterThan(50);
    expect(reply!.usage.outputTokens).toBeGreaterThan(0);
    expect(reply!.text.trimStart()).toMatch(/^\{/);
    if (direct.kind === "answered") expect(Object.keys(direct.value).sort()).toEqual(["review", "score"]);
    else expect(direct.reason).toMatch(/cut off|another shape/);

    const behind = await createChatModel(server.judge("tinyllama"), { connections: server.connections });
    const served = await ask(behind, asked, signal);
    expect(served.kind).toBe(direct.kind);
    const { text, stop } = reply!;
    expect(served.attempts).toMatchObject([{ text, stop }]);
  });

  it("refuses a prompt that does not fit, instead of reading only its end", async () => {
    const long = request("word ".repeat(4000));
    await expect(model.complete(long, signal)).rejects.toMatchObject({ failure: "too-long" });
  });

  it("is found as the local judge by the built command, with its context, and plans and judges in pieces that fit it", async () => {
    const own = join(folder, "tinyllama");
    await mkdir(own);
    await symlink(file, join(own, basename(file)));
    const closely = local(own, "evaluate", BUNDLED);
    expect(closely.stderr).toMatch(/The local judge is llama:.*node-llama-cpp, context of 2,048 tokens/);
    expect(closely.stderr).toMatch(/^fabula: .* takes 2,048 tokens at a time, too few for a close reading: /m);
    expect(closely.status).toBe(1);

    const plan = local(own, "evaluate", BUNDLED, ...SUMMARY, "--dry-run");
    expect(plan.stdout).toMatch(/would make \d+ calls/);
    expect(plan.stdout + plan.stderr).not.toContain("does not fit");

    // A prompt goes in at a few tokens a second without a graphics card: one question about a short plan can be waited for.
    const outline = join(own, "outline.md");
    await writeFile(outline, OUTLINE);
    const judged = local(own, "evaluate", outline, "--outline", "--aspects", "plot", "--runs", "1", "--json");
    const [evaluation] = JSON.parse(judged.stdout).evaluations;
    expect(evaluation.calls).toBeGreaterThanOrEqual(1);
    expect(evaluation.aspects.map(({ id }: { id: string }) => id)).toContain("plot");
    // Sloppy replies come out as verdicts on the scale, or as unscored with a reason.
    for (const { verdict: given } of evaluation.aspects) {
      verdictSchema.parse(given);
      if (given.kind === "unscored") expect(given.reason.length).toBeGreaterThan(10);
      else expect(given.score >= evaluation.scale.minimum && given.score <= evaluation.scale.maximum).toBe(true);
    }
    const verdict = verdictSchema.parse(evaluation.overall);
    expect(judged.status).toBe(verdict.kind === "scored" ? 0 : 3);
  });
});

describe("llama.cpp with a model that is as fast as it is foolish", () => {
  it("reads the whole bundled story as the local judge of the built command, to the letter, and is not asked twice", async () => {
    const own = join(folder, "small");
    await mkdir(own);
    await writeSmallModel(file, join(own, "small.gguf"));
    const words = ["evaluate", BUNDLED, ...SUMMARY, "--json"];
    const first = local(own, ...words);
    expect(first.stderr).toMatch(/The local judge is llama:.*small\.gguf \(node-llama-cpp, context of 16,384 tokens\)/);
    expect(first.stderr).toMatch(/Run \S+: \d+ calls \(0 from the store, 0 failed\)/);
    const evaluation = JSON.parse(first.stdout);
    expect(evaluation.coverage).toMatchObject({ share: 1, throughSummaries: evaluation.coverage.words });
    expect(evaluation.letter.written.well).toBeTruthy();
    const verdict = verdictSchema.parse(evaluation.aspects[0].verdict);
    expect(first.status).toBe(verdict.kind === "scored" ? 0 : 3);

    const second = local(own, ...words);
    expect(second.stderr).toMatch(new RegExp(`${evaluation.calls} from the store, 0 failed`));
    expect(JSON.parse(second.stdout).aspects[0].verdict).toEqual(verdict);
  });
});

/** The built command where nothing but a model file in its folder can judge. */
function local(own: string, ...words: string[]) {
  const environment = { XDG_CONFIG_HOME: own, FABULA_STORE: join(own, "calls.db"), OLLAMA_HOST: SILENT_ADDRESS };
  return spawnSync(process.execPath, [resolve("dist/cli/main.js"), ...words, "--judge", "local"], {
    ...{ cwd: own, encoding: "utf8", maxBuffer: 1e8 },
    env: { ...process.env, ...environment },
  });
}
