import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeWholeFile } from "./write-whole-file.ts";

describe("writing a whole file", () => {
  const folder = mkdtempSync(join(tmpdir(), "fabula-"));

  it("makes the folder and leaves nothing beside the file", async () => {
    await writeWholeFile(join(folder, "deep", "report.md"), "# Report\n");
    expect(readFileSync(join(folder, "deep", "report.md"), "utf8")).toBe("# Report\n");
    expect(readdirSync(join(folder, "deep"))).toEqual(["report.md"]);
  });

  it("says what is wrong when the place cannot hold it, and leaves nothing", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(writeWholeFile(join(folder, "file", "report.md"), "x")).rejects.toThrow(/could not be written/);
    expect(readdirSync(folder).sort()).toEqual(["deep", "file"]);
  });
});
