import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attachment, savedName, shownName } from "./upload.ts";

describe("a name to be shown", () => {
  it.each([
    ["C:\\books\\novel.txt", "novel.txt"],
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\u202e.txt", "ab.txt"],
    ["", "untitled"],
    [undefined, "untitled"],
    ["/", "untitled"],
  ])("%j is %j", (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });
});

describe("a name to be saved under", () => {
  it.each([
    ["The Inspector of Weights", "The-Inspector-of-Weights.html"],
    ["../../etc/passwd", "etc-passwd.html"],
    ["红楼梦", "红楼梦.html"],
    ["<script>", "script.html"],
    ["…", "report.html"],
    ["NUL", "NUL-report.html"],
  ])("of %j is %j", (title, name) => {
    expect(savedName(title, "html")).toBe(name);
  });

  it("is a safe header, whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (title) => {
        const header = attachment(title, "html");
        expect(header).toMatch(/^attachment; filename="[A-Za-z0-9-]+\.html"; filename\*=UTF-8''[A-Za-z0-9%.-]+$/);
        expect(header.length).toBeLessThan(1200);
      }),
    );
  });
});
