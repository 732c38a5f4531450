/** The text of a book, with what was found in it. */
export const reader = {
  bookText: "Text of the book",
  backToReport: "Back to the report",
  searchInBook: "Search in the book",
  hits: (count: number) => `${count} ${count === 1 ? "place" : "places"}`,
  hitsAtMost: (count: number) => `the first ${count} places`,
  noHits: "No matches in the book.",
  heatLayer: "Heat layer",
  heatOff: "Off",
  heatEdits: "Likely to be edited",
  heatLegend: "Probability that a professional editor changes a sentence",
  heatBaseRate: (rate: string) => `${rate} (base rate)`,
  heatUnavailable: (reason: string) => `No heat layer for this chapter: ${reason}`,
  editLikelihood: (probability: string, why: string | null) =>
    `an editor changes it with probability ${probability}${why === null ? "" : `: ${why}`}`,
  loadingChapter: "Loading the chapter…",
  passageShown: (chapter: string) => `The passage is highlighted in ${chapter}.`,
};
