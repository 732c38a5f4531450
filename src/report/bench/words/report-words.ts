/** What the reports of a leaderboard say, in each language of a corpus. Figures come as text, rounded by the caller. */
export interface ReportWords {
  readonly title: string;
  readonly anchors: string;
  /** Headings of the terminal's table, in order. */
  readonly columns: {
    readonly rank: string;
    readonly writer: string;
    readonly level: string;
    readonly interval: string;
    readonly composite: string;
    readonly groups: string;
    levelBy(judge: string): string;
  };
  /** Headings of the table of pairs: first, second, difference, interval, effect, p, corrected p. */
  readonly pairColumns: readonly [string, string, string, string, string, string, string];
  readonly matrix: {
    readonly label: string;
    effect(size: string): string;
    significance(p: string, corrected: string): string;
    shared(novels: number): string;
    readonly unpaired: string;
  };
  readonly sharedLetter: string;
  readonly above: string;
  warning(text: string): string;
  inBrackets(judges: string): string;
  population(facts: {
    readonly novels: number;
    readonly description: string;
    readonly judge: string;
    /** Null with a panel, whose judges count the same. */
    readonly component: { readonly percent: string; readonly dimensions: number } | null;
  }): string;
  readonly grader: string;
  readonly undefinedValue: string;
  length(perDoubling: string, interval: string): string;
  readonly sameLength: string;
  ceiling(atCeiling: number, writers: number, percentNearTop: string | null): string;
  secondJudge(spearman: string, kendall: string, writers: number): string;
  panelPair(first: string, second: string, spearman: string, kendall: string, writers: number): string;
  anchorsAt(novels: number, level: string, interval: string, median: string): string;
  steady(judge: string, repeats: number): string;
  steadiness(judge: string, texts: number, repeats: number, widest: string, variance: string): string;
  selfPreference(judge: string, family: string, advantage: string, interval: string): string;
  readonly built: {
    summary(judge: string, novels: number, excluded: number, unscored: number, file: string): string;
    component(percent: string): string;
    sameRepeats(repeats: number): string;
    repeats(texts: number, repeats: number): string;
    repeat(mean: string, interquartileRange: string, variance: string): string;
  };
  /** Headings, figures and captions of the HTML report. */
  readonly figures: {
    readonly lang: string;
    readonly believed: string;
    readonly board: string;
    readonly levels: string;
    readonly levelsHint: string;
    levelsBy(judge: string): string;
    levelsByHint(judge: string): string;
    readonly placed: string;
    readonly placedHint: string;
    readonly dimensions: string;
    readonly dimensionsHint: string;
    dimensionsBy(judge: string): string;
    dimensionsByHint(judge: string): string;
    readonly pairsHint: string;
    readonly weights: string;
    readonly weightsHint: string;
    readonly variance: string;
    readonly varianceHint: string;
    component(position: number): string;
    readonly lengths: string;
    readonly lengthsHint: string;
    readonly wordsPerChapter: string;
    readonly distributionsHint: string;
  };
  readonly run: {
    readonly byGrader: string;
    level(writer: string, level: string, interval: string, novels: number): string;
    unplaced(writer: string): string;
    ceiling(composite: string): string;
    unscored(chapters: number): string;
    above(better: string, worse: string, difference: string, p: string): string;
    tied(first: string, second: string): string;
  };
}
