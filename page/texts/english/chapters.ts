/** Chapters put right by hand. */
export const chapterCorrections = {
  correctChapters: "Correct the chapters",
  correctChaptersHint:
    "These are the chapters as the file has them. What you save is kept with the book and used by every later evaluation; earlier ones refer to the chapters as they were.",
  chapterTitle: "Title",
  joinToPrevious: "Join to the one before",
  notOfTheStory: "Not part of the story",
  splitAt: "Split at the line that begins with",
  splitTitle: "Title of the new chapter",
  readingUsed: (by: string, count: number) =>
    `Read by ${by}: ${count} ${count === 1 ? "chapter" : "chapters"}. The file can also be read in another way:`,
  readingInstead: (by: string, count: number) => `By ${by}: ${count} ${count === 1 ? "chapter" : "chapters"}`,
  saveChapters: "Save the chapters",
  undoCorrections: "Restore the file’s chapters",
  otherCorrections: (count: number) =>
    `${count} further ${count === 1 ? "correction was" : "corrections were"} made in book.yaml and ${count === 1 ? "stays" : "stay"} as ${count === 1 ? "it is" : "they are"}.`,
};
