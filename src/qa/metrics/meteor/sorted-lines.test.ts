import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortedLine } from "./meteor.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "'", "1"), minLength: 1, maxLength: 5 });

describe("a line in sorted lines", () => {
  it("is found exactly when it is there", () => {
    fc.assert(
      fc.property(fc.dictionary(word, fc.array(word)), word, (entries, absent) => {
        const lines = Object.entries(entries).map(([first, rest]) => [first, ...rest]);
        const text = lines
          .map((line) => line.join(" "))
          .sort()
          .join("\n");
        for (const line of lines) expect(sortedLine(text, line[0]!)).toEqual(line);
        if (!Object.hasOwn(entries, absent)) expect(sortedLine(text, absent)).toBeNull();
      }),
    );
  });
});
