import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { notesLines } from "../terminal-report.ts";

describe("a quotation at the terminal", () => {
  it("shows the words that are meant, however late they come in the sentence", () => {
    const passage = {
      chapter: 2,
      start: 0,
      end: 300,
      before: `To her son these words conveyed an extraordinary joy, ${"as if it were settled, ".repeat(8)}and he `,
      marked: "noticed",
      after: " nothing of the wonder to which he had looked forward, for years and years it had been.",
      where: "chapter 2",
      note: null,
    };
    const notes = { heading: "", intro: "", notes: [passage] };
    const text = notesLines(notes, createColors(false), 100).join(" ");
    expect(text).toContain("noticed");
    expect(text).not.toContain("extraordinary joy");
    expect(text.replace(/\s+/g, " ").length).toBeLessThan(230);
  });
});
