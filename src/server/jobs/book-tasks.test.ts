import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { draftOf } from "../../../test/support/stories.ts";
import { systemClock } from "../../core/clock.ts";
import { sha256 } from "../../core/hash.ts";
import { BookLibrary } from "../library/book-library.ts";
import { askByHand } from "./book-tasks.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-ask-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("puts a question together for a chat window, and reads the reply without sending or storing anything", async () => {
  const books = await BookLibrary.open(join(folder, "books"), systemClock);
  const path = join(folder, "upload");
  await writeFile(path, draftOf("Asked", 2));
  const { id } = await books.add({ path, sha256: sha256("asked"), name: "asked.md" });
  const { text } = await books.chapter(id, 1);
  const ask = (reply: string | null) =>
    askByHand(
      { folder: books.folderOf(id), question: "Who keeps the light?", reply },
      { signal: new AbortController().signal },
    );
  const { asked, problems, answer } = await ask(null);
  expect(asked.prompt).toContain("Who keeps the light?");
  expect(asked.prompt).toContain(text.slice(0, 60));
  expect([problems, answer]).toEqual([[], null]);
  expect(await ask("I would rather not say.")).toMatchObject({ problems: [expect.any(String)], answer: null });
  const said = (quote: string) => JSON.stringify({ said: true, answer: "Nobody.", passages: [{ chapter: 1, quote }] });
  expect(await ask(said(text.slice(0, 60)))).toMatchObject({
    asked: { id: asked.id },
    problems: [],
    answer: { answer: { said: true, answer: "Nobody.", passages: [{ chapter: 1, start: 0, end: 60 }] }, reason: null },
  });
  // Its quotation is not in the book, so it is not an answer.
  expect(await ask(said("The lamp had been out since the war."))).toMatchObject({
    answer: { answer: { said: false, isUnsupported: true } },
  });
});
