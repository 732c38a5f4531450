import type { reader as english } from "../english/reader.ts";

export const reader: typeof english = {
  bookText: "全书正文",
  backToReport: "回到报告",
  searchInBook: "在书中搜索",
  hits: (count) => `${count} 处`,
  hitsAtMost: (count) => `前 ${count} 处`,
  noHits: "书中没有这些字。",
  heatLayer: "热力层",
  heatOff: "关闭",
  heatEdits: "可能被修改的句子",
  heatLegend: "职业编辑修改该句的概率",
  heatBaseRate: (rate) => `${rate}（平均水平）`,
  heatUnavailable: (reason) => `本章没有热力层：${reason}`,
  editLikelihood: (probability, why) => `编辑修改它的概率为 ${probability}${why === null ? "" : `：${why}`}`,
  loadingChapter: "正在载入章节…",
  passageShown: (chapter) => `已在${chapter}中标出该段落。`,
};
