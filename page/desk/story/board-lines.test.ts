import { expect, it } from "vitest";
import { knownAbout } from "../../../src/story/author-says.ts";
import { readBookFromBytes } from "../../../src/text/read-book.ts";
import { saidOf, withSaid } from "./board-lines.ts";

it("keeps what is said of a scene apart from what is said of its chapter, and the next reading is told both", async () => {
  const scene = { number: 2, opening: "The belfry was dark and nobody had rung for a week." };
  const facts = withSaid(
    withSaid(["Hadley is a woman."], { chapter: 1 }, { place: "the town" }),
    { chapter: 1, scene },
    {
      place: "the belfry",
      tension: "4",
    },
  );
  expect(saidOf(facts, { chapter: 1 })).toEqual({ place: "the town" });
  expect(saidOf(facts, { chapter: 1, scene })).toEqual({ place: "the belfry", tension: "4" });
  expect(withSaid(facts, { chapter: 1, scene }, {})).toEqual(["Hadley is a woman.", "Chapter 1, place: the town"]);
  const book = await readBookFromBytes(new TextEncoder().encode("# A\n\nShe waited."), "a.md");
  expect(knownAbout({ ...book, storyCorrections: { intended: [], facts } }, "en")).toContain(
    "The author says: Chapter 1, scene 2 (“The belfry was dark and nobody…”), place: the belfry",
  );
});
