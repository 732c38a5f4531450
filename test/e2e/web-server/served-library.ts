import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { type Served, serveFabula } from "../serve-fabula.ts";

/** An empty library of its own for the tests of one file, served as `fabula serve` does, and gone after them. */
export function servedLibrary() {
  vi.setConfig({ testTimeout: 120_000 });
  let folder: string;
  let server: Served;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fabula-serve-"));
    // Temporary files of its own as well: a test can see whether any stays behind.
    server = await serveFabula(folder, [], { TMPDIR: folder });
  });
  afterAll(async () => {
    await server?.stop("SIGINT");
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    get server() {
      return server;
    },
  };
}
