import { createChatModel } from "../../src/models/create-chat-model.ts";
import type { PromptLanguage } from "../../src/prompts/load-prompt.ts";
import { createSimulatedServer, type ReplyHandler } from "../../src/testing/index.ts";
import { sessionsIn } from "./sessions.ts";

export const MODEL = "simulated-small";

/** Does everything that asks a model, one thing after the other, against a simulated server that answers as told. */
export async function playSessions(language: PromptLanguage, reply: ReplyHandler): Promise<void> {
  const server = await createSimulatedServer({ reply });
  try {
    const model = await createChatModel(`openai:${MODEL}`, { connections: server.connections });
    const { signal } = new AbortController();
    for (const session of await sessionsIn(language)) {
      try {
        await session.run(model, signal);
      } catch (cause) {
        throw new Error(`${language}, ${session.name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
      }
    }
  } finally {
    await server.close();
  }
}
