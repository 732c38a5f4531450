import { z } from "zod";
import { books, reading } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const readTask = defineTask({
  name: "read",
  summary: "Read books and show what Fabula sees: chapters, words, tokens, language, and what was cleaned away.",
  // What the library gives for a book is its text, where the command lists what is in it.
  library: { function: "readBook", options: "ReadBookOptions", first: "books" },
  input: z.strictObject({
    books,
    ...reading("title", "author", "language", "genres", "premise", "format"),
  }),
  rules: [
    {
      fields: ["metadata.title"],
      when: ({ input }) => input.books.length > 1,
      sentence: "{this} names one book: give one.",
    },
  ],
  async run({ books: given, ...options }, { signal, onProgress, host: { stdin } }) {
    const { readBooks } = await import("./read-books.ts");
    return readBooks(given, { ...options, ...(stdin && { stdin }), onProgress, signal });
  },
  output: {
    kind: "books",
    body: ({ books, failed }) => ({ books, ...(failed.length > 0 && { failed }) }),
  },
});
