import type { benchmark as english } from "../english/benchmark.ts";

export const benchmark: typeof english = {
  benchmarkIntroduction: "作者在人类小说中的位置。",
  leaderboard: "排行榜",
  rank: "名次",
  writer: "作者",
  rankedBook: "书",
  level: "水平",
  composite: "综合分",
  group: "组",
  groupHint: "字母相同者分不出高下。",
  texts: "文本数",
  anchor: "锚点",
  heatMap: "各维度",
  heatMapHint: "各维度的平均分；颜色越深，在该维度中越高。",
  distribution: "分布",
  distributionHint: "人类小说的总体；每条线是一位作者的位置。",
  population: (novels, judge) => `${novels} 部小说，评委 ${judge}`,
  noWriters: "还没有作者放到这个总体上。可用 `fabula bench run` 和 `fabula bench place`。",
  noBenchmarks: "服务器上没有基准。请用 `fabula serve --bench 文件夹` 启动。",
  chooseBenchmark: "基准",
};
