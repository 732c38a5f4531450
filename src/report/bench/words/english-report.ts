import type { ReportWords } from "./report-words.ts";

export const ENGLISH_REPORT: ReportWords = {
  title: "Writers among human novels",
  anchors: "classics (anchors)",
  columns: {
    rank: "rank",
    writer: "writer",
    level: "level",
    interval: "interval",
    adjusted: "adjusted",
    composite: "composite",
    groups: "told apart",
    levelBy: (judge) => `level by ${judge}`,
  },
  pairColumns: ["first", "second", "difference", "interval", "effect", "p", "corrected p"],
  matrix: {
    label: "Pairwise differences",
    effect: (size) => `effect ${size}`,
    significance: (p, corrected) => `p ${p}, corrected ${corrected}`,
    shared: (novels) => `${novels} shared novels`,
    unpaired: "compared over all novels of each",
  },
  sharedLetter: "Writers that share a letter cannot be told apart.",
  above: "↑ above the population: the percentile no longer separates, read the composite.",
  warning: (text) => `Warning: ${text}`,
  inBrackets: (judges) => `In brackets the level by each judge of the panel: ${judges}.`,
  population: ({ novels, description, judge, component }) =>
    `Levels are mean percentiles among ${novels} novels${description === "" ? "" : ` (${description})`}, judged by ${judge}${
      component === null
        ? "; every judge counts the same"
        : component.dimensions > 1
          ? `; the first component explains ${component.percent} % of the variance of ${component.dimensions} dimensions`
          : ""
    }. Their intervals include the uncertainty of the population and of the writer.`,
  grader: "the embedded grader, which speaks for a language-model grader and reads no story",
  undefinedValue: "undefined",
  length: (acrossTexts, acrossWriters, perDoubling) =>
    `Length: Spearman of score and length is ${acrossTexts} across texts and ${acrossWriters} across writers${perDoubling === null ? "" : `; twice the length moves the composite by ${perDoubling} within a writer`}.`,
  ceiling: (atCeiling, writers, percentNearTop) =>
    `Ceiling: ${atCeiling} of ${writers} writers reach the top of the population${percentNearTop === null ? "" : `; ${percentNearTop} % of the others cannot be told from the best`}.`,
  secondJudge: (spearman, kendall, writers) =>
    `Second judge: Spearman ${spearman}, Kendall τ ${kendall} over ${writers} writers.`,
  panelPair: (first, second, spearman, kendall, writers) =>
    `Panel: ${first} and ${second} agree by Spearman ${spearman}, Kendall τ ${kendall} over ${writers} writers.`,
  anchorsAt: (novels, level, interval, median) =>
    `Anchors: ${novels} novels expected to score higher stand at percentile ${level} (${interval}), the middle one at ${median}.`,
  steady: (judge, repeats) =>
    `Steadiness: ${judge} gave the same scores in every one of ${repeats} repeats although it was asked at a temperature above 0: its provider is deterministic or answers from a cache, and nothing is measured.`,
  steadiness: (judge, texts, repeats, widest, variance) =>
    `Steadiness: ${texts} texts scored ${repeats} times each by ${judge} have an interquartile range of at most ${widest} and a mean variance of ${variance}.`,
  selfPreference: (judge, family, advantage) =>
    `Self-preference: ${judge} places ${family} writers, its own family, ${advantage} of composite higher than a judge of another family does, beyond the difference for the other writers.`,
  built: {
    summary: (judge, novels, excluded, unscored, file) =>
      `${judge}: ${novels} novels placed, ${excluded} excluded, ${unscored} chapters unscored: ${file}`,
    component: (percent) => `The first component explains ${percent} % of the variance.`,
    sameRepeats: (repeats) =>
      `Repeat check: every one of ${repeats} repeats at a temperature above 0 gave the same scores: the provider is deterministic or answers from a cache, and nothing is measured.`,
    repeats: (texts, repeats) => `Repeat check: ${texts} texts, each scored ${repeats} times.`,
    repeat: (mean, interquartileRange, variance) => `mean ${mean}  IQR ${interquartileRange}  variance ${variance}`,
  },
  figures: {
    lang: "en",
    believed: "Can this be believed?",
    board: "Leaderboard",
    levels: "Level of each writer",
    levelsHint:
      "Mean percentile among the population, with its 95 % interval. Writers that share a letter cannot be told apart.",
    levelsBy: (judge) => `Level of each writer by ${judge}`,
    levelsByHint: (judge) => `The same chapters by ${judge} alone.`,
    placed: "Writers on the distribution of human novels",
    placedHint: "The curve is the population's composite score; each line is a writer.",
    dimensions: "Writers by dimensions",
    dimensionsHint: "Mean score of each writer in each dimension; darker is higher within the dimension.",
    dimensionsBy: (judge) => `Writers by dimensions, judged by ${judge}`,
    dimensionsByHint: (judge) => `Mean score that ${judge} gave each writer in each dimension.`,
    pairsHint:
      "Difference of composites, row minus column, over the novels that both wrote. Bold pairs are told apart after correction for all pairs.",
    weights: "Weights of the dimensions",
    weightsHint: "How much each dimension counts: the first component's loadings.",
    variance: "Explained variance",
    varianceHint: "Share of the variance that each component explains.",
    component: (position) => `Component ${position}`,
    lengths: "Level against length",
    lengthsHint: "Level of each writer against the mean length of the chapters.",
    wordsPerChapter: "mean words per chapter",
    distributionsHint: "The human novels in each dimension (solid) and a normal curve (dashed).",
  },
  run: {
    byGrader: "By a language-model grader, ",
    level: (writer, level, interval, novels) =>
      `${writer} is at percentile ${level} (${interval}) over ${novels} ${novels === 1 ? "novel" : "novels"}.`,
    unplaced: (writer) => `${writer} could not be placed: no novel of it has all its scores.`,
    ceiling: (composite) =>
      `That is the top of the population, where percentiles no longer separate: read the composite, ${composite}.`,
    unscored: (chapters) => `${chapters} ${chapters === 1 ? "chapter" : "chapters"} could not be scored.`,
    above: (better, worse, difference, p) => `${better} stands above ${worse} (by ${difference}, corrected p ${p}).`,
    tied: (first, second) => `${first} and ${second} cannot be told apart.`,
  },
};
