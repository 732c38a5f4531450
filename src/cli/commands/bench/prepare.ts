import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { corpusFiles } from "../../../workflows/bench/corpus.ts";
import { readNovelList } from "../../../workflows/bench/folder.ts";
import { prepareBench } from "../../../workflows/bench/prepare.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary:
    "Prepare a benchmark from a corpus: remove near-duplicates, take ten consecutive chapters of each novel, and give a reason for every exclusion.",
  operands: "FILE|FOLDER...",
  flags: {
    out: { type: "string", value: "FOLDER", help: "the benchmark's folder" },
    chapters: {
      type: "number",
      value: "N",
      default: 10,
      minimum: 1,
      integer: true,
      help: "consecutive chapters per novel",
    },
    "minimum-works": {
      type: "number",
      value: "N",
      default: 1,
      minimum: 1,
      integer: true,
      help: "leave out authors with fewer works",
    },
    similarity: {
      type: "number",
      value: "SHARE",
      default: 0.9,
      minimum: 0.5,
      maximum: 1,
      help: "the similarity above which two texts count as the same",
    },
    list: {
      type: "string",
      value: "FILE",
      help: "a CSV or TSV with a heading: file (or title), and genre, year or author of each novel",
    },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "the random seed for the choice of chapters" },
  },
  examples: [
    "fabula bench prepare corpus/ --out bench/                         (every book in the folder)",
    "fabula bench prepare corpus/*.epub --out bench/",
    "fabula bench prepare corpus/*.txt --out bench/ --minimum-works 2",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0)
      throw new FabulaError("E_USAGE", "Give the novels: `fabula bench prepare corpus/*.epub --out bench/`.");
    const { novels, chapters, excluded, languages, warnings } = await prepareBench({
      files: await corpusFiles(operands),
      folder: requireFlag("bench prepare", "out", flags.out),
      chapters: flags.chapters,
      minimumWorks: flags["minimum-works"],
      similarity: flags.similarity,
      seed: flags.seed,
      ...(flags.list !== undefined && { list: await readNovelList(flags.list) }),
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    if (flags.json) terminal.print(jsonDocument("bench-chapters", { novels, chapters, languages, excluded, warnings }));
    else {
      terminal.print(
        `${countOf(novels, "novel")} with ${countOf(flags.chapters, "chapter")} each; ${excluded.length} left out.`,
      );
      const counts = Object.entries(languages).map(([language, count]) => `${language} ${count}`);
      if (counts.length > 1)
        terminal.note(`Several languages (${counts.join(", ")}): prepare a folder for each before you compare.`);
      if (novels > 0 && !("en" in languages) && !("unknown" in languages))
        terminal.note(
          "The embedded grader reads English only: name a language model when you build, such as `--judge openai:gpt-4o`.",
        );
      for (const { file, warning } of warnings) terminal.note(`${file}: ${warning}`);
      for (const { file, reason } of excluded.slice(0, 20)) terminal.print(`  ${file}: ${reason}`);
      if (excluded.length > 20) terminal.print(`  … and ${excluded.length - 20} more in manifest.json`);
    }
    if (novels === 0) throw new FabulaError("E_BENCH_EMPTY", "No novel is left: see the reasons above.");
    return 0;
  },
});
