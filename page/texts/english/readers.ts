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
  generalVerdict: "Readers in general",
  because: "Reasons",
  removeReader: "Remove this reader",
  removeReaderQuestion: "Remove this reader and the imported history?",
};
