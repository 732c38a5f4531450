import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STORY } from "../../../../test/support/stories.ts";
import { evaluationView } from "../../../report/evaluation-view.ts";
import { htmlReport } from "../../../report/html-report.ts";
import { markdownReport } from "../../../report/markdown-report.ts";
import { terminalReport } from "../../../report/terminal-report.ts";
import { evaluateBook } from "../evaluate-book.ts";

const SENTENCE = "He took hold of the near handle as she came down the slip";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-draft-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a draft against the one before, by the jury", () => {
  it("says first what became of each finding", async () => {
    const story = await readFile(STORY, "utf8");
    const paragraphs = story.split("\n\n").filter((paragraph) => paragraph.split(" ").length > 60);
    const [one, two] = [paragraphs[1]!, paragraphs[3]!];
    const [before, after] = [join(folder, "before.md"), join(folder, "after.md")];
    await writeFile(before, `${story}\n\n${one}\n`);
    await writeFile(after, `${story}\n\n${two}\n`);
    const { changes } = await evaluateBook(after, { against: before });
    expect(changes!.findings!.fixed.map(({ kind }) => kind)).toContain("repeated-passage");
    expect(changes!.findings!.new.map(({ kind }) => kind)).toContain("repeated-passage");
    expect(changes!.words![0]).toMatch(
      /^Of \d+ findings? in the earlier draft, 1 is fixed and \d+ still there; 1 is new\.$/,
    );
  });

  it("shows what was rewritten, each juror on its own scale, and cannot tell better from worse after one sentence", async () => {
    const story = await readFile(STORY, "utf8");
    expect(story).toContain(SENTENCE);
    const next = join(folder, "next.md");
    await writeFile(next, story.replace(SENTENCE, "He put one hand under the near handle as she came down"));
    const evaluation = await evaluateBook(next, { against: STORY });
    const { changes } = evaluation;
    expect(changes?.text?.paragraphs).toMatchObject({ rewritten: 1, added: 0, removed: 0, moved: 0 });
    expect(changes?.text?.changes[0]).toMatchObject({ kind: "rewritten", before: { chapter: 1 } });
    expect(changes?.jurors?.map(({ scale, beyondNoise }) => [scale.maximum, beyondNoise])).toEqual([
      [100, false],
      [10, false],
      [20, false],
    ]);
    expect(changes?.lineNotes?.before.sentences).toBeGreaterThan(0);
    expect(changes?.figures?.length).toBeGreaterThan(20);
    const words = changes!.words!.join("\n");
    expect(words).toMatch(/The crowd, of 100: .*cannot be told.*The editor, of 10: .*cannot be told/s);
    expect(words).toContain("Paragraphs: 1 rewritten, 0 added, 0 removed, 0 moved");
    // Every report shows this before the letter, with the passage.
    const view = evaluationView(evaluation);
    const plain = [terminalReport(view, { colours: false, width: 300 }), markdownReport(view)];
    for (const report of [...plain, await htmlReport(view)]) {
      expect(report).toMatch(/Since the earlier draft.*Paragraphs: 1 rewritten.*In short/s);
    }
    const passage = /rewritten: ….*took\s+hold of the near handle.*→ ….*put\s+one\s+hand under the near\s+handle/s;
    for (const report of plain) expect(report).toMatch(passage);
  });
});
