import { z } from "zod";
import type { PromptMessage } from "../../prompts/render-prompt.ts";

/** A conversation to tune on: a prompt as Fabula sends it, and the answer the reader's own review gives. */
export interface Conversation {
  readonly reviewer: string;
  readonly k: number;
  /** Ids of the stories in it; not written out, since an id can name a book. */
  readonly books: readonly string[];
  readonly messages: readonly (PromptMessage | { readonly role: "assistant"; readonly content: string })[];
}

const text = z.string().trim().min(1);
const assistant = z.object({ role: z.literal("assistant"), content: text });

/** What trainers read: at most one system message, then the user, then the assistant, none of them empty. */
export const conversationSchema = z.object({
  messages: z.union([
    z.tuple([
      z.object({ role: z.literal("system"), content: text }),
      z.object({ role: z.literal("user"), content: text }),
      assistant,
    ]),
    z.tuple([z.object({ role: z.literal("user"), content: text }), assistant]),
  ]),
});

/** A conversation as it is written: checked, and without the ids of its stories. */
export function trainingRow({ books: _, ...row }: Conversation) {
  conversationSchema.parse(row);
  return row;
}

/** LLaMA-Factory's description of the files, so that they can be trained on as they are. */
export function datasetInfo(files: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      {
        file_name: file,
        formatting: "sharegpt",
        columns: { messages: "messages" },
        tags: {
          role_tag: "role",
          content_tag: "content",
          user_tag: "user",
          assistant_tag: "assistant",
          system_tag: "system",
        },
      },
    ]),
  );
}
