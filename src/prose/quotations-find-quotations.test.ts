import { describe, expect, it } from "vitest";
import { splitParagraphs } from "./prose-text.ts";
import { findQuotedSpans } from "./quotations.ts";

const quoted = (text: string) =>
  findQuotedSpans(text, splitParagraphs(text)).map(({ start, end }) => text.slice(start, end));

describe("findQuotedSpans", () => {
  it.each([
    ["straight", '"Come in," said Emma. "Sit down."', ["Come in,", "Sit down."]],
    ["curly", "“Come in,” said Emma. “Sit down.”", ["Come in,", "Sit down."]],
    ["single curly, with apostrophes", "‘Don’t go,’ said Emma. ‘It’s late.’", ["Don’t go,", "It’s late."]],
    ["single straight, with apostrophes", "'Don't go,' said Emma. 'It's late.'", ["Don't go,", "It's late."]],
    ["Chinese corner brackets", "他說：「你來了。」她答：「是的。」", ["你來了。", "是的。"]],
    ["Chinese curly", "他说：“你来了。”她答：“是的。”", ["你来了。", "是的。"]],
  ])("finds speech in %s marks", (_, text, expected) => {
    expect(quoted(text)).toEqual(expected);
  });

  it("lets a forgotten mark cost its own paragraph only", () => {
    expect(quoted('"Come in, said Emma.\n\nShe waited.\n\n"Sit down," she said.')).toEqual([
      "Come in, said Emma.",
      "Sit down,",
    ]);
  });

  it("knows a speech of several paragraphs", () => {
    const text = '"First of all.\n\n"And then."';
    const spans = findQuotedSpans(text, splitParagraphs(text));
    expect(spans.map(({ continues }) => continues)).toEqual([true, false]);
  });

  it("finds nothing where nothing is quoted", () => {
    expect(quoted("It was Emma's house.")).toEqual([]);
  });
});
