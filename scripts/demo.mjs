// Evaluates the bundled story with the jury that ships inside, and says where the report is.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const story = join("assets", "examples", "the-inspector-of-weights.md");
const report = "fabula-report.html";
const { status } = spawnSync(
  process.execPath,
  [join("dist", "cli", "main.js"), "evaluate", story, "--out", report, ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit" },
);
// 3: finished, with something unscored and said so; a juror may refuse a text.
if (status !== 0 && status !== 3) process.exit(status ?? 1);
console.log(`The report is in ${report}: open it in a browser.`);
