import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preparePostgres } from "./support/postgres-binaries.ts";
import { setUpStep } from "./support/set-up-step.ts";

/** Prepares the programs of PostgreSQL once, before any test file runs: test files only start servers with them. */
export default async function postgresFirst(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-postgres-programs-"));
  await chmod(folder, 0o711);
  process.env.FABULA_TEST_POSTGRES = await setUpStep(() => preparePostgres(folder));
  return () => rm(folder, { recursive: true, force: true });
}
