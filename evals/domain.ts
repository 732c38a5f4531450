import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { JUROR_IDS, type JurorId } from "../src/jury/juror.ts";
import { loadJury } from "../src/jury/jury.ts";
import { readBook } from "../src/text/read-book.ts";
import { readNotStories } from "../training/jury/domain/known-texts.ts";
import { updateCard } from "../training/jury/save-juror.ts";

/**
 * What the shipped jurors make of texts that their domain was not learnt from: `npx tsx evals/domain.ts [--folder NAME=PATH]…
 * [--write]`. Always those of `not-stories-check.txt`; every folder is one more row, each of its files a text.
 */
const { values } = parseArgs({ options: { folder: { type: "string", multiple: true }, write: { type: "boolean" } } });

const jury = await loadJury();
const rows: string[] = [];
const kinds = await readNotStories("check");
addRow(
  `written for this, ${new Set(kinds.map(({ source }) => source)).size} kinds`,
  kinds.map(({ text }) => [text]),
);
for (const given of values.folder ?? []) {
  const [name = given, path = given] = given.split("=");
  const texts: string[][] = [];
  for (const file of (await readdir(path)).sort()) {
    const { chapters } = await readBook(join(path, file));
    texts.push(chapters.map(({ text }) => text));
  }
  addRow(name, texts);
}
const example = await readBook(join("assets", "examples", "the-inspector-of-weights.md"));
addRow("the example that ships", [example.chapters.map(({ text }) => text)]);

const table = [
  `| texts never learnt from | n | ${JUROR_IDS.map((juror) => `${juror}: inside, outside, unscored`).join(" | ")} |`,
  "| --- | --- | --- | --- | --- |",
  ...rows,
].join("\n");
console.log(table);
if (values.write) await updateCard(join("assets", "models", "domain"), "check", table);

function addRow(name: string, texts: readonly (readonly string[])[]): void {
  const counts = new Map(JUROR_IDS.map((juror) => [juror, { inside: 0, outside: 0, unscored: 0 }]));
  for (const chapters of texts) {
    const opinions = jury.judge(chapters.map((text) => jury.prepare(text)));
    for (const juror of JUROR_IDS) counts.get(juror)![placeOf(juror, opinions)]++;
  }
  const cells = [...counts.values()].map(({ inside, outside, unscored }) => `${inside}, ${outside}, ${unscored}`);
  rows.push(`| ${name} | ${texts.length} | ${cells.join(" | ")} |`);
}

function placeOf(juror: JurorId, opinions: ReturnType<typeof jury.judge>): "inside" | "outside" | "unscored" {
  const { overall, domain } = opinions[juror];
  return overall.kind === "unscored" ? "unscored" : domain === "inside" ? "inside" : "outside";
}
