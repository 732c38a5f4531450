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
  heatLegend: "每个句子在口袋评委分数中的份额",
  heatLowers: "拉低",
  heatRaises: "抬高",
  heatUnavailable: (reason) => `本章没有热力层：${reason}`,
  heatShare: (share) => `${share} 分（满分 20）`,
  loadingChapter: "正在载入章节…",
  passageShown: (chapter) => `已在${chapter}中标出该段落。`,
};
