import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkedId, newId } from "./ids.ts";

describe("ids", () => {
  it("sort by time and are never the same", () => {
    const [early, late] = [new Date("2026-01-01T00:00:00.001Z"), new Date("2026-01-01T00:00:00.002Z")];
    expect(newId(early) < newId(late)).toBe(true);
    expect(new Set(Array.from({ length: 500 }, () => newId(early))).size).toBe(500);
    expect(checkedId(newId(early), "thing")).toHaveLength(28);
  });

  it.each(["", "..", "a/b", "a\\b", "a.json", "A", "a\u0000", "-a", "a--b", "a ", "é", "a".repeat(65)])(
    "%j names nothing",
    (id) => {
      expect(() => checkedId(id, "book")).toThrow(/no such book/);
    },
  );

  it("accept nothing that could become part of a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 70 }), (text) => {
        try {
          return /^[a-z0-9-]+$/.test(checkedId(text, "thing"));
        } catch {
          return true;
        }
      }),
    );
  });
});
