import { describe, expect, it } from "vitest";
import { decodeText } from "./encoding.ts";

/** Bytes of legacy encodings, as `iconv` writes them. */
const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
const repeated = (bytes: Uint8Array, times: number) =>
  new Uint8Array(Buffer.concat(Array.from({ length: times }, () => bytes)));

describe("encodings", () => {
  it.each([
    ["UTF-8", new TextEncoder().encode("Café — 雨"), "Café — 雨"],
    ["UTF-8", new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("Café")]), "Café"],
    ["UTF-16LE", new Uint8Array([0xff, 0xfe, ...Buffer.from("雨 rain", "utf16le")]), "雨 rain"],
    ["UTF-16BE", new Uint8Array([0xfe, 0xff, ...Buffer.from("雨 rain", "utf16le").swap16()]), "雨 rain"],
    [
      "UTF-16LE",
      new Uint8Array(Buffer.from("The rain had stopped.\n雨停了。\n", "utf16le")),
      "The rain had stopped.\n雨停了。\n",
    ],
  ])("%s is told by its bytes", (encoding, bytes, text) => {
    expect(decodeText(bytes, "x.txt")).toEqual({ text, encoding, undecodable: 0 });
  });

  it.each([
    // 话说天下大势，分久必合，合久必分。
    [
      "GB18030",
      hex("bbb0 cbb5 ccec cfc2 b4f3 cac6 a3ac b7d6 bec3 b1d8 bacf a3ac bacf bec3 b1d8 b7d6 a1a3"),
      "话说天下大势，分久必合，合久必分。",
    ],
    // 話說天下大勢，分久必合，合久必分。
    [
      "Big5",
      hex("b8dc bba1 a4d1 a455 a46a b6d5 a141 a4c0 a45b a5b2 a658 a141 a658 a45b a5b2 a4c0 a143"),
      "話說天下大勢，分久必合，合久必分。",
    ],
    // 吾輩は猫である。名前はまだ無い。
    [
      "Shift_JIS",
      hex("8ce1 9479 82cd 944c 82c5 82a0 82e9 8142 96bc 914f 82cd 82dc 82be 96b3 82a2 8142"),
      "吾輩は猫である。名前はまだ無い。",
    ],
    // “Café,” she said—naïve.
    ["windows-1252", hex("9343 6166 e92c 9420 7368 6520 7361 6964 976e 61ef 7665 2e20"), "“Café,” she said—naïve. "],
  ])("%s is told by its statistics", (encoding, bytes, text) => {
    const decoded = decodeText(repeated(bytes, 12), "x.txt");
    expect(decoded.encoding).toBe(encoding);
    expect(decoded.text).toBe(text.repeat(12));
    expect(decoded.undecodable).toBe(0);
  });

  it("keep UTF-8 with a few broken bytes, and count those", () => {
    const text = new TextEncoder().encode("雨停了，没有人关窗。".repeat(20));
    const decoded = decodeText(new Uint8Array([...text, 0xff, ...text]), "x.txt");
    expect(decoded).toMatchObject({ encoding: "UTF-8", undecodable: 1 });
  });

  it("are not looked for in what is no text", () => {
    expect(() =>
      decodeText(
        new Uint8Array(2000).map((_, index) => index % 7),
        "x.bin",
      ),
    ).toThrow(/not a text/);
  });
});
