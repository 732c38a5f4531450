import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { ProgressListener } from "../../core/progress.ts";

/** What a tool answers: words for the assistant, and the same as data. */
export async function answer(operation: () => Promise<{ text: string; data: object }>): Promise<CallToolResult> {
  try {
    const { text, data } = await operation();
    return { content: [{ type: "text", text }], structuredContent: { ...data } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { content: [{ type: "text", text: message }], isError: true };
  }
}

/** Tells the assistant how far the work has got, if it asked to be told. */
export function progressTo(
  extra: Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, "_meta" | "sendNotification">,
): ProgressListener {
  const progressToken = extra._meta?.progressToken;
  return ({ stage, done, total }) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: done, message: stage, ...(total !== null && { total }) };
    void extra.sendNotification({ method: "notifications/progress", params });
  };
}
