import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeJsonLines } from "../../core/json-lines.ts";
import { bookFilesIn } from "./book-files.ts";
import { documentSchema } from "./document.ts";
import { readQaDocuments } from "./read-documents.ts";
import { stepsAfter } from "./steps.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "qa-dataset-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writeNarrativeQa(): Promise<void> {
  await writeFile(
    join(folder, "documents.csv"),
    "document_id,set,kind,story_url,story_file_size,wiki_url,wiki_title,story_word_count,story_start,story_end\n" +
      "a1,test,gutenberg,http://www.gutenberg.org/ebooks/1342.txt.utf-8,1,http://w/x,The Salt Ledger,10,s,e\n" +
      'b2,train,movie,http://m/script,1,http://w/y,"Ledger, The Film",10,s,e\n',
  );
  await writeFile(
    join(folder, "qaps.csv"),
    "document_id,set,question,answer1,answer2,question_tokenized,answer1_tokenized,answer2_tokenized\n" +
      'a1,test,"Who said ""no""?",Ines,"Ines, at last",q,a,a\nb2,train,Where?,At sea,The sea,q,a,a\n',
  );
  await writeFile(
    join(folder, "summaries.csv"),
    'document_id,set,summary,summary_tokenized\na1,test," Ines keeps\nthe books.",t\nb2,train,A film.,t\n',
  );
}

describe("data sets", () => {
  it("reads NarrativeQA's folder as LiteraryQA's shape", async () => {
    await writeNarrativeQa();
    const documents = await readQaDocuments(folder);
    expect(documents).toHaveLength(2);
    expect(documents[0]).toMatchObject({
      document_id: "a1",
      gutenberg_id: "1342",
      kind: "gutenberg",
      split: "test",
      title: "The Salt Ledger",
      summary: "Ines keeps\nthe books.",
      qas: [{ question: 'Who said "no"?', answers: ["Ines", "Ines, at last"] }],
    });
    expect(await readQaDocuments(folder, "train")).toHaveLength(1);
    await expect(readQaDocuments(folder, "dev")).rejects.toThrow('no books of the split "dev"');
  });

  it("says what a NarrativeQA folder lacks", async () => {
    await expect(readQaDocuments(folder)).rejects.toThrow("has no documents.csv");
  });

  it("keeps the fields of LiteraryQA that it does not know", async () => {
    const path = join(folder, "books.jsonl");
    await writeJsonLines(path, [
      { document_id: "x", title: "T", summary: "", qas: [{ question: "Q?", answers: ["A"], extra: 1 }], year: 1913 },
    ]);
    const [document] = await readQaDocuments(path);
    expect(document).toMatchObject({ year: 1913, qas: [{ extra: 1, is_question_modified: false }] });
  });

  it("finds a book's text by its id or its number at Project Gutenberg", async () => {
    for (const name of ["a1.txt", "pg42.html", "7-0.txt", "notes"]) await writeFile(join(folder, name), "x");
    const files = await bookFilesIn(folder);
    const book = (document_id: string, gutenberg_id?: string) =>
      files(
        documentSchema.parse({ document_id, title: "", summary: "", qas: [], ...(gutenberg_id && { gutenberg_id }) }),
      );
    expect(book("a1", "42")).toBe(join(folder, "a1.txt"));
    expect(book("zz", "42")).toBe(join(folder, "pg42.html"));
    expect(book("zz", "7")).toBe(join(folder, "7-0.txt"));
    expect(book("zz")).toBeNull();
    await expect(bookFilesIn(join(folder, "none"))).rejects.toThrow("cannot be read");
  });

  it("adds up what stages removed, reason by reason", () => {
    const book = (id: string, questions: number) =>
      documentSchema.parse({
        document_id: id,
        title: "",
        summary: "",
        qas: Array.from({ length: questions }, (_, index) => ({ question: `Q${index}?`, answers: ["A"] })),
      });
    const input = [book("a", 3), book("b", 2), book("c", 5)];
    const losses = [
      { reason: "play", documents: 1, questions: 2 },
      { reason: "play", documents: 1, questions: 3 },
    ];
    const filtered = stepsAfter([], "filtered", input, losses, [input[2]!]);
    expect(filtered.map(({ kind, documents, questions }) => [kind, documents, questions])).toEqual([
      ["start", 3, 10],
      ["removed", -2, -5],
      ["result", 1, 5],
    ]);
    const unique = stepsAfter(filtered, "deduplicated", [input[2]!], [], [input[2]!]);
    expect(unique.map(({ kind }) => kind)).toEqual(["start", "removed", "result", "result"]);
  });
});
