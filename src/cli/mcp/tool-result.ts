import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

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
