import type { ChatModel, ChatReply, ChatRequest } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";

export type ReplyOrReason =
  | { readonly kind: "replied"; readonly reply: ChatReply }
  | { readonly kind: "failed"; readonly reason: string };

/** A call that got no reply is a gap with its reason, not the end of the run; a run that was stopped is the end. */
export async function replyOrReason(
  model: ChatModel,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ReplyOrReason> {
  try {
    return { kind: "replied", reply: await model.complete(request, signal) };
  } catch (error) {
    if (error instanceof ModelError && error.failure !== "interrupted")
      return { kind: "failed", reason: error.message };
    throw error;
  }
}
