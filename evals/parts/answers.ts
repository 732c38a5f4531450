import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readJsonLines } from "../../src/core/json-lines.ts";
import { readQaDocuments } from "../../src/qa/dataset/read-documents.ts";
import { loadMetrics } from "../../src/qa/metrics/load-metrics.ts";
import { predictionSchema } from "../../src/qa/scoring/prediction.ts";
import { scorePredictions } from "../../src/qa/scoring/score-predictions.ts";
import { distinctWords, matchSummary, SAME_BOOK_SHARE } from "../../src/text/document-filters.ts";
import { readBook } from "../../src/text/read-book.ts";
import { defineEval, type Figure } from "../part.ts";

/** METEOR as the LiteraryQA paper prints it (Table 7), by a part of the file's name. */
const PUBLISHED: Readonly<Record<string, { name: string; meteor: number }>> = {
  "Llama-3.1-8B": { name: "Llama 3.1 8B", meteor: 0.3669 },
  NExtLong: { name: "NExtLong 8B", meteor: 0.3617 },
  "Qwen2.5-7B": { name: "Qwen 2.5 7B", meteor: 0.3311 },
  "Qwen2.5-14B": { name: "Qwen 2.5 14B", meteor: 0.3632 },
  "glm-4-9b": { name: "GLM-4 9B", meteor: 0.3849 },
};

export default defineEval({
  id: "answers",
  title: "Answers about books",
  data: {
    literaryqa: "folder of LiteraryQA: predictions-*.jsonl.gz, test.jsonl.gz, validation.jsonl.gz",
    epubs: "folder of EPUBs named author_title.epub, some of them books of LiteraryQA",
  },
  async run({ literaryqa, epubs }, onProgress) {
    const figures: Figure[] = [];
    const metrics = await loadMetrics(["meteor"]);
    for (const file of (await readdir(literaryqa)).filter((name) => name.startsWith("predictions-")).sort()) {
      const published = Object.entries(PUBLISHED).find(([part]) => file.includes(part))?.[1];
      if (!published) continue;
      onProgress({ stage: file, done: figures.length, total: null });
      const { items, means } = scorePredictions(await readJsonLines(join(literaryqa, file), predictionSchema), metrics);
      figures.push({
        id: `meteor-${published.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
        name: `METEOR of ${published.name}'s published answers`,
        value: means.meteor!,
        interval: null,
        n: items.length,
        better: "higher",
        compare: { name: "printed in the paper", value: published.meteor },
      });
    }
    return [...figures, ...(await matchFigures(literaryqa, epubs, onProgress))];
  },
});

/** Every summary against every book: does it go with its own, and with no other? */
async function matchFigures(
  data: string,
  folder: string,
  onProgress: (event: { stage: string; done: number; total: number }) => void,
): Promise<Figure[]> {
  const splits = ["test", "validation"].map((split) => readQaDocuments(join(data, `${split}.jsonl.gz`)));
  const documents = (await Promise.all(splits)).flat();
  const files = (await readdir(folder)).filter((name) => name.endsWith(".epub"));
  const right = { kept: 0, pairs: 0 };
  const wrong = { found: 0, pairs: 0 };
  for (const [index, file] of files.entries()) {
    onProgress({ stage: "matching summaries", done: index, total: files.length });
    const book = await readBook(join(folder, file));
    const words = distinctWords(book.chapters.map(({ text }) => text).join("\n\n"));
    for (const { title, summary } of documents) {
      const { share } = matchSummary(summary, words);
      if (share === null) continue;
      if (plainTitle(title) === plainTitle(book.title)) {
        right.pairs++;
        if (share >= SAME_BOOK_SHARE) right.kept++;
      } else {
        wrong.pairs++;
        if (share < SAME_BOOK_SHARE) wrong.found++;
      }
    }
  }
  const figure = (id: string, name: string, hits: number, n: number): Figure[] =>
    n === 0 ? [] : [{ id, name, value: hits / n, interval: null, n, better: "higher" }];
  return [
    ...figure("own-summary-kept", "Summaries recognised as their book's own", right.kept, right.pairs),
    ...figure("wrong-summary-found", "Summaries of other books recognised as wrong", wrong.found, wrong.pairs),
  ];
}

function plainTitle(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/\(.*?\)/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
