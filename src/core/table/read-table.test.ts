import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { readTable } from "./read-table.ts";
import { nameColumn, numberColumn } from "./table.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-table-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const parquet = parquetWriteBuffer({
  columnData: [
    { name: "system", data: ["a", "b", "c"], type: "STRING" },
    { name: "human", data: [1.5, null, 3], type: "DOUBLE" },
  ],
});

describe("a table", () => {
  it.each([
    ["comma.csv", "system,human\na,1.5\nb,\nc,3\n"],
    ["semicolon.csv", '\uFEFF"system";human\r\n"a";1.5\r\nb;NA\r\nc;3\r\n'],
    ["decimal-commas.csv", "system;human\na;1,5\nb;\nc;3\n"],
    ["tab.tsv", "system\thuman\na\t1.5\nb\tnan\nc\t3"],
    ["packed.csv.gz", gzipSync("system,human\na,1.5\nb,null\nc,3\n")],
    ["lines.jsonl", '{"system":"a","human":1.5}\n{"system":"b","human":null}\n{"system":"c","human":3}\n'],
    ["array.json", '[{"system":"a","human":1.5},{"system":"b"},{"system":"c","human":"3"}]'],
    ["rows.parquet", new Uint8Array(parquet)],
  ])("reads the same from %s, a gap staying a gap", async (name, content) => {
    const table = await readTable(file(name, content));
    expect(nameColumn(table, "system")).toEqual(["a", "b", "c"]);
    expect([...numberColumn(table, "human")]).toEqual([1.5, Number.NaN, 3]);
  });

  it.each([
    ["windows-1252", "latin1", "Zoë Brontë"],
    ["UTF-16 with a mark", "utf16le", "Zoë Brontë"],
    ["UTF-16 with a mark", "utf16le", "曹雪芹"],
  ] as const)("reads names in a table saved as %s", async (_name, encoding, rater) => {
    const mark = encoding === "utf16le" ? "\uFEFF" : "";
    const path = file("encoded.csv", Buffer.from(`${mark}rater;human\r\n${rater};1,5\r\nBen;2\r\n`, encoding));
    expect(nameColumn(await readTable(path), "rater")).toEqual([rater, "Ben"]);
  });

  it("refuses damaged text instead of changing names", async () => {
    const good = "rater,human\n" + "曹雪芹,1\n".repeat(20);
    const path = file("damaged.csv", Buffer.concat([Buffer.from(good), Buffer.from([0xe6, 0x2c, 0x32, 0x0a])]));
    await expect(readTable(path)).rejects.toThrow(/save it as UTF-8 and try again/);
  });

  it("takes a verdict for its score, an unscored one for a gap, and follows a name into objects", async () => {
    const path = file(
      "verdicts.jsonl",
      '{"id":1,"overall":{"kind":"scored","score":12.5},"criteria":{"pacing":{"kind":"unscored","reason":"too short"}}}\n' +
        '{"id":2,"overall":{"kind":"unscored","reason":"refused"},"criteria":{"pacing":{"kind":"scored","score":3}}}\n',
    );
    const table = await readTable(path);
    expect([...numberColumn(table, "overall")]).toEqual([12.5, Number.NaN]);
    expect([...numberColumn(table, "criteria.pacing")]).toEqual([Number.NaN, 3]);
    expect(nameColumn(table, "id")).toEqual(["1", "2"]);
  });

  it.each([
    [
      "words.csv",
      "human\n1\nthree\n",
      /Row 2 .* holds "three" in column "human": a number is needed.*give each a number/,
    ],
    ["stars.csv", "human\n★★★\n", /a number is needed there, or nothing \(where answers are words or signs/],
    ["of-five.csv", "human\n4/5\n", /leave out what it is out of: 4, not 4\/5/],
    ["percent.csv", "human\n85%\n", /leave out the sign/],
    ["comma.csv", 'id,human\na,"4,5"\n', /write decimals with a point, or separate the columns with semicolons/],
    ["day.csv", "human\n5-Apr\n", /a spreadsheet has probably made a date of it/],
    ["month.csv", "human\nApr-05\n", /a spreadsheet has probably made a date of it/],
    ["date.csv", "human\n2026-04-05\n", /a spreadsheet has probably made a date of it/],
    ["other.csv", "rating\n1\n", /no column "human"\. It has: rating\./],
    ["empty.csv", "", /has no rows/],
    ["headed.csv", "human\n", /has no rows/],
    ["twice.csv", "human,human\n1,2\n", /two columns named "human"/],
    ["ragged.csv", 'human,metric\n1,2\n"3,4\n', /not well-formed CSV/],
    ["short.csv", "human,metric\n1,2\n3\n", /not well-formed CSV near line 3/],
    ["binary.csv", new Uint8Array([1, 0, 2, 0]), /is not text/],
    ["broken.parquet", "PAR1", /not readable as Parquet/],
    ["broken.json", "{", /not valid JSON/],
    ["object.json", "{}", /array of objects/],
    ["book.epub", "x", /not a kind of table/],
  ])("says in one sentence what is wrong with %s", async (name, content, sentence) => {
    const path = file(name, content);
    await expect(readTable(path).then((table) => numberColumn(table, "human"))).rejects.toThrow(sentence);
  });

  it("says when there is no such file", async () => {
    for (const name of ["none.csv", "none.jsonl", "none.json", "none.parquet"]) {
      await expect(readTable(join(folder, name))).rejects.toThrow(/no such file|cannot be read/);
    }
  });
});
