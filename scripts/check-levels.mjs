// Checks the tables of docs/decisions/001-levels.md against the code: who may import whom, and that no file imports itself by way
// of others.
// `node scripts/check-levels.mjs [FOLDER]` prints one line per broken rule and exits 1 when there is one.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";

const root = resolve(process.argv[2] ?? ".");
const note = readFileSync(join(root, "docs/decisions/001-levels.md"), "utf8");

/** folder of src → level */
const levels = new Map(
  [...note.matchAll(/^\|\s*(\d+)\s*\|(.+)\|\s*$/gm)].flatMap(([, level, cells]) =>
    [...cells.matchAll(/`([\w-]+)`/g)].map(([, folder]) => [folder, Number(level)]),
  ),
);
/** What stands outside `src` → the folders of `src` it may import, and whether types alone; the table's rows that start with a folder's name. */
const outside = new Map(
  [...note.matchAll(/^\|\s*`([\w-]+)\/`\s*\|(.+)\|\s*$/gm)].map(([, folder, cell]) => [
    folder,
    cell.includes("all of `src`")
      ? null
      : new Map(
          [...cell.matchAll(/`src\/([\w-]+)`( \(types\))?/g)].map(([, name, types]) => [name, types !== undefined]),
        ),
  ]),
);

const broken = [];
/** file → the files it imports */
const imports = new Map();
for (const top of ["src", ...outside.keys()]) if (existsSync(join(root, top))) visit(join(root, top));
for (const folder of readdirSync(join(root, "src"), { withFileTypes: true })) {
  if (folder.isDirectory() && !levels.has(folder.name)) broken.push(`src/${folder.name} has no level`);
}
for (const circle of circles()) broken.push(`circle: ${circle.join(" → ")}`);
for (const line of broken) console.error(`${line} (docs/decisions/001-levels.md)`);
process.exitCode = broken.length > 0 ? 1 : 0;

function visit(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const sources = entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name));
  for (const entry of sources) if (!entry.name.includes(".test.")) checkImports(join(folder, entry.name));
  for (const entry of entries) if (entry.isDirectory()) visit(join(folder, entry.name));
}

function checkImports(file) {
  const found = readFileSync(file, "utf8").matchAll(/(import type [^;]*?from|from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g);
  for (const [, words, specifier] of found) {
    const target = toPosix(join(dirname(file), specifier));
    imports.set(toPosix(file), [...(imports.get(toPosix(file)) ?? []), target]);
    const complaint = complaintOf(toPosix(file).split("/"), target.split("/"), words.startsWith("import type"));
    if (complaint) broken.push(`${toPosix(file)} imports ${target}: ${complaint}`);
  }
}

/** Types count: a file that cannot be read without another that cannot be read without it is no idea of its own. */
function circles() {
  const found = [];
  const finished = new Set();
  const path = [];
  const follow = (file) => {
    if (finished.has(file)) return;
    if (path.includes(file)) return void found.push([...path.slice(path.indexOf(file)), file]);
    path.push(file);
    for (const target of imports.get(file) ?? []) follow(target);
    path.pop();
    finished.add(file);
  };
  for (const file of imports.keys()) follow(file);
  return found;
}

function complaintOf([top, folder, ...below], [targetTop, targetFolder, ...targetBelow], isType) {
  if (top !== "src") {
    if (targetTop === top || outside.get(top) === null) return null;
    const typesAlone = targetTop === "src" ? outside.get(top).get(targetFolder) : undefined;
    if (typesAlone && !isType) return `${top}/ may import its types alone`;
    return typesAlone === undefined ? `${top}/ may not` : null;
  }
  if (targetTop !== "src") return "src imports src alone";
  if (folder === targetFolder || below.length === 0) return null;
  if (targetBelow.length === 0) return "the public index is for other programs";
  if (targetFolder === "testing") return "testing tools are for tests, demonstrations and benchmarks";
  const [own, other] = [levels.get(folder), levels.get(targetFolder)];
  // `stats` is numbers alone, but its functions throw the same errors and take the same random source as all others.
  if (folder === "stats" && targetFolder === "core") return null;
  return other < own ? null : `level ${own} imports lower levels only, ${targetFolder} is level ${other}`;
}

function toPosix(path) {
  return posix.join(...relative(root, statSync(path, { throwIfNoEntry: false }) ? path : resolve(path)).split(sep));
}
