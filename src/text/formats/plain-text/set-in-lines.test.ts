import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../../read-book.ts";

async function textOf(content: string): Promise<string> {
  const { chapters } = await readBookFromBytes(new TextEncoder().encode(content), "text.txt");
  return chapters.map(({ text }) => text).join("\n\n");
}

describe("a plain text set in lines", () => {
  it("keeps the lines of verse that fills the whole file", async () => {
    const stanza =
      "The lamp went out before the tide came in\nAnd no one on the harbour wall could say\nWhose boat it was that lay beside the quay,\nNor why the bell had rung at break of day;";
    const poem = Array.from({ length: 8 }, () => stanza).join("\n\n");
    expect(await textOf(poem)).toBe(poem);
  });

  it("still joins prose that is wrapped in narrow lines", async () => {
    const prose = Array.from(
      { length: 12 },
      () =>
        "He went down to the harbour to see\nMary and her brother, who had come\nwith the boat from Hull that morning\nand would not stay for long.",
    ).join("\n\n");
    expect(await textOf(prose)).toBe(prose.replace(/([^\n])\n(?!\n)/g, "$1 "));
  });
});

describe("a plain text with soft hyphens", () => {
  it("is read without them, and a word broken at the end of a line is whole", async () => {
    const text = "He lit the lan\u00adtern and went down to the har\u00ad\n  bour, where the others\u200b were.";
    const plain = "He lit the lantern and went down to the harbour, where the others were.";
    expect(await textOf(`${text}\n\n${text}`)).toBe(`${plain}\n\n${plain}`);
  });
});
