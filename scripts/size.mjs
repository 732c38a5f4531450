/** How much there is to hold in the head: files and lines without tests, by folder. `npm run size` */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["src", "page", "training", "evals", "benchmarks", "scripts"];
const isSource = (name) => /\.(ts|tsx|mjs|css)$/.test(name) && !/\.test\.tsx?$/.test(name);

const sizes = FOLDERS.map((folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isSource);
  const lines = files.map((file) => readFileSync(join(folder, file), "utf8").split("\n").length - 1);
  return { folder, files: files.length, lines: lines.reduce((sum, count) => sum + count, 0) };
});
const total = (name) => sizes.reduce((sum, size) => sum + size[name], 0);
for (const { folder, files, lines } of [...sizes, { folder: "all", files: total("files"), lines: total("lines") }])
  console.log(
    `${folder.padEnd(12)}${String(files).padStart(6)} files${lines.toLocaleString("en-GB").padStart(10)} lines`,
  );
