import { expect, it } from "vitest";
import { placeIn, textBefore } from "./passage-pane.tsx";

const TEXT = "It rained. (Really?)\n\nIt stopped.";

it("marks a passage where its words stand, also after chapters were joined or split", () => {
  const quote = "(Really?) It";
  const stands = { start: TEXT.indexOf("(Really"), end: TEXT.indexOf(" stopped") };
  expect(placeIn(TEXT, { chapter: 1, ...stands, quote })).toEqual(stands);
  expect(placeIn(TEXT, { chapter: 1, start: 0, end: 12, quote })).toEqual(stands);
  expect(placeIn(TEXT, { chapter: 1, ...stands, quote: "It snowed." })).toBeNull();
  expect(placeIn(TEXT, { chapter: 1, start: 0, end: 2, quote: "" })).toBeNull();
});

it("begins what stands before a passage with a paragraph, and not far from it where two passages are to be in sight", () => {
  const chapter = `${"The rain came down on the harbour.\n\n".repeat(20)}Forty-three names stood on the wall.`;
  const start = chapter.indexOf("Forty-three");
  expect(textBefore(chapter, start, 150)).toBe(`… ${"The rain came down on the harbour.\n\n".repeat(4)}`);
  expect(textBefore(chapter, start, 10)).toBe("… ");
  expect(textBefore(chapter, start, 5000)).toBe(chapter.slice(0, start));
});
