import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeWholeFile } from "./write-whole-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-files-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

it.runIf(existsSync("/dev/full"))("says that the disk is full, and leaves the old file as it was", async () => {
  const path = join(folder, "report.md");
  await writeWholeFile(path, "old");
  // The device on which every write finds the disk full, where the new content is going to be written first.
  await symlink("/dev/full", `${path}.${process.pid}.unfinished`);
  await expect(writeWholeFile(path, "new")).rejects.toMatchObject({
    code: "E_FILE_WRITE",
    message: `"${path}" could not be written: the disk is full. Free some space and try again.`,
  });
  expect(await readFile(path, "utf8")).toBe("old");
  await writeWholeFile(path, "new");
  expect(await readFile(path, "utf8")).toBe("new");
});
