import type { figures as english } from "../english/figures.ts";
import { count as number } from "../language.ts";

export const figures: typeof english = {
  words: (count) => `${number(count)} 词`,
  chapters: (count) => `${number(count)} 章`,
  chapterNumber: (index) => `第 ${index} 章`,
  chapterRange: (first, last) => `第 ${first} 至 ${last} 章`,
  by: (author) => `${author} 著`,
  ofScale: (maximum) => `满分 ${maximum}`,
  likely: (low, high) => `约在 ${low} 至 ${high} 之间`,
  noInterval: "无区间",
  percentile: "百分位",
  percentileOf: (percentile, size) => `在 ${size} 本书中居第 ${percentile} 百分位`,
  percentileShort: (percentile) => `${percentile}`,
  unscored: "未评分",
  unscoredBecause: (reason) => `未评分：${reason}`,
  points: (share) => `${share} 分`,
  score: "分数",
  overall: "总评",
  interval: "区间",
  aspect: "方面",
  judge: "评委",
  method: "方法",
  cost: "费用",
  calls: "调用",
  coverage: "已读",
  coverageOf: (percent) => `全文的 ${percent}`,
  wordsSeen: (inFull, throughSummaries, quoted) =>
    `通读 ${inFull} 词，经由摘要 ${throughSummaries} 词，摘录原文 ${quoted} 词`,
  repeats: "重复",
  date: "日期",
};
