import { loadJury } from "../src/jury/jury.ts";
import { readBook } from "../src/text/read-book.ts";

/** How long all three jurors and the line notes take for a novel, and how much memory: `npx tsx benchmarks/jury.ts NOVEL`. */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Give a novel: npx tsx benchmarks/jury.ts novel.epub");
const book = await readBook(file);
const before = process.cpuUsage();
const started = performance.now();
const jury = await loadJury();
const chapters = book.chapters.map(({ text }) => jury.prepare(text));
const opinions = jury.judge(chapters);
const notes = chapters.flatMap((chapter) => jury.notes.read(chapter));
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(before);
console.log(
  `${book.title}, ${book.words} words: three jurors and ${notes.length} line notes in ${((user + system) / 1e6).toFixed(1)} s of processor time (${seconds.toFixed(1)} s), ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`,
);
for (const { juror, overall, domain, caveat } of Object.values(opinions)) {
  console.log(juror, JSON.stringify(overall), domain, caveat ?? "");
}
