// Runs the newcomer's script on Node 20, 22 and 24, each fetched from npm's `node` package into a folder of its own. Needs a network.
//   npm run test:node-versions [-- 22 24]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const versions = process.argv.length > 2 ? process.argv.slice(2) : ["20", "22", "24"];
let failed = 0;
for (const version of versions) {
  const folder = join(root, "test-output", `node-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${version}`], { cwd: folder });
  const node = join(folder, "node_modules", "node", "bin", "node");
  console.log(`\nNode ${version}`);
  const { status } = spawnSync(process.execPath, [join(root, "scripts", "newcomer.mjs"), node], { stdio: "inherit" });
  if (status !== 0) failed += 1;
}
process.exitCode = failed > 0 ? 1 : 0;
