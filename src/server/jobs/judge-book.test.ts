import { describe, expect, it } from "vitest";
import { readyJury } from "./judge-book.ts";

describe("preparing for a book", () => {
  it("ends when a book comes", async () => {
    const book = new AbortController();
    const preparing = readyJury(book.signal);
    book.abort(new Error("a book has come"));
    await expect(preparing).rejects.toThrow("a book has come");
  });
});
