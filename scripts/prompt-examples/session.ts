import type { Answer } from "../../src/judge/ask.ts";
import type { ChatModel } from "../../src/models/chat-model.ts";

/** A piece of the tool's own work that asks a model; it fails when a reply cannot be read by what asked for it. */
export interface Session {
  readonly name: string;
  run(model: ChatModel, signal: AbortSignal): Promise<void>;
}

export function wasRead(answer: Answer<unknown>): void {
  if (answer.kind === "unread") throw new Error(answer.reason);
}
