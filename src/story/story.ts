import { z } from "zod";
import { chapterEntry, personEntry, type Story } from "../judge/letter/parts.ts";
import { quotedSchema } from "./claim.ts";
import type { QuotationCheck } from "./locate.ts";

/** The same as a model gives it, with quotations that nobody has looked up yet. */
export const storyReplySchema = z.object({
  premise: z.string(),
  question: z.string(),
  chapters: z.array(z.object({ chapter: z.number(), ...chapterEntry })),
  people: z.array(z.object({ ...personEntry, passages: z.array(quotedSchema) })),
  threads: z.array(z.object({ thread: z.string(), opened: quotedSchema.nullable(), closed: quotedSchema.nullable() })),
});
export type StoryReply = z.infer<typeof storyReplySchema>;

export type { Story };
export const EMPTY_STORY: Story = { premise: "", question: "", chapters: [], people: [], threads: [] };

/** The story with its quotations placed. A thread whose opening does not stand in the book is not believed. */
export function checkedStory(reply: StoryReply, check: QuotationCheck, chapters: readonly number[]): Story {
  const place = (quoted: z.infer<typeof quotedSchema> | null) => quoted && check.locate(quoted);
  return {
    premise: reply.premise,
    question: reply.question,
    chapters: reply.chapters.filter(({ chapter }) => chapters.includes(chapter)),
    people: reply.people.map((person) => ({ ...person, passages: check.locateAll(person.passages) })),
    threads: reply.threads
      .map(({ thread, opened, closed }) => ({ thread, opened: place(opened), closed: place(closed) }))
      .filter(({ opened }) => opened !== null),
  };
}

/** Two replies about one book: what the second adds about chapters and people that the first left out. */
export function joinStories(first: Story, second: Story): Story {
  const known = new Set(first.people.flatMap(({ name, also }) => [name, ...also]));
  const chapters = new Set(first.chapters.map(({ chapter }) => chapter));
  return {
    ...first,
    chapters: [...first.chapters, ...second.chapters.filter(({ chapter }) => !chapters.has(chapter))].sort(
      (left, right) => left.chapter - right.chapter,
    ),
    people: [...first.people, ...second.people.filter(({ name }) => !known.has(name))],
    threads: [...first.threads, ...second.threads],
  };
}

/** The story as a later question shows it to a model. */
export function storyText({ premise, question, chapters, people, threads }: Story): string {
  return [
    premise,
    question,
    ...chapters.map(
      ({ chapter, happens, changes, viewpoint, time }) =>
        `[Chapter ${chapter}] ${[viewpoint, time].filter(Boolean).join(", ")}: ${happens} Changes: ${changes}`,
    ),
    ...people.map(({ name, role, wants, arc }) => `${name}, ${role}. Wants: ${wants}. ${arc}`),
    ...threads.map(
      ({ thread, opened, closed }) =>
        `${thread}: opened in chapter ${opened?.chapter ?? "?"}, ${closed ? `closed in chapter ${closed.chapter}` : "never closed"}`,
    ),
  ]
    .filter((line) => line !== "")
    .join("\n");
}
