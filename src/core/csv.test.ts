import { describe, expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

describe("CSV", () => {
  it("reads quoted fields with commas, line ends and doubled quotes", () => {
    const text = '\ufeffid,text,last\r\n1,"He said, ""go"".\nThen left.",x\r\n2,plain,\n\n3,,"quoted"';
    expect(parseCsv(text, "t.csv")).toEqual([
      { id: "1", text: 'He said, "go".\nThen left.', last: "x" },
      { id: "2", text: "plain", last: "" },
      { id: "3", text: "", last: "quoted" },
    ]);
  });

  it("says which row is wrong", () => {
    expect(() => parseCsv("a,b\n1,2\n3", "t.csv")).toThrow(/Row 2 of "t.csv" has 1 fields where the header has 2/);
    expect(() => parseCsv('a,b\n1,"2', "t.csv")).toThrow(/never closed/);
    expect(() => parseCsv("", "t.csv")).toThrow(/is empty/);
  });

  it("takes time that grows with the file, not with its square", () => {
    const text = `a\n${"1\n".repeat(200_000)}`;
    expect(parseCsv(text, "t.csv")).toHaveLength(200_000);
  });
});
