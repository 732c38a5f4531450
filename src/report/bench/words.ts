import { countOf } from "../../core/wording.ts";

/**
 * The texts of a leaderboard's reports in each language of a corpus. Figures are passed as text, rounded by the
 * caller.
 */
const ENGLISH_REPORT = {
  title: "Writers among human novels",
  anchors: "classics (anchors)",
  columns: {
    rank: "rank",
    writer: "writer",
    level: "level",
    interval: "interval",
    composite: "composite",
    groups: "told apart",
    levelBy: (judge: string) => `level by ${judge}`,
  },
  pairColumns: ["first", "second", "difference", "interval", "effect", "p", "corrected p"],
  sharedLetter: "Writers that share a letter cannot be told apart.",
  above: "↑ above the population: the percentile no longer separates, read the composite.",
  warning: (text: string) => `Warning: ${text}`,
  panel: (judges: readonly string[]) => `a panel of ${judges.join(", ")}`,
  inBrackets: (judges: string) => `In brackets the level by each judge of the panel: ${judges}.`,
  population: ({
    novels,
    description,
    judge,
    component,
  }: {
    readonly novels: number;
    readonly description: string;
    readonly judge: string;
    readonly component: { readonly percent: string; readonly dimensions: number } | null;
  }) =>
    `Levels are mean percentiles among ${countOf(novels, "novel")}${description === "" ? "" : ` (${description})`}, judged by ${judge}${
      component === null
        ? "; every judge counts the same"
        : component.dimensions > 1
          ? `; the first component explains ${component.percent} % of the variance of ${component.dimensions} dimensions`
          : ""
    }. Their intervals include the uncertainty of the population and of the writer.`,
  grader: "the embedded grader, which speaks for a language-model grader and reads no story",
  undefinedValue: "undefined",
  length: (perDoubling: string, interval: string) =>
    `Length: within a writer, a text twice as long moves the composite by ${perDoubling} (95 % interval ${interval}).`,
  sameLength: "Length: the texts of each writer are too similar in length to say how much length matters.",
  ceiling: (atCeiling: number, writers: number, percentNearTop: string | null) =>
    `Ceiling: ${atCeiling} of ${countOf(writers, "writer")} reach the top of the population${percentNearTop === null ? "" : `; ${percentNearTop} % of the writers below the best cannot be told from it`}.`,
  secondJudge: (spearman: string, kendall: string, writers: number) =>
    `Second judge: Spearman ${spearman}, Kendall τ ${kendall} over ${countOf(writers, "writer")}.`,
  panelPair: (first: string, second: string, spearman: string, kendall: string, writers: number) =>
    `Panel: ${first} and ${second} agree by Spearman ${spearman}, Kendall τ ${kendall} over ${countOf(writers, "writer")}.`,
  anchorsAt: (novels: number, level: string, interval: string, median: string) =>
    `Anchors: ${countOf(novels, "novel")} expected to score higher ${novels === 1 ? "stands" : "stand"} at percentile ${level} (${interval}), the middle one at ${median}.`,
  steady: (judge: string, repeats: number) =>
    `Steadiness: ${judge} gave the same scores in every one of ${repeats} repeats although it was asked at a temperature above 0: its provider is deterministic or answers from a cache, and nothing is measured.`,
  steadiness: (judge: string, texts: number, repeats: number, widest: string, variance: string) =>
    `Steadiness: ${countOf(texts, "text")} scored ${repeats} times each by ${judge} ${texts === 1 ? "has" : "have"} an interquartile range of at most ${widest} and a mean variance of ${variance}.`,
  selfPreference: (judge: string, family: string, advantage: string, interval: string) =>
    `Self-preference: beside a judge of another family, ${judge} moves ${family} writers, its own family, by ${advantage} of composite against writers of neither family (95 % interval ${interval}).`,
  built: {
    summary: (judge: string, novels: number, excluded: number, unscored: number, file: string) =>
      `${judge}: ${countOf(novels, "novel")} placed, ${excluded} excluded, ${countOf(unscored, "chapter")} unscored: ${file}`,
    component: (percent: string) => `The first component explains ${percent} % of the variance.`,
    sameRepeats: (repeats: number) =>
      `Repeat check: every one of ${repeats} repeats at a temperature above 0 gave the same scores: the provider is deterministic or answers from a cache, and nothing is measured.`,
    repeats: (texts: number, repeats: number) =>
      `Repeat check: ${countOf(texts, "text")}, each scored ${repeats} times.`,
    repeat: (mean: string, interquartileRange: string, variance: string) =>
      `mean ${mean}  IQR ${interquartileRange}  variance ${variance}`,
  },
  figures: {
    believed: "Can this be believed?",
    levelsHint:
      "The order and the picture follow the composite; the level is the mean percentile among the population. Intervals are 95 %. Writers that share a letter cannot be told apart.",
    dimensionsHint: "Mean score of each writer in each dimension; darker is higher within the dimension.",
    dimensionsByHint: (judge: string) => `Mean score that ${judge} gave each writer in each dimension.`,
    judgesHint: "The composite that each judge's scores give.",
    writer: "Writer",
    eachJudge: "Judge by judge",
    eachJudgeHint:
      "What each judge makes of the writers by itself: the composite, the group among its own pairs, and the level with its interval.",
    dimension: "Dimension",
    componentName: "Component",
    weight: "Weight",
    share: "Share",
    weights: "Weights of the dimensions",
    weightsHint: "How much each dimension counts: the first component's loadings.",
    variance: "Explained variance",
    varianceHint: "Share of the variance that each component explains.",
    component: (position: number) => `Component ${position}`,
  },
  run: {
    byGrader: "By a language-model grader, ",
    level: (writer: string, level: string, interval: string, novels: number) =>
      `${writer} is at percentile ${level} (${interval}) over ${countOf(novels, "novel")}.`,
    unplaced: (writer: string) => `${writer} could not be placed: no novel of it has all its scores.`,
    ceiling: (composite: string) =>
      `That is the top of the population, where percentiles no longer separate: read the composite, ${composite}.`,
    unscored: (chapters: number) => `${countOf(chapters, "chapter")} could not be scored.`,
    above: (better: string, worse: string, difference: string, p: string) =>
      `${better} stands above ${worse} (by ${difference}, corrected p ${p}).`,
    tied: (first: string, second: string) => `${first} and ${second} cannot be told apart.`,
  },
};

/** Every language has the same texts. */
export type ReportWords = typeof ENGLISH_REPORT;

const CHINESE_REPORT: ReportWords = {
  title: "人类小说之中的作者",
  anchors: "经典作品（锚定）",
  columns: {
    rank: "名次",
    writer: "作者",
    level: "水平",
    interval: "区间",
    composite: "综合分",
    groups: "分组",
    levelBy: (judge) => `${judge} 给出的水平`,
  },
  pairColumns: ["第一位", "第二位", "差", "区间", "效应量", "p", "校正后 p"],
  sharedLetter: "字母相同的作者无法区分。",
  above: "↑ 高于总体：百分位在此不再能区分，请看综合分。",
  warning: (text) => `注意：${text}`,
  panel: (judges) => `${judges.join("、")} 组成的评判组`,
  inBrackets: (judges) => `括号内是各位评判者给出的水平：${judges}。`,
  population: ({ novels, description, judge, component }) =>
    `水平是在 ${novels} 部小说${description === "" ? "" : `（${description}）`}中的平均百分位，评判：${judge}${
      component === null
        ? "；各位评判者权重相同"
        : component.dimensions > 1
          ? `；第一主成分解释了 ${component.dimensions} 个维度方差的 ${component.percent} %`
          : ""
    }。其区间包含总体与作者两方面的不确定性。`,
  grader: "内置评分器（它代表一个语言模型的评分，并不阅读故事）",
  undefinedValue: "无法计算",
  length: (perDoubling, interval) =>
    `篇幅：同一作者的文本篇幅加倍时，综合分变化 ${perDoubling}（95 % 区间 ${interval}）。`,
  sameLength: "篇幅：各作者的文本长短相近，无法说明篇幅的影响。",
  ceiling: (atCeiling, writers, percentNearTop) =>
    `顶端：${writers} 位作者中有 ${atCeiling} 位到达总体的顶端${percentNearTop === null ? "" : `；其余作者中有 ${percentNearTop} % 与最高者无法区分`}。`,
  secondJudge: (spearman, kendall, writers) =>
    `第二位评判者：${writers} 位作者的斯皮尔曼系数为 ${spearman}，肯德尔 τ 为 ${kendall}。`,
  panelPair: (first, second, spearman, kendall, writers) =>
    `评判组：${first} 与 ${second} 对 ${writers} 位作者的斯皮尔曼系数为 ${spearman}，肯德尔 τ 为 ${kendall}。`,
  anchorsAt: (novels, level, interval, median) =>
    `锚定：${novels} 部公认较好的小说位于第 ${level} 百分位（${interval}），中位数在 ${median}。`,
  steady: (judge, repeats) =>
    `稳定性：${judge} 在温度高于 0 的 ${repeats} 次重复中给出完全相同的分数：其服务是确定性的，或者来自缓存，因此没有测出任何东西。`,
  steadiness: (judge, texts, repeats, widest, variance) =>
    `稳定性：${judge} 对 ${texts} 个文本各评 ${repeats} 次，四分位距最大为 ${widest}，平均方差为 ${variance}。`,
  selfPreference: (judge, family, advantage, interval) =>
    `同族偏好：与另一家族的评判者相比，${judge} 使同族（${family}）作者的综合分相对于两族之外的作者变化 ${advantage}（95 % 区间 ${interval}）。`,
  built: {
    summary: (judge, novels, excluded, unscored, file) =>
      `${judge}：排入 ${novels} 部小说，排除 ${excluded} 部，${unscored} 章没有得分：${file}`,
    component: (percent) => `第一主成分解释了 ${percent} % 的方差。`,
    sameRepeats: (repeats) =>
      `重复检验：温度高于 0 的 ${repeats} 次重复给出完全相同的分数：其服务是确定性的，或者来自缓存，因此没有测出任何东西。`,
    repeats: (texts, repeats) => `重复检验：${texts} 个文本，各评 ${repeats} 次。`,
    repeat: (mean, interquartileRange, variance) => `均值 ${mean}  四分位距 ${interquartileRange}  方差 ${variance}`,
  },
  figures: {
    believed: "这些结果可信吗？",
    levelsHint: "名次和图按综合分；水平是在总体中的平均百分位。区间为 95 %。字母相同的作者无法区分。",
    dimensionsHint: "各作者在各维度上的平均分；同一维度内颜色越深分数越高。",
    dimensionsByHint: (judge) => `${judge} 给各作者在各维度上的平均分；同一维度内颜色越深分数越高。`,
    judgesHint: "按每位评判者的分数得出的综合分。",
    writer: "作者",
    eachJudge: "各位评判者",
    eachJudgeHint: "每位评判者单独的看法：综合分、按其自身两两比较的分组，以及水平及其区间。",
    dimension: "维度",
    componentName: "主成分",
    weight: "权重",
    share: "比例",
    weights: "各维度的权重",
    weightsHint: "各维度所占的比重：第一主成分的载荷。",
    variance: "解释的方差",
    varianceHint: "各主成分所解释的方差比例。",
    component: (position) => `第 ${position} 主成分`,
  },
  run: {
    byGrader: "按语言模型评分器，",
    level: (writer, level, interval, novels) =>
      `${writer} 位于第 ${level} 百分位（${interval}），共 ${novels} 部小说。`,
    unplaced: (writer) => `${writer} 无法排入：没有一部小说得分齐全。`,
    ceiling: (composite) => `这已是总体的顶端，百分位在此不再能区分：请看综合分 ${composite}。`,
    unscored: (chapters) => `${chapters} 章没有得分。`,
    above: (better, worse, difference, p) => `${better} 高于 ${worse}（相差 ${difference}，校正后 p ${p}）。`,
    tied: (first, second) => `${first} 与 ${second} 无法区分。`,
  },
};

/** Chinese for a Chinese corpus, English for every other. */
export function reportWordsIn(language: string | null | undefined): ReportWords {
  return language === "zh" ? CHINESE_REPORT : ENGLISH_REPORT;
}
