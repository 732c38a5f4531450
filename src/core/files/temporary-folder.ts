import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessRunning } from "../is-process-running.ts";

/** The machine is part of the name: containers may share a folder, and their process numbers mean nothing to each other. */
const MACHINE = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const OWNED = new RegExp(`^fabula-[a-z]+-${MACHINE}-(\\d+)-`);

/** A private folder that is gone when the work is done; if the process is killed before, `removeAbandonedFolders` finds it. */
export async function inTemporaryFolder<T>(purpose: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(purpose);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** For work that ends elsewhere: whoever makes it removes it. */
export function makeTemporaryFolder(purpose: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `fabula-${purpose}-${MACHINE}-${process.pid}-`));
}

/** Removes what processes of this machine left behind when they were killed, and says how many folders that was. */
export async function removeAbandonedFolders(parent: string = tmpdir()): Promise<number> {
  const names = await readdir(parent).catch(() => []);
  const abandoned = names.filter((name) => {
    const owner = OWNED.exec(name)?.[1];
    return owner !== undefined && !isProcessRunning(Number(owner));
  });
  await Promise.all(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})));
  return abandoned.length;
}
