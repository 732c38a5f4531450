import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf } from "./hashing.ts";
import { NAME, scanProse } from "./scan-prose.ts";

const sentencesOf = (text: string): string[] => {
  const prose = scanProse(text);
  return Array.from(prose.starts, (start, sentence) => text.slice(start, prose.ends[sentence]));
};
const tokensOf = (text: string): number[] => [...scanProse(text).tokens];

describe("scanning prose", () => {
  it("ends sentences where a reader does", () => {
    expect(sentencesOf('Mr. Hale left. "Stay," she said. "Why?" he asked, and went…')).toEqual([
      "Mr. Hale left.",
      '"Stay," she said.',
      '"Why?" he asked, and went…',
    ]);
  });

  it("masks names, but not the first word of a sentence or a speech", () => {
    expect(tokensOf("Then Ada met Tom.").filter((token) => token === NAME)).toHaveLength(2);
    expect(tokensOf("“Come here,” Ada said.")).toContain(NAME);
    expect(tokensOf("“Come here,” Ada said.")).toContain(hashOf("come"));
    expect(tokensOf("Perhaps I’m late, and I know it.")).not.toContain(NAME);
  });

  it("sees one text through every way of typing it", () => {
    expect(tokensOf("“It’s late”—he paused…")).toEqual(tokensOf('"It\'s late" -- he paused...'));
    expect(tokensOf("*Run,* she thought. **Run.**")).toEqual(tokensOf("Run, she thought. Run."));
  });

  it("passes over headings, rules and word counts", () => {
    const story = "She waited by the gate.";
    const dressed = `# The Gate\n\nChapter 3: The Gate\n\n${story}\n\n* * *\n\n(Word count: 1,204)\n\nTHE END`;
    expect(sentencesOf(dressed)).toEqual([story]);
    expect(sentencesOf("Part of her wanted to stay.")).toEqual(["Part of her wanted to stay."]);
  });

  it("joins the lines of hard-wrapped text", () => {
    const wrapped = "He had walked\nall night along\nthe river, and\nstill the town\nwas far away.";
    expect(sentencesOf(wrapped)).toHaveLength(1);
    expect(sentencesOf("One line ends.\nAnother begins.")).toHaveLength(2);
  });

  it("keeps sentences in order, apart, and inside the text, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const prose = scanProse(text);
        let end = 0;
        for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
          expect(prose.starts[sentence]).toBeGreaterThanOrEqual(end);
          end = prose.ends[sentence]!;
          expect(end).toBeGreaterThan(prose.starts[sentence]!);
          expect(prose.words[sentence]).toBeGreaterThan(0);
        }
        expect(end).toBeLessThanOrEqual(text.length);
        expect(prose.words.reduce((sum, words) => sum + words, 0)).toBe(prose.wordCount);
      }),
    );
  });
});
