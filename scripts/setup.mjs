// Makes a clone ready: installs what is missing, builds what is stale, and does nothing when nothing changed.
// Plain Node, since it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = join(root, "node_modules", ".fabula-setup.json");

function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    if (!existsSync(join(root, path))) continue;
    const files = statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path), { recursive: true })
          .map((file) => join(path, String(file)))
          // A test is no part of the build.
          .filter((file) => !/\.test\.tsx?$/.test(file))
          .sort()
      : [path];
    for (const file of files) {
      const status = statSync(join(root, file));
      if (!status.isFile()) continue;
      hash.update(file).update(readFileSync(join(root, file)));
    }
  }
  return hash.digest("hex");
}

function run(command, arguments_) {
  const { status, error } = spawnSync(command, arguments_, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) {
    console.error(`set-up: \`${command} ${arguments_.join(" ")}\` failed; see above.`);
    process.exit(1);
  }
}

const stamp = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, "utf8")) : {};

const dependencies = fingerprint(["package-lock.json"]);
if (stamp.dependencies !== dependencies) {
  console.error("set-up: installing dependencies…");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

const sources = fingerprint(["src", "page", "scripts/build.mjs", "tsconfig.json", "tsconfig.build.json"]);
if (
  stamp.dependencies !== dependencies ||
  stamp.sources !== sources ||
  !existsSync(join(root, "dist", "cli", "main.js")) ||
  !existsSync(join(root, "dist", "page", "index.html"))
) {
  console.error("set-up: building…");
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
}

// `npx fabula` in the clone finds the command where npx looks first.
const link = join(root, "node_modules", ".bin", "fabula");
if (!existsSync(link) && process.platform !== "win32") {
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync("../../dist/cli/main.js", link);
}

// A new file in its place: it may be linked to that of another clone, which has been built from other sources.
writeFileSync(`${stampFile}.new`, JSON.stringify({ dependencies, sources }));
renameSync(`${stampFile}.new`, stampFile);
