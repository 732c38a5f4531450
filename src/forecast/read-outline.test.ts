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

  it("takes what follows a title or a list of genres for the plot, and a title alone for no label", () => {
    const { book, labelled } = readOutline("Title: Low Tide\n\nSomething waits.\nIt is patient.", "pitch.txt");
    expect(labelled).toBe(false);
    expect(book).toMatchObject({ title: "Low Tide", plot_summary: "Something waits.\nIt is patient." });
    const lists = "## Title\n\nLow Tide\n\n## Genres\n- Horror\n- Novella\n\nSomething waits.";
    expect(readOutline(lists, "pitch.md").book).toEqual({
      ...{ title: "Low Tide", genres: ["Horror", "Novella"], plot_summary: "Something waits." },
    });
    expect(readOutline("Genres: Horror,\nNovella\nWords: 9k\nSomething waits.", "pitch.txt").book).toEqual({
      ...{ genres: ["Horror", "Novella"], words: 9000, plot_summary: "Something waits." },
    });
  });

  it("keeps the items of a list that blank lines part, with bullets and without", () => {
    const read = (lines: string) => readOutline(lines.replaceAll("/", "\n"), "pitch.md").book;
    const said = { genres: ["Horror", "Novella"], plot_summary: "Something waits." };
    expect(read("## Genres//- Horror//- Novella//## Plot//Something waits.")).toEqual(said);
    expect(read("## Genres//+ Horror///+ Novella//Something waits.")).toEqual(said);
    expect(read("Genres://Horror//Novella//Plot: Something waits.")).toEqual(said);
    // What is no item is the plot: a sentence, what follows a list in one line, and what stands under a heading.
    expect(read("Genres://Horror//Novella//Something waits.")).toEqual(said);
    expect(read("## Genres//Horror, Novella//Night falls//Something waits.")).toMatchObject({
      ...{ genres: said.genres, plot_summary: "Night falls\n\nSomething waits." },
    });
    expect(read("## Genres//- Horror//- Novella//* Ines finds a letter.")).toMatchObject({
      ...{ genres: said.genres, plot_summary: "* Ines finds a letter." },
    });
    expect(read("## Genres/- Horror/- Novella/## Act one/Something waits.")).toEqual({
      ...{ genres: said.genres, plot_summary: "Act one\nSomething waits." },
    });
  });

  it("says how many readers are expected to rate it, and what its author's earlier books were given", () => {
    const earlier = [
      { title: "High Water", average_rating: 4.12 },
      { title: "1984: a sequel", average_rating: 3.9 },
    ];
    const lines =
      "Genres: Horror\nExpected ratings: 12,000\nEarlier books:\n- High Water: 4.12\n1984: a sequel (3.9)\nNo rating";
    expect(readOutline(lines, "pitch.txt").book).toMatchObject({ expected_ratings: 12_000, earlier_books: earlier });
    const matter =
      '---\nratings: 12k\nearlier_books:\n  - High Water: 4.12\n  - { title: "1984: a sequel", average_rating: 3.9 }\n---\n';
    expect(readOutline(matter, "pitch.md").book).toMatchObject({ expected_ratings: 12_000, earlier_books: earlier });
    // Whom a book is for is no number of ratings.
    expect(readOutline("Audience: ages 12 and up\nGenres: Horror", "pitch.txt").book.expected_ratings).toBeUndefined();
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
