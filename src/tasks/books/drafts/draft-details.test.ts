import { describe, expect, it } from "vitest";
import { assetPath } from "../../../core/assets.ts";
import { readBook } from "../../../text/read-book.ts";
import { draftDetails } from "./draft-details.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");
const CHINESE = assetPath("examples", "the-lamp-at-mist-harbour.zh.md");

describe("two drafts compared", () => {
  it("use the corrections of the characters", async () => {
    const book = await readBook(STORY);
    const names = ["Hester", "Mrs Ruane", "Mr Brandt", "Anders Coll", "Vane", "Effie Coll"];
    const corrected = { ...book, characterCorrections: { merge: [], split: [], rename: [], drop: names } };
    const { figures } = await draftDetails(book, corrected);
    const { before, after } = figures!.find(({ id }) => id === "speakers-in-chapter")!;
    expect(before).toBeGreaterThan(3);
    expect(after).toBeLessThan(before! / 2);
  });

  it("in Chinese are not compared with English novels", async () => {
    const book = await readBook(CHINESE);
    const { figures } = await draftDetails(book, book);
    expect(figures!.every(({ reference }) => reference === null)).toBe(true);
  });

  it("count whole sentences, as the letter does", async () => {
    const book = await readBook(STORY);
    const [first, ...others] = book.chapters;
    const added =
      "Mr. and Mrs. Ruane came down with Dr. Brandt to the long tarred shed, and none of them said a word about it.";
    const next = { ...book, chapters: [{ ...first!, text: `${first!.text}\n\n${added}` }, ...others] };
    const { lineNotes } = await draftDetails(book, next);
    expect(lineNotes).toMatchObject({ before: { sentences: 0 }, after: { sentences: 1 } });
  });
});
