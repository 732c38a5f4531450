import { describe, expect, it } from "vitest";
import { readOutline } from "./read-outline.ts";

describe("an outline", () => {
  it("is read from front matter and headings", () => {
    const { book, labelled } = readOutline(
      [
        "---",
        "title: The Salt Road",
        "genres: [Fantasy, Mystery]",
        "words: 90k",
        "---",
        "# The Salt Road",
        "## Premise",
        "A courier carries a letter nobody may read.",
        "## Plot",
        "She opens it.",
        "### Act two",
        "She wishes she had not.",
        "## Characters",
        "- **Ines**: the courier.",
      ].join("\n"),
      "outline.md",
    );
    expect(labelled).toBe(true);
    expect(book).toMatchObject({
      title: "The Salt Road",
      genres: ["Fantasy", "Mystery"],
      words: 90_000,
      premise: "A courier carries a letter nobody may read.",
      characters: "- **Ines**: the courier.",
    });
    expect(book.plot_summary).toContain("She opens it.");
    expect(book.plot_summary).toContain("She wishes she had not.");
  });

  it("is read from labelled lines", () => {
    const { book } = readOutline(
      "Title: Low Tide\nGenres: Horror; Novella\nWord count: about 31,500 words\n\nSynopsis: Something waits.\nIt is patient.",
      "pitch.txt",
    );
    expect(book).toMatchObject({ title: "Low Tide", genres: ["Horror", "Novella"], words: 31_500 });
    expect(book.plot_summary).toBe("Something waits.\nIt is patient.");
  });

  it("without labels is a plot summary, with a first heading for its title", () => {
    const { book, labelled } = readOutline("# Low Tide\nSomething waits.\nHe said: run.", "notes.md");
    expect(labelled).toBe(false);
    expect(book).toMatchObject({ title: "Low Tide", plot_summary: "Something waits.\nHe said: run." });
  });

  it("with broken front matter is one clear sentence", () => {
    expect(() => readOutline("---\ntitle: [\n---\n", "bad.md")).toThrow(/front matter of bad.md is not YAML/);
  });
});
