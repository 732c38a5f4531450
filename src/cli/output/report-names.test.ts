import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportNames } from "./evaluation-output.ts";

const named = (...files: string[]) => files.map(reportNames(files));

describe("the names of reports", () => {
  it.each([
    [
      ["one.md", "shelf/two.epub"],
      ["one", "two"],
    ],
    [
      ["a/novel.md", "b/novel.md", "other.md"],
      ["a-novel", "b-novel", "other"],
    ],
    [
      ["x/a/novel.md", "y/a/novel.md"],
      ["x-a-novel", "y-a-novel"],
    ],
    [
      ["novel.md", "novel.epub"],
      ["novel.md", "novel.epub"],
    ],
    [
      ["drafts/Novel.md", "novel.md"],
      ["drafts-Novel", "novel.md"],
    ],
    [
      ["novel.md", "novel.md"],
      ["novel", "novel-2"],
    ],
  ])("of %j are %j", (files, names) => {
    expect(named(...files)).toEqual(names);
  });

  it("of a file given twice leave the name of another alone", () => {
    expect(named("a.md", "a.md", "a-2.md")).toEqual(["a", "a-2", "a-2-2"]);
  });

  it("never meet, whatever the files are called", () => {
    const file = fc.array(fc.constantFrom("a", "A", "b", "a-b", "a-2"), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 8 }), (files) => {
        const names = named(...files.map((parts) => `${parts.join("/")}.md`)).map((name) => name.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});
