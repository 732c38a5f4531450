import type { StoryDetails } from "../../judge/subjects.ts";
import type { Story } from "../../reader/predictor/story.ts";
import type { Book } from "../../text/book.ts";

/** A book as the personal predictor knows stories: by its description, not by its text. */
export function bookStory(book: Pick<Book, "title" | "genres" | "premise">, details?: StoryDetails): Story {
  return {
    title: book.title,
    genres: [...book.genres],
    premise: book.premise ?? undefined,
    plot_summary: details?.plot ?? undefined,
    characters: details?.characters ?? undefined,
  };
}

/** A story with the details the user gave; those left out stay as they were. */
export function withGivenDetails(story: Story, details: Partial<Story>): Story {
  const given = Object.entries(details).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { ...story, ...Object.fromEntries(given) };
}

/** The missing details of a story that would make its prediction more certain. */
export function missingFrom(story: Story): string[] {
  return [
    ...(story.genres.length === 0 ? ["genres"] : []),
    ...(story.premise ? [] : ["premise"]),
    ...(story.plot_summary ? [] : ["plot summary"]),
    ...(story.characters ? [] : ["characters"]),
  ];
}
