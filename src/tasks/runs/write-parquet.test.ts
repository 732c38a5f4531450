import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeParquet } from "./export-run.ts";

it.runIf(existsSync("/dev/full"))("says that the disk is full, and leaves the old file as it was", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fabula-parquet-"));
  try {
    const path = join(folder, "calls.parquet");
    await writeFile(path, "old");
    await symlink("/dev/full", `${path}.${process.pid}.unfinished`);
    async function* rows() {
      yield { text: "a reply" };
    }
    await expect(writeParquet(path, [{ name: "text", type: "STRING" }], rows())).rejects.toThrow(
      "the disk is full. Free some space",
    );
    expect(await readFile(path, "utf8")).toBe("old");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
