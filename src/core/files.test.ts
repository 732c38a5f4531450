import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inTemporaryFolder, makeFolder, removeAbandonedFolders, writeWholeFile } from "./files.ts";

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

it("removes the folders of processes that were killed, and no others", async () => {
  const parent = await mkdtemp(join(tmpdir(), "fabula-temporary-"));
  try {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    await inTemporaryFolder("upload", async (own) => {
      const alive = basename(own);
      const dead = alive.replace(`-${process.pid}-`, `-${child.pid}-`);
      const ofAnotherMachine = dead.replace(/^(fabula-upload-)[0-9a-f]{8}/, "$100000000");
      expect(new Set([alive, dead, ofAnotherMachine]).size).toBe(3);
      for (const name of [alive, dead, ofAnotherMachine, "something-else"]) await mkdir(join(parent, name));
      expect(await removeAbandonedFolders(parent)).toBe(1);
      expect((await readdir(parent)).sort()).toEqual([alive, ofAnotherMachine, "something-else"].sort());
    });
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
