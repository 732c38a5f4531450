import { expect, it } from "vitest";
import { placeIn } from "./passage-pane.tsx";

const TEXT = "It rained. (Really?)\n\nIt stopped.";

it("marks a passage where its words stand, also after chapters were joined or split", () => {
  const quote = "(Really?) It";
  const stands = { start: TEXT.indexOf("(Really"), end: TEXT.indexOf(" stopped") };
  expect(placeIn(TEXT, { chapter: 1, ...stands, quote })).toEqual(stands);
  expect(placeIn(TEXT, { chapter: 1, start: 0, end: 12, quote })).toEqual(stands);
  expect(placeIn(TEXT, { chapter: 1, ...stands, quote: "It snowed." })).toBeNull();
  expect(placeIn(TEXT, { chapter: 1, start: 0, end: 2, quote: "" })).toBeNull();
});
