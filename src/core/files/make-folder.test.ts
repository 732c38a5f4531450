import { existsSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-folders-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

it("makes the folders above it, and is content with what is there", async () => {
  const path = join(folder, "a", "b", "c");
  await Promise.all([makeFolder(path), makeFolder(path)]);
  await makeFolder(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

it("fails where a file is in the way", async () => {
  await writeFile(join(folder, "a"), "");
  await expect(makeFolder(join(folder, "a", "b"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

it.runIf(existsSync("/proc/self"))("fails, and does not hang, where nothing can be made", async () => {
  await expect(makeFolder("/proc/nothing/here")).rejects.toMatchObject({
    code: expect.stringMatching(/ENOENT|EACCES/),
  });
});
