import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { type CorpusBook, prepareCorpus } from "./prepare.ts";

const random = seededRandom(4);
const story = () => Array.from({ length: 600 }, () => Math.floor(random() * 1e6).toString(36)).join(" ");
const book = (id: string, author: string | null, chapters = 12, words = 600): CorpusBook => ({
  id,
  author,
  chapters,
  words,
});

describe("a corpus", () => {
  it("excludes copies, short books and authors with few works, each with a reason", () => {
    const original = story();
    const texts = [original, `${original.slice(0, 3000)} ${story().slice(0, 60)}`, story(), story(), story(), story()];
    const books = [
      book("long", "Ann", 12, 700),
      book("copy", "Ann", 12, 600),
      book("second", "Ann"),
      book("short", "Ann", 3),
      book("lonely", "Bob"),
      book("unsigned", null),
    ];
    const { kept, excluded, duplicates } = prepareCorpus(books, (index) => texts[index]!, {
      minimumWorks: 2,
      similarity: 0.8,
    });
    expect(kept.map(({ id }) => id)).toEqual(["long", "second"]);
    expect(excluded.map(({ id, rule }) => [id, rule])).toEqual([
      ["copy", "near-duplicate"],
      ["short", "too few chapters"],
      ["lonely", "author with few works"],
      ["unsigned", "author with few works"],
    ]);
    expect(excluded[0]?.reason).toMatch(/^nearly the same text as long \(\d+\.\d % the same\), which is kept$/);
    expect(excluded[1]?.reason).toBe("3 chapters were found, 10 are required");
    expect(duplicates).toHaveLength(1);
  });

  it("keeps the longest of a chain of copies", () => {
    const text = story();
    const books = [book("a", null, 12, 100), book("b", null, 12, 300), book("c", null, 12, 200)];
    const { kept, excluded } = prepareCorpus(books, () => text);
    expect(kept.map(({ id }) => id)).toEqual(["b"]);
    expect(excluded.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  it("keeps everything when nothing is wrong", () => {
    const texts = [story(), story()];
    expect(prepareCorpus([book("a", "X"), book("b", null)], (index) => texts[index]!).excluded).toEqual([]);
  });
});
