import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { notesOfBook, notesOfItems } from "./line-notes.ts";

const PARAGRAPH =
  "Maria closed the piano and counted the coins twice. Her heart ached with a bittersweet longing that words could never capture. The tram was late, so she walked home along the canal and thought about the rent. Nothing would ever be the same again, and yet, in that moment, everything felt possible.";

describe("line notes", () => {
  it("answer every text under its id, with offsets into it, or say why there are none", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-notes-"));
    const [input, output] = [join(folder, "texts.jsonl"), join(folder, "notes.jsonl")];
    await writeFile(
      input,
      [
        { id: "a", text: PARAGRAPH },
        { id: 2, text: "Too short." },
      ]
        .map((row) => JSON.stringify(row))
        .join("\n"),
    );
    const summary = await notesOfItems({
      input,
      output,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const [noted, short] = (await readFile(output, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown; sentences: { start: number; end: number; change: number }[] });
    expect(summary).toEqual({ items: 2, unscored: 1, unreadableLines: [] });
    expect(noted!.sentences.map(({ start, end }) => PARAGRAPH.slice(start, end))).toHaveLength(4);
    expect(noted!.sentences.map(({ start, end }) => PARAGRAPH.slice(start, end)).join(" ")).toBe(PARAGRAPH);
    expect(short).toMatchObject({ id: 2, sentences: [], unscored: expect.stringContaining("2 words") });
  });

  const RECIPE =
    "Preheat the oven to 180 degrees and butter a deep tin. Sift the flour with the baking powder and a pinch of salt into a large bowl. In another bowl beat the eggs with the sugar until pale. Fold the flour into the eggs with a metal spoon, and add the milk a little at a time. Pour the batter into the tin and bake it for forty minutes, until a skewer comes out clean. Leave the cake to cool in the tin for ten minutes before you turn it out on a rack. For the icing, melt the chocolate over hot water, take it off the heat and stir in the cream. Spread it over the top and the sides of the cake with a knife dipped in hot water.";

  it("are not given on what the editor refuses to score, and carry its caveat on what it knows little of", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-notes-"));
    const [input, output, file] = ["texts.jsonl", "notes.jsonl", "recipe.txt"].map((name) => join(folder, name));
    const older = (await readFile(assetPath("examples", "the-inspector-of-weights.md"), "utf8")).slice(0, 6000);
    const texts = { recipe: RECIPE, older, plain: PARAGRAPH };
    await writeFile(
      input!,
      Object.entries(texts)
        .map(([id, text]) => JSON.stringify({ id, text }))
        .join("\n"),
    );
    await notesOfItems({
      input: input!,
      output: output!,
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const rows = (await readFile(output!, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const reason = "the text does not read as a story or an essay";
    expect(rows[0]).toEqual({ id: "recipe", sentences: [], unscored: reason });
    expect(rows[1]).toMatchObject({
      id: "older",
      caveat: expect.stringContaining("outside what this juror learnt from"),
    });
    expect(Object.keys(rows[2]!)).toEqual(["id", "sentences"]);
    await writeFile(file!, RECIPE);
    expect(await notesOfBook(file!)).toMatchObject({ sentences: 0, notes: [], unscored: reason, caveat: null });
  });

  it("on a book name the chapter and quote the sentence", async () => {
    const { notes, unscored, caveat } = await notesOfBook(assetPath("examples", "the-inspector-of-weights.md"));
    expect(unscored).toBeNull();
    expect(notes.length).toBeGreaterThan(300);
    expect(new Set(notes.map(({ chapter }) => chapter)).size).toBeGreaterThan(1);
    // This text is written like an older novel, a style the editor was not trained on.
    expect(caveat).toContain("outside what this juror learnt from");
    expect(notes.every(({ sentence, change }) => sentence.length > 0 && change > 0 && change < 1)).toBe(true);
  });

  it("on a book never point at half a sentence that an abbreviation cuts in two", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-notes-"));
    const file = join(folder, "book.md");
    const sentence = "Nobody in the long room noticed that Mr. Brandt had come back for his gloves.";
    await writeFile(file, `${PARAGRAPH}\n\n${sentence}\n\n${PARAGRAPH}\n`);
    const { notes } = await notesOfBook(file);
    expect(notes.map((note) => note.sentence)).toContain(sentence);
  });
});
