import { describe, expect, it } from "vitest";
import type { Chapter } from "./book.ts";
import { looksLikeNonFiction, looksLikePlay, summaryIsOfAnotherBook } from "./document-filters.ts";
import { countWords } from "./words.ts";

const bookOf = (paragraphs: readonly string[], title = "I") => {
  const text = paragraphs.join("\n\n");
  const words = countWords(text);
  const chapter: Chapter = { index: 1, title, text, words };
  return { chapters: [chapter], words, language: "en" };
};

const NOVEL = Array.from({ length: 30 }, (_, index) =>
  index % 2 === 0
    ? `“You cannot mean that,” she said, and laughed at him until he asked her to stop.`
    : `Marian Hale crossed the yard to Thornley with the letter in her hand, and he followed her to the gate of Ashdown, where Oliver waited.`,
);
const PLAY = Array.from({ length: 30 }, (_, index) =>
  index % 5 === 4 ? "[Exit MARIAN.]" : index % 2 === 0 ? "MARIAN. You cannot mean that." : "OLIVER. I do.",
);
const TREATISE = Array.from(
  { length: 30 },
  (_, index) =>
    `The yield of the northern pits rose between 1840 and 1850 by a third [${index + 1}], as the tables of the commission show (Harding, 1851), and the price of coal fell (see pp. 40 and 41).`,
);

describe("document filters", () => {
  it("recognise a play by its speakers and stage directions, and show them", () => {
    const finding = looksLikePlay(bookOf(PLAY, "ACT I"));
    expect(finding.answer).toBe("yes");
    expect(finding.signals[0]?.examples[0]).toBe("MARIAN. You cannot mean that.");
    expect(looksLikePlay(bookOf(NOVEL)).answer).toBe("no");
    expect(looksLikePlay(bookOf([...NOVEL, ...PLAY.slice(0, 6)])).answer).toBe("unsure");
  });

  it.each([
    ["Algernon. Did you hear what I was playing, Lane?", "Lane. I didn't think it polite to listen, sir."],
    ["_Algernon_. Did you hear what I was playing, Lane?", "_Lane_. I didn't think it polite to listen, sir."],
    ["Lady Bracknell (rising). Good afternoon, dear Algernon.", "Algernon (to Lane). The bread and butter."],
    ["_Miss Prism_. [_Calling_.] Cecily, Cecily!", "Cecily. But I don't like German."],
  ])("know the speaker in “%s”", (first, second) => {
    const speeches = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? first : second));
    expect(looksLikePlay(bookOf(speeches)).answer).toBe("yes");
  });

  it("recognise non-fiction by what it lacks and what it cites", () => {
    expect(looksLikeNonFiction(bookOf(TREATISE)).answer).toBe("yes");
    expect(looksLikeNonFiction(bookOf(NOVEL)).answer).toBe("no");
    expect(looksLikeNonFiction({ ...bookOf(NOVEL), language: "zh" }).answer).toBe("unsure");
  });

  it("recognise a summary of another book by its names", () => {
    const own = "In the end Marian and the young Oliver leave Thornley, and the old house at Ashdown is sold.";
    const other = "In the end Pip and the convict Magwitch meet Estella, and Joe goes home to Biddy with Herbert.";
    expect(summaryIsOfAnotherBook(bookOf(NOVEL), own).answer).toBe("no");
    const finding = summaryIsOfAnotherBook(bookOf(NOVEL), other);
    expect(finding.answer).toBe("yes");
    expect(finding.signals[1]?.examples).toContain("Magwitch");
    expect(summaryIsOfAnotherBook(bookOf(NOVEL), "They all leave.").answer).toBe("unsure");
  });
});
