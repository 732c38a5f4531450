import type { PersonalVerdict } from "../../api/readers.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { bookStory, missingFrom } from "../../workflows/books/reading/book-story.ts";
import { readerPlaces } from "../../workflows/readers/personal-part.ts";
import { predictForProfile } from "../../workflows/readers/predict.ts";
import { type BookCard, describedBook } from "../library/book-files.ts";

/** One reader's predicted verdict on a book of the library, beside the general one; with the latest evaluation, also the reasons. */
export async function personalVerdict(
  profile: ReaderProfile,
  card: BookCard,
  evaluation: BookEvaluation | null,
): Promise<PersonalVerdict> {
  const story = bookStory(describedBook(card));
  const { prediction, view } = predictForProfile(profile, story);
  const places = evaluation ? await readerPlaces(profile, evaluation) : [];
  const notes = [...places.map(({ text }) => text), ...missingInWords(missingFrom(story))];
  const shared = { reader: profile.name, bookId: card.id, title: describedBook(card).title };
  if (prediction.kind === "unscored" || !view) {
    const reason = prediction.kind === "unscored" ? prediction.reason : "it could not be predicted";
    const headline = `What ${profile.name} would think of it cannot be predicted: ${reason}.`;
    return { ...shared, personal: null, general: null, unscored: reason, headline, because: [], notes };
  }
  const reasons = [...view.because, ...view.against, ...(view.story ? [view.story] : [])];
  return {
    ...shared,
    personal: { rating: prediction.rating, interval: prediction.interval },
    general: { rating: view.general.rating, interval: null },
    unscored: null,
    headline: view.headline,
    because: reasons.map(({ about, title, text, effect }) => ({
      text: about === "history" && title !== undefined ? `${title}: ${text}` : text,
      effect,
    })),
    notes: [...view.notes, ...notes],
  };
}

function missingInWords(missing: readonly string[]): string[] {
  const known = missing.filter((what) => what === "genres" || what === "premise");
  return known.length === 0
    ? []
    : [`It would be surer with the book's ${known.join(" and ")}: add them in the library.`];
}
