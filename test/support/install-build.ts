import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Puts this build into a folder as a release of that version, as `npm install` would, but for the libraries, which all share. */
export async function installBuild(folder: string, version: string): Promise<string> {
  await mkdir(folder);
  for (const part of ["dist", "assets"]) await cp(join(process.cwd(), part), join(folder, part), { recursive: true });
  await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"), "junction");
  const manifest = JSON.parse(await readFile("package.json", "utf8"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, version }));
  return folder;
}
