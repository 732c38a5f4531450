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
  heatLegend: "Each sentence's share in the pocket judge's score",
  heatLowers: "lowers",
  heatRaises: "raises",
  heatUnavailable: (reason: string) => `No heat layer for this chapter: ${reason}`,
  heatShare: (share: string) => `${share} points of 20`,
  loadingChapter: "Loading the chapter…",
  passageShown: (chapter: string) => `The passage is highlighted in ${chapter}.`,
};
