import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { About } from "../../../src/api/about.ts";
import type { Paged } from "../../../src/api/answers.ts";
import type { BookDetails, ChapterText, ShelfBook } from "../../../src/api/books.ts";
import type { DraftComparison, ParagraphReading } from "../../../src/api/drafts.ts";
import type { BookNotes } from "../../../src/api/notes.ts";
import { addStory, problem } from "../../support/library-requests.ts";
import { STORY } from "../../support/stories.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();
const answer = async <T>(response: Response) => (await response.json()) as T;
const paragraphAt = (text: string, number: number) => {
  const paragraph = text.split("\n\n")[number]!;
  const start = text.indexOf(paragraph);
  return { start, end: start + paragraph.length, text: paragraph };
};

describe("the drafts of a book", () => {
  it("are recognised by their text, taken apart and joined when the writer says so, and compared passage by passage", async () => {
    const { server } = library;
    const first = await addStory(server);
    expect(first).toMatchObject({ draft: 1, sameTitle: null });
    const story = readFileSync(STORY, "utf8");
    const changed = story.replace(
      /\n\n(?=[A-Z][^\n]{200})/,
      "\n\nA stranger came to the weigh-house before it was light.\n\n",
    );
    expect(changed).not.toBe(story);
    const upload = await server.upload("/api/books", { name: "second.md", content: changed });
    const second = await answer<BookDetails>(upload);
    expect(second).toMatchObject({ draft: 2, sameTitle: null });
    const apart = await answer<BookDetails>(await server.send("PATCH", `/api/books/${second.id}`, { draftOf: null }));
    expect(apart).toMatchObject({ draft: 1, sameTitle: first.id });
    const joined = await answer<BookDetails>(
      await server.send("PATCH", `/api/books/${second.id}`, { draftOf: first.id }),
    );
    expect(joined).toMatchObject({ draft: 2, sameTitle: null });
    expect(joined.drafts.map(({ id }) => id)).toEqual([first.id, second.id]);

    const shelf = await server.json<Paged<ShelfBook>>("/api/books/shelf?search=inspector");
    expect(shelf).toMatchObject({ total: 1, items: [{ id: second.id, words: second.words, open: null }] });
    expect(shelf.items[0]!.drafts.map(({ id, draft }) => [id, draft])).toEqual([
      [first.id, 1],
      [second.id, 2],
    ]);
    expect(await server.json("/api/books/shelf?search=nowhere")).toMatchObject({ items: [], total: 0 });

    const { changes } = await server.json<DraftComparison>(`/api/drafts?before=${first.id}&after=${second.id}`);
    expect(changes.text?.paragraphs).toMatchObject({ added: 1, removed: 0, moved: 0, rewritten: 0 });
    expect(changes.text?.changes[0]?.runs).toEqual([
      { kind: "added", text: "A stranger came to the weigh-house before it was light." },
    ]);
    expect(changes.jurors?.map(({ id, scale }) => [id, scale.maximum])).toEqual([
      ["crowd", 100],
      ["editor", 10],
      ["grader", 20],
    ]);
    // One sentence of eight thousand words is within every juror's error.
    expect(changes.jurors?.map(({ beyondNoise }) => beyondNoise)).toEqual([false, false, false]);
    expect(changes.figures?.find(({ id }) => id === "dialogue-share")?.before).toBeGreaterThan(0);
  });

  it("can be written here: a paragraph is read as it changes, and saved as a draft while the file stays as it was", async () => {
    const { server } = library;
    const book = await addStory(server);
    const chapter = await server.json<ChapterText>(`/api/books/${book.id}/chapters/2`);
    const { start, end, text } = paragraphAt(chapter.text, 1);
    const read = async (now: string) =>
      answer<ParagraphReading>(
        await server.send("POST", `/api/books/${book.id}/paragraph`, { chapter: 2, start, end, text: now }),
      );
    const before = await read(text);
    const cliche = `${text} There was a silence, and it was as clear as crystal, and she felt it in the pit of her stomach.`;
    const after = await read(cliche);
    const figure = ({ figures }: ParagraphReading, id: string) => figures.find((each) => each.id === id)?.value ?? 0;
    expect(after.notes.length).toBeGreaterThan(before.notes.length);
    expect(figure(after, "words")).toBe(figure(before, "words") + 21);
    expect(figure(after, "filter-words")).toBe(figure(before, "filter-words") + 1);
    expect(after.jurors.map(({ verdict }) => verdict.kind)).toEqual(["scored", "scored", "scored"]);
    expect(after.jurors).not.toEqual(before.jurors);

    expect(
      (
        await problem(
          server.send("POST", `/api/books/${book.id}/drafts`, { revisions: [{ chapter: 2, start, end, text }] }),
        )
      ).code,
    ).toBe("E_NO_CHANGE");
    const saved = await answer<BookDetails>(
      await server.send("POST", `/api/books/${book.id}/drafts`, {
        revisions: [{ chapter: 2, start, end, text: cliche }],
      }),
    );
    expect(saved.title).toBe(book.title);
    expect(saved.drafts.map(({ id }) => id)).toContain(book.id);
    const revised = await server.json<ChapterText>(`/api/books/${saved.id}/chapters/2`);
    expect(revised.text).toBe(chapter.text.slice(0, start) + cliche + chapter.text.slice(end));
    expect((await server.json<ChapterText>(`/api/books/${book.id}/chapters/2`)).text).toBe(chapter.text);
  });
});

describe("line notes", () => {
  it("are as many as a writer can use, and what is said of one stays with the book and its next draft", async () => {
    const { server } = library;
    const book = await addStory(server);
    const notes = await server.json<BookNotes>(`/api/books/${book.id}/notes`);
    expect(notes.notes.length).toBeGreaterThan(3);
    expect(notes.notes.length).toBeLessThanOrEqual(25);
    const everything = await server.json<BookNotes>(`/api/books/${book.id}/notes?all=1`);
    expect(everything.notes.length).toBe(everything.likely);
    expect(everything.likely).toBeGreaterThanOrEqual(notes.notes.length);
    const [one, other] = notes.notes;
    for (const [note, mark] of [
      [one, "done"],
      [other, "ignored"],
    ] as const)
      expect((await server.send("PATCH", `/api/books/${book.id}/notes/${note!.id}`, { mark })).status).toBe(204);
    const again = await server.json<BookNotes>(`/api/books/${book.id}/notes`);
    expect(again.notes.slice(0, 2).map(({ mark }) => mark)).toEqual(["done", "ignored"]);
    const { text } = await server.json<ChapterText>(`/api/books/${book.id}/chapters/12`);
    const last = paragraphAt(text, 0);
    const saved = await answer<BookDetails>(
      await server.send("POST", `/api/books/${book.id}/drafts`, {
        revisions: [{ chapter: 12, start: last.start, end: last.end, text: `${last.text} So it ended.` }],
      }),
    );
    const later = await server.json<BookNotes>(`/api/books/${saved.id}/notes?all=1`);
    expect(later.notes.find(({ id }) => id === one!.id)?.mark).toBe("done");
  });
});

describe("a judge that cannot read a book", () => {
  it("is refused before anything starts, with a suggestion; a key can be given without a restart", async () => {
    const { server } = library;
    const chinese = await answer<BookDetails>(await server.send("POST", "/api/books/sample", { language: "zh" }));
    const request = { bookId: chinese.id, method: "aggregate", aspects: [], runs: 1, maximumCost: null };
    const refused = await problem(server.send("POST", "/api/jobs", { ...request, judges: ["jury"] }));
    expect(refused).toMatchObject({ code: "E_JUDGE_LANGUAGE", message: expect.stringContaining("openai:") });

    const ready = async () =>
      (await server.json<About>("/api/about")).judges.find(({ name }) => name.startsWith("openai:"))?.isReady;
    expect(await ready()).toBe(false);
    const body = { variable: "OPENAI_API_KEY", key: "sk-only-for-this-test" };
    expect((await server.send("POST", "/api/keys", body)).status).toBe(204);
    expect(await ready()).toBe(true);
    const plan = await server.send("POST", "/api/plans", { ...request, judges: ["openai:gpt-4.1"] });
    expect(plan.status).toBe(200);
    expect(await plan.text()).not.toContain("sk-only");
  });
});
