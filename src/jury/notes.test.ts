import { describe, expect, it } from "vitest";
import { isNotable } from "./notes.ts";

describe("line notes", () => {
  it.each([
    "viz.",
    "[Exit, pursued by a bear.]",
    "(He goes to the window and looks out.)",
    "HAMLET.",
    "Mrs Alving:",
    "Chapter 4",
    "ACT III, SCENE 2",
    "Chapter the Last: The Crossing of the Bar",
    "THE CROSSING OF THE BAR",
    "The Crossing of the Bar",
    "Yes, sir.",
  ])("pass over what is no sentence to edit: %s", (text) => {
    expect(isNotable(text)).toBe(false);
  });

  it.each([
    "He went to the window and looked out.",
    "“I never said that,” she said",
    "Her heart ached with a bittersweet longing that words could never capture.",
    "WHO GOES THERE AT THIS HOUR?",
    "He said (and I believe him) that it was true.",
    "Part of him wanted to leave.",
  ])("look at every sentence: %s", (text) => {
    expect(isNotable(text)).toBe(true);
  });
});
