import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { csvLine } from "./csv.ts";
import { readCsv } from "./table/csv-table.ts";

it("a line of CSV comes back as its fields", async () => {
  const folder = await mkdtemp(join(tmpdir(), "csv-"));
  const path = join(folder, "t.csv");
  await writeFile(path, `${csvLine(["id", "text", "last"])}\n${csvLine([1, 'He said, "go".\nThen left.', null])}\n`);
  expect((await readCsv(path)).rows).toEqual([{ id: "1", text: 'He said, "go".\nThen left.', last: "" }]);
  await rm(folder, { recursive: true });
});

it("a title that a spreadsheet would run as a formula is text", () => {
  expect(csvLine(['=HYPERLINK("http://example.com","x")', "@SUM(A1)", "+1", "-cmd|x", -1.5, "A title", null])).toBe(
    `"'=HYPERLINK(""http://example.com"",""x"")",'@SUM(A1),'+1,'-cmd|x,-1.5,A title,`,
  );
});
