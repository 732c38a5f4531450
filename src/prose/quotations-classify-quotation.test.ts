import { describe, expect, it } from "vitest";
import { readProse } from "./prose-text.ts";
import { classifyQuotations, findQuotedSpans } from "./quotations.ts";

function kindsIn(text: string) {
  const prose = readProse(text);
  return classifyQuotations(prose, findQuotedSpans(text, prose.paragraphs), () => false);
}

describe("what counts as speech", () => {
  it.each([
    ["a look", '"Look at me," said Ada.\n\nHer eyes said: "You see why I came," and his answered.'],
    ["a wish", '"Look at me," said Ada.\n\nHe felt like shouting back: "Yes, and so are we all!"'],
    ["a gesture", '"Look at me," said Ada.\n\nShe glanced at the door as if to say, "Come away now."'],
    ["a fancy", '"Look at me," said Ada.\n\n"The tea is cold again," he could imagine her saying.'],
  ])("leaves out %s that is put into words", (_, text) => {
    expect(kindsIn(text)).toEqual(["speech", "unspoken"]);
  });

  it("leaves out what is read in the middle of a paragraph", () => {
    expect(kindsIn('"Well," said Ada.\n\nHe tore the envelope open and read: "Come at once. Granny is ill."')).toEqual([
      "speech",
      "letter",
    ]);
    expect(kindsIn('"Well," said Ada.\n\n"Sir," the document ran, "you are to leave the house by noon."')).toEqual([
      "speech",
      "letter",
      "letter",
    ]);
  });

  it("keeps the second half of a speech, even where it tells of others in the past", () => {
    expect(
      kindsIn('"In death," replied the woman. "She stole from him what she had prayed him to keep for her."'),
    ).toEqual(["speech", "speech"]);
  });

  it("leaves out a speech that the narrator puts into the third person", () => {
    expect(kindsIn('He rose to go. "He must wish her good night; he was tired, and she had nothing to do."')).toEqual([
      "summary",
    ]);
  });
});
