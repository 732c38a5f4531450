import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { inTemporaryFolder, removeAbandonedFolders } from "./temporary-folder.ts";

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
