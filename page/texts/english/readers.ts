/** Readers, and how each is likely to rate a book. */
export const readers = {
  readersIntroduction: "How one reader is likely to rate a book, from their earlier ratings.",
  importReader: "Import a reading history",
  readerName: "Name of the reader",
  readerFile: "Export from Goodreads or StoryGraph, CSV or JSONL",
  dropReaderFile: "Give a name and drop the file anywhere on this page.",
  rewards: "Rewards more than other readers do",
  punishes: "Punishes more than other readers do",
  tasteOf: (kind: "genre" | "mood" | "pace" | "shelf" | "aspect", name: string) =>
    kind === "mood"
      ? `${name} books`
      : kind === "pace"
        ? `${name}-paced books`
        : kind === "shelf"
          ? `the shelf “${name}”`
          : kind === "aspect"
            ? `where reviews speak of ${name}`
            : `the genre ${name}`,
  tasteReviews: (count: number, low: string, high: string) =>
    `${low} to ${high}, ${count} ${count === 1 ? "review" : "reviews"}`,
  tasteEvidence: (rating: number, others: string) => `${rating} where others give ${others}`,
  readerScale: "Highest possible rating in the file",
  importButton: "Import",
  imported: (count: number, name: string) =>
    `${count} ${count === 1 ? "rating was" : "ratings were"} imported for ${name}.`,
  importedWithout: (count: number) => `${count} ${count === 1 ? "book" : "books"} had no rating.`,
  importedRepeats: (count: number) => `${count} were duplicates.`,
  noReaders: "No readers yet",
  reviews: "Ratings",
  meanRating: "Mean rating",
  generosity: "Generosity",
  generosityHint: "Points above or below what other readers give the same books",
  byGenre: "By genre",
  count: "Number",
  latestReviews: "Latest",
  personalFor: (name: string) => `What ${name} is likely to think of a book`,
  outlineFor: (name: string) => `What ${name} is likely to think of an outline`,
  outline: "Outline",
  outlineHint: "Genres, premise, plot and characters in your own words, up to 1,500 words; more under headings.",
  otherOutline: "A second outline, to compare",
  predictButton: "Predict",
  preferredOutline: (which: number, percent: number) =>
    `More likely to be preferred: outline ${which} (${percent} in 100).`,
  preferenceUnclear: "Which of the two would be preferred cannot be told.",
  shelfOf: (name: string) => `To read, in the order in which ${name} is likely to like them`,
  shelfTies: "Books with = cannot be told apart.",
  noShelf: "Import a Goodreads or StoryGraph export with a to-read shelf to see it ranked here.",
  stars: "Stars",
  fourInFive: "Four times in five",
  rateThese: "Rate these first",
  rateTheseHint: "Books read and not rated whose ratings would tell most about this shelf.",
  tellsAbout: (titles: string) => `says most about ${titles}`,
  generalVerdict: "Readers in general",
  because: "Reasons",
  removeReader: "Remove this reader",
  removeReaderQuestion: "Remove this reader and the imported history?",
};
