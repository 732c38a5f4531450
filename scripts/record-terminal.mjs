// Records a short session of the built command as an animated picture: docs/guide/terminal.svg. `npm run record:terminal`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const story = join(root, "assets", "examples", "the-inspector-of-weights.md");
const SESSION = [
  { typed: "npx fabula demo", words: ["demo"], lines: 16 },
  { typed: "npx fabula notes story.md --top 3", words: ["notes", story, "--top", "3"], lines: 8 },
  {
    typed: "npx fabula evaluate story.md --quiet --fail-below editor=9 --strict",
    words: ["evaluate", story, "--quiet", "--fail-below", "editor=9", "--strict"],
    lines: 3,
  },
];
const [WIDTH, LETTER, LINE, MARGIN] = [100, 7.8, 17, 16];
const SECONDS = { command: 1.2, line: 0.12, pause: 2 };

const folder = mkdtempSync(join(tmpdir(), "fabula-recording-"));
const shown = [];
let at = 0.4;
for (const { typed, words, lines } of SESSION) {
  shown.push({ text: `$ ${typed}`, at, isCommand: true });
  at += SECONDS.command;
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "dist", "cli", "main.js"), ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", COLUMNS: String(WIDTH) },
  });
  const output = `${stdout}${stderr}`.replaceAll(story, "story.md").trim().split("\n");
  for (const text of [...output.slice(0, lines), ...(output.length > lines ? ["…"] : []), ""]) {
    shown.push({ text: text.slice(0, WIDTH), at, isCommand: false });
    at += SECONDS.line;
  }
  at += SECONDS.pause;
}
rmSync(folder, { recursive: true, force: true });

const [width, height] = [Math.ceil(WIDTH * LETTER + 2 * MARGIN), shown.length * LINE + 2 * MARGIN];
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const rows = shown.map(
  ({ text, at: when, isCommand }, row) =>
    `<text x="${MARGIN}" y="${MARGIN + (row + 0.75) * LINE}" class="${isCommand ? "command" : "line"}" style="animation-delay:${when.toFixed(2)}s" xml:space="preserve">${escaped(text)}</text>`,
);
writeFileSync(
  join(root, "docs", "guide", "terminal.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A session in a terminal: fabula demo, fabula notes, and a limit that fails">
<style>
rect { fill: #1b1e24 }
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #d7dae0; opacity: 0; animation: appear 0.05s forwards }
.command { fill: #8fd48f; font-weight: bold }
@keyframes appear { to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { text { opacity: 1; animation: none } }
</style>
<rect width="${width}" height="${height}" rx="8"/>
${rows.join("\n")}
</svg>
`,
);
