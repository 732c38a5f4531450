import type { BenchWords } from "./bench-words.ts";

export const ENGLISH_WORDS: BenchWords = {
  method: {
    paired: (pairs) =>
      `${pairs} ${pairs === 1 ? "pair was" : "pairs were"} compared on composites over the chapters that both have of the novels they share: signs of whole novels exchanged, in all pairs together, with Holm's step-down correction in Westfall and Young's form.`,
    unpaired: (pairs, leastNovels) =>
      `${pairs} ${pairs === 1 ? "pair shares" : "pairs share"} fewer than ${leastNovels} novels, or only a few of those they wrote, and ${pairs === 1 ? "was" : "were"} compared by Welch's test with the degrees of freedom of the writer with fewer novels, and Holm's correction.`,
    promise: (significance, percent) =>
      `Two writers are told apart at a corrected p below ${significance}, which keeps the chance of even one false difference at ${percent} % or less.`,
  },
  power: (deviation, pairs, needs) =>
    `Power: paired differences of novels have a standard deviation of ${deviation} here; with 80 % power among ${pairs} ${pairs === 1 ? "pair" : "pairs"}, the novels per writer needed are ${needs.map(({ difference, novels }) => `${novels} for a difference of ${difference}`).join(", ")}.`,
  warnings: {
    ceiling: (writers) =>
      `${writers.length === 1 ? `${writers[0]} stands` : `${writers.length} writers stand (${writers.slice(0, 5).join(", ")})`} at the top of the population, where the percentile no longer separates: compare composites, or place them on a stronger population (classics, or the upper half of this one).`,
    length: (spearman, moved) =>
      `Scores go with length (Spearman ${spearman} across texts).${moved ? ` Brought to one length, ${moved.writer} would stand at ${moved.to} instead of ${moved.from}.` : ""}`,
    ownFamily: (judge, writers, family) =>
      `${judge} judges ${writers} ${writers === 1 ? "writer" : "writers"} of its own family (${family}): confirm the order with a judge of another family.`,
    anchorsLow: (median, bulk) =>
      `The anchors do not stand above the population's bulk (their middle is at percentile ${median}, not above ${bulk}): what this judge places high need not be what readers call great.`,
    anchorsInPopulation: (novels) =>
      `${novels.length} ${novels.length === 1 ? "anchor is" : "anchors are"} also in the population (${novels.slice(0, 5).join(", ")}): leave them out of one of the two folders.`,
    chapterCoverage: (writers) =>
      `${writers.length === 1 ? "A writer lacks" : `${writers.length} writers lack`} chapters that others have of the same novels (${writers
        .slice(0, 5)
        .map(({ writer, percent }) => `${writer} has ${percent} %`)
        .join(
          ", ",
        )}): levels, composites and their order rest on the chapters that each has; pairs are compared over those that both have.`,
    unplacedNovels: (novels, isPanel) =>
      `${novels} ${novels === 1 ? "novel lacks" : "novels lack"} a score ${isPanel ? "of some judge of the panel" : "in some dimension"} and ${novels === 1 ? "was" : "were"} not placed.`,
    unplacedWriters: (writers) => `No novel of ${writers.join(", ")} could be placed.`,
    weakComponent: (percent) => `the first component explains only ${percent} % of the variance`,
    constant: (dimensions) => `no novel differs from another in ${dimensions.join(", ")}: it has no weight`,
    against: (dimensions) => `${dimensions.join(", ")} runs against the other dimensions`,
    cancelled: "the loadings cancel out: every dimension was given the same weight",
    seldomScored: (dimension) => `${dimension} is hardly ever scored and was left out`,
    languages: (counts) =>
      `The novels are in several languages (${counts.map(([language, novels]) => `${novels} in ${language}`).join(", ")}): prepare a folder for each, since no judge compares them fairly.`,
  },
  rates: (writer, { asked, cutOff, refused, unwritten, offLength }) => {
    const parts = [
      cutOff > 0 ? `${cutOff} cut off by the token limit` : null,
      refused > 0 ? `${refused} refused` : null,
      unwritten > refused ? `${unwritten - refused} not written` : null,
      offLength > 0 ? `${offLength} shorter than half or longer than twice the length asked for` : null,
    ].filter((part) => part !== null);
    return parts.length === 0
      ? null
      : `${writer}, of ${asked} ${asked === 1 ? "chapter" : "chapters"}: ${parts.join("; ")}.`;
  },
};
