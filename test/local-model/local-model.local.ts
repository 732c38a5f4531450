import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { verdictSchema } from "../../src/core/verdict.ts";
import { askForJson } from "../../src/models/ask-for-json.ts";
import type { ChatModel, ChatRequest } from "../../src/models/chat-model.ts";
import { createChatModel, type ModelConnections } from "../../src/models/create-chat-model.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { judgeBooks } from "../../src/workflows/books/judge-books.ts";

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
const request = (content: string): Omit<ChatRequest, "schema" | "unusable"> => ({
  purpose: "judge",
  sample: 0,
  temperature: 0,
  maximumTokens: 80,
  messages: [
    { role: "system", content: "You are a strict critic." },
    { role: "user", content },
  ],
});
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
    const shape = { name: "verdict", schema: verdict };
    const direct = await askForJson(model, request(question), shape, signal);
    expect(direct.reply.usage.inputTokens).toBeGreaterThan(50);
    expect(direct.reply.usage.outputTokens).toBeGreaterThan(0);
    expect(direct.reply.text.trimStart()).toMatch(/^\{/);
    if (direct.reading.kind === "read") expect(Object.keys(direct.reading.value).sort()).toEqual(["review", "score"]);
    else expect(["truncated", "wrong-shape"]).toContain(direct.reading.why);

    const behind = await createChatModel(server.judge("tinyllama"), { connections: server.connections });
    const served = await askForJson(behind, request(question), shape, signal);
    expect(served.reading).toEqual(direct.reading);
    expect({ text: served.reply.text, stop: served.reply.stop }).toEqual({
      text: direct.reply.text,
      stop: direct.reply.stop,
    });
  });

  it("refuses a prompt that does not fit, instead of reading only its end", async () => {
    const long = request("word ".repeat(4000));
    await expect(model.complete(long, signal)).rejects.toMatchObject({ failure: "too-long" });
  });

  it("evaluates a short story: its sloppy replies come out as verdicts on the scale or as unscored with a reason", async () => {
    const story = join(folder, "the-lamp.txt");
    await writeFile(story, STORY);
    const { result, run } = await judgeBooks(
      { kind: "books", files: [story] },
      {
        judges: [`llama:${file}`],
        method: "one-pass",
        runs: 1,
        aspects: ["plot"],
        definitions: false,
        settings: { store: join(folder, "store.db"), command: ["evaluate"], folder, connections },
        services: { signal },
      },
    );
    const [evaluation] = result;
    expect(evaluation!.aspects.map(({ id }) => id)).toContain("plot");
    for (const { verdict: given } of evaluation!.aspects) {
      verdictSchema.parse(given);
      if (given.kind === "unscored") expect(given.reason.length).toBeGreaterThan(10);
      else expect(given.score >= evaluation!.scale.minimum && given.score <= evaluation!.scale.maximum).toBe(true);
    }
    expect(run.status).toBe("done");
    expect(run.summary.calls).toBeGreaterThanOrEqual(1);
  });
});
