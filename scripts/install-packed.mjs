// Lays out a folder as `npm install fabula` would, from the packed tarball and without a network: the package, and links to the
// packages that it depends on, so that an optional one is as absent as it would be for a user.
//   node scripts/install-packed.mjs FOLDER      prints {"installed","files","packages","bytes"}
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const npm = (...words) =>
  execFileSync("npm", words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26, shell: process.platform === "win32" });

/** Packs the built package and installs it into `folder`; build first. */
export function installPacked(folder) {
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  const [packed] = JSON.parse(npm("pack", "--ignore-scripts", "--json", "--pack-destination", folder));
  execFileSync("tar", ["-xzf", join(folder, packed.filename), "-C", modules]);
  const installed = join(modules, "fabula");
  rmSync(installed, { recursive: true, force: true });
  execFileSync("mv", [join(modules, "package"), installed]);
  const packages = productionPackages();
  for (const path of packages) {
    const link = join(modules, relative(join(root, "node_modules"), path));
    // One that stands inside another comes with it.
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link, "junction");
  }
  const bytes = [installed, ...packages].reduce((sum, path) => sum + sizeOf(path), 0);
  return { installed, files: packed.files.map(({ path }) => path), packages: packages.length + 1, bytes };
}

function productionPackages() {
  const tree = npm("ls", "--omit=dev", "--all", "--parseable").trim().split("\n").slice(1);
  return tree.map((path) => realpathSync(path)).filter((path) => path !== realpathSync(root));
}

function sizeOf(path) {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return 0;
  if (!status.isDirectory()) return status.size;
  // What is nested in a package is counted as a package of its own.
  const entries = readdirSync(path).filter((name) => name !== "node_modules");
  return entries.reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("Give a folder: node scripts/install-packed.mjs FOLDER");
    process.exit(1);
  }
  console.log(JSON.stringify(installPacked(resolve(folder))));
}
