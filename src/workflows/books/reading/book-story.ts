import type { Told } from "../../../judge/subjects/subject.ts";
import type { Story } from "../../../reader/predictor/story.ts";
import type { Book } from "../../../text/book.ts";

/** A book as the personal predictor knows stories: by its description, not by its text. */
export function bookStory(book: Pick<Book, "title" | "genres" | "premise">, told?: Told): Story {
  return {
    title: book.title,
    genres: [...book.genres],
    premise: book.premise ?? undefined,
    plot_summary: told?.plot ?? undefined,
    characters: told?.characters ?? undefined,
  };
}

/** A story with what somebody tells of it; what they leave out stays as it was. */
export function toldOver(story: Story, told: Partial<Story>): Story {
  const said = Object.entries(told).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { ...story, ...Object.fromEntries(said) };
}

/** What is not known of a story that would have made its prediction surer. */
export function missingFrom(story: Story): string[] {
  return [
    ...(story.genres.length === 0 ? ["genres"] : []),
    ...(story.premise ? [] : ["premise"]),
    ...(story.plot_summary ? [] : ["plot summary"]),
    ...(story.characters ? [] : ["characters"]),
  ];
}
