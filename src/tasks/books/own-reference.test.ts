import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { evaluateBook } from "./evaluate-book.ts";
import { mapBook } from "./map-book.ts";
import { buildReference, readReference } from "./population.ts";

const STORY = assetPath("examples", "the-inspector-of-weights.md");
const CHINESE = assetPath("examples", "the-lamp-at-mist-harbour.zh.md");
const about = { id: "shelf", description: "ten stories of one shelf" };

let folder: string;
let novels: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-reference-"));
  novels = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const file = join(folder, `novel-${at}.md`);
      const line = `"We could leave tonight," said Anna. ${"The road ran on past the mill and the river. ".repeat(at + 1)}`;
      await writeFile(file, `# Chapter 1\n\n${`${line}\n\n`.repeat(20)}`);
      return file;
    }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a reference of a writer's own", () => {
  it("stands beside the figures of the map and of the letter, which says so", async () => {
    const file = join(folder, "reference.json");
    await writeFile(file, JSON.stringify(await buildReference({ files: novels, ...about })));
    const reference = await readReference(file);
    expect(reference.novels).toHaveLength(10);
    const { figures, reference: named } = await mapBook(STORY, { reference: file });
    expect(named).toMatchObject({ ...about, novels: 10 });
    const share = figures.find(({ id }) => id === "dialogue-share")!;
    const theirs = reference.novels
      .map(({ figures: own }) => own["dialogue-share"]!)
      .sort((left, right) => left - right);
    expect(share.reference!.median).toBeCloseTo((theirs[4]! + theirs[5]!) / 2, 3);
    const { blocks } = evaluationView(await evaluateBook(STORY, { reference })).letter!;
    const last = blocks.at(-1)!;
    if (last.kind !== "text") throw new Error("the letter ends with whom it compares the book with");
    expect(last.text).toContain("ten stories of one shelf");
    expect(last.text).not.toContain("They are old");
  });

  it("needs ten novels, in English, and a book in English", async () => {
    await expect(buildReference({ files: novels.slice(1), ...about })).rejects.toThrow("give at least 10");
    await expect(buildReference({ files: [...novels, CHINESE], ...about })).rejects.toThrow("compared in English only");
    const reference = await buildReference({ files: novels, ...about });
    await expect(evaluateBook(CHINESE, { reference })).rejects.toThrow("compared in English only");
    await expect(readReference(CHINESE)).rejects.toThrow("fabula population build");
  });
});
