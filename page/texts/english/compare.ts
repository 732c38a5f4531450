/** Two evaluations side by side. */
export const compare = {
  compareIntroduction: "Two books, two drafts, two judges or two methods, side by side.",
  left: "Left",
  right: "Right",
  chooseEvaluation: "Choose an evaluation",
  differenceHint: (minimum: number, maximum: number) =>
    `Scores on a scale of ${minimum} to ${maximum}; the difference is right minus left, in points of that scale, with its interval.`,
  asGiven: (score: string, minimum: number, maximum: number) => `As given: ${score} on ${minimum} to ${maximum}`,
  clear: "clear",
  notClear: "no clear difference",
  sameBook: "the same book",
  twoBooks: "two books",
  otherScale:
    "The two have different scales, so both are mapped linearly onto 0 to 100. The same place on two scales need not mean the same.",
  otherJudgesAndBooks:
    "Different judges judged different books: a difference may be the judge's rather than the book's.",
  otherMethodsAndBooks: "The methods differ, and with them what the judges saw of each book.",
  otherJudges: "Two judges read the same book: what differs is how they judge, and neither need be right.",
  otherSettings: (differences: string) =>
    `The two were made with different settings, so a difference may come from them: ${differences}.`,
  otherMethods: "The same book was read in two ways: what differs is what the judge saw of it at a time.",
  onlyChance: "The same judge read the same book in the same way: what differs is chance.",
  takenAsIndependent: "The interval of a difference assumes that the two evaluations are independent.",
  needTwo: "A comparison needs two evaluations",
  needTwoHint: "For example one book by two judges, or two drafts of it by the same judge. Judge a book first.",
  swap: "Swap",
};
