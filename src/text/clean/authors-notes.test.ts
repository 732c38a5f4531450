import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../read-book.ts";

const read = (body: string) =>
  readBookFromBytes(
    new TextEncoder().encode(`<html><head><title>The Lamp</title></head><body>${body}</body></html>`),
    "lamp.html",
  );
const story = (chapter: number) =>
  Array.from(
    { length: 12 },
    (_, at) => `<p>On day ${chapter} she asked at house ${at} about the boat, and nobody knew where it had gone.</p>`,
  ).join("");
const label = (name: string, text: string) => `<p>${name}</p><blockquote><p>${text}</p></blockquote>`;

describe("a writer's note to the readers of a story published chapter by chapter", () => {
  it("is not part of the chapters, and its removal is reported", async () => {
    const chapter = (number: number) =>
      `<div class="meta"><h2>Chapter ${number}</h2>${label("Chapter Summary", "The boat is gone.")}${label("Chapter Notes", "Thank you all for reading!")}</div>
       <div class="userstuff">${story(number)}</div>
       <div class="meta">${label("Chapter End Notes", "The next one comes on Friday.")}</div>
       <div class="author-note-portlet"><p>Vote for this story!</p></div>`;
    const { chapters, removed } = await read(
      `<p><b>The Lamp</b><br>Posted originally on the Archive of Our Own at a place.</p>
       <dl class="tags"><dt>Rating:</dt><dd>General</dd></dl><h1>The Lamp</h1>${[1, 2, 3].map(chapter).join("")}`,
    );
    expect(chapters.map(({ title }) => title)).toEqual(["Chapter 1", "Chapter 2", "Chapter 3"]);
    for (const { text } of chapters) {
      expect(text).toMatch(/^On day/);
      expect(text).toMatch(/gone\.$/);
    }
    const notes = removed.filter(({ rule }) => rule === "author's note").map(({ text }) => text);
    expect(notes).toHaveLength(12);
    expect(notes).toContain("Chapter Notes Thank you all for reading!");
    expect(removed.map(({ rule }) => rule)).toContain("tags");
  });

  it("is story if a character's note is quoted, or if it goes on for pages", async () => {
    const long = "He wrote that the lamp was out and the sea was high. ".repeat(60);
    const { chapters } = await read(
      `<h2>Chapter 1</h2>${story(1)}${label("The note said:", "Meet me at the mill.")}${story(1)}<h2>Chapter 2</h2>${story(2)}${label("Notes", long)}`,
    );
    const text = chapters.map((chapter) => chapter.text).join("\n");
    expect(text).toContain("Meet me at the mill.");
    expect(text).toContain(long.trim());
  });
});
