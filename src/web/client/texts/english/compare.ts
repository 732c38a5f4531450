/** Two evaluations side by side. */
export const compare = {
  compareIntroduction: "Two books, two drafts, two judges or two methods, side by side.",
  left: "Left",
  right: "Right",
  chooseEvaluation: "Choose an evaluation",
  differenceHint: "Right less left, on a scale of 0 to 100, with its interval.",
  clear: "clear",
  notClear: "not clear",
  sameBook: "the same book",
  twoBooks: "two books",
  otherScale: "The two have different scales; differences are on a common scale of 0 to 100.",
  needTwo: "A comparison needs two evaluations. Judge a book first.",
  swap: "Swap",
};
