import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { systemClock } from "../../core/clock.ts";
import { type Finding, findingId } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import { BookLibrary } from "../library/book-library.ts";
import { letterDocument } from "./notes-document.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-document-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const TEXT = "Rosamund rang. Hadley heard the bell.";

function finding(quote: string, title: string): Finding {
  const start = TEXT.indexOf(quote);
  const passages = [{ chapter: 1, start, end: start + quote.length, quote }];
  return {
    id: findingId("character", passages),
    ...{
      kind: "character",
      title,
      claim: "",
      severity: "should",
      certainty: 0.9,
      origin: "counted",
      passages,
      advice: "",
    },
  };
}

it("has comments on open findings alone, and says in the letter which are done or intended", async () => {
  const books = await BookLibrary.open(join(folder, "books"), systemClock);
  const path = join(folder, "upload");
  await writeFile(path, `# One\n\n${TEXT}`);
  const { id } = await books.add({ path, sha256: sha256(TEXT), name: "one.md" });
  const [fixed, open] = [finding("Rosamund rang.", "Who rang?"), finding("Hadley heard the bell.", "Who heard?")];
  await books.writerSays(id, (said) => ({ ...said, findings: { [fixed.id]: { mark: "done" } } }));
  const words = { language: "en" as const, opening: [], figures: "", notJudged: "" };
  const letter = { findings: [fixed, open], outside: [], reference: null, words };
  const evaluation = { ...sampleJuryEvaluation(), letter };
  const entries = unzipSync(await letterDocument({ folder: books.folderOf(id), evaluation }));
  const text = (name: string) => strFromU8(entries[name]!).replace(/<[^>]+>/g, "");
  expect(text("word/document.xml")).toContain("Who rang? (done)");
  expect(text("word/document.xml")).not.toContain("Who heard? (");
  expect(text("word/comments.xml")).toContain(open.id);
  expect(text("word/comments.xml")).not.toContain(fixed.id);
});
