import type { readers as english } from "../english/readers.ts";

export const readers: typeof english = {
  readersIntroduction: "根据某位读者以往的评分，推断他会怎样看一本书。",
  importReader: "导入阅读历史",
  readerName: "读者姓名",
  readerFile: "Goodreads 或 StoryGraph 的导出文件、CSV 或 JSONL",
  dropReaderFile: "填写姓名，然后把文件拖到本页任意位置。",
  rewards: "比其他读者更看重",
  punishes: "比其他读者更不能容忍",
  tasteOf: (kind, name) =>
    kind === "mood"
      ? `氛围“${name}”的书`
      : kind === "pace"
        ? `节奏“${name}”的书`
        : kind === "shelf"
          ? `书架“${name}”`
          : kind === "aspect"
            ? `评论谈到“${name}”时`
            : `类型“${name}”`,
  tasteReviews: (count, low, high) => `${low} 至 ${high}，${count} 条评论`,
  tasteEvidence: (rating, others) => `${rating} 分，其他读者 ${others} 分`,
  readerScale: "文件中的最高分",
  importButton: "导入",
  imported: (count, name) => `已为${name}导入 ${count} 条评分。`,
  importedWithout: (count) => `${count} 本书没有评分。`,
  importedRepeats: (count) => `${count} 条重复。`,
  noReaders: "还没有读者",
  reviews: "评分数",
  meanRating: "平均分",
  generosity: "宽松程度",
  generosityHint: "与其他读者对同样书籍的评分之差",
  byGenre: "按类型",
  count: "数量",
  latestReviews: "最近",
  personalFor: (name) => `${name}会怎样看一本书`,
  outlineFor: (name) => `${name}会怎样看一份大纲`,
  outline: "大纲",
  outlineHint: "用自己的话写出类型、前提、情节和人物，不超过 1500 词；有小标题时可以更长。",
  otherOutline: "第二份大纲，用于比较",
  predictButton: "预测",
  preferredOutline: (which, percent) => `更可能喜欢：大纲 ${which}（100 次中 ${percent} 次）。`,
  preferenceUnclear: "无法判断更喜欢哪一份。",
  shelfOf: (name) => `待读书目，按${name}可能喜欢的程度排序`,
  shelfTies: "带 = 的书难分高下。",
  noShelf: "导入带有待读书架的 Goodreads 或 StoryGraph 导出文件，即可在此排序。",
  stars: "星级",
  fourInFive: "五次中四次",
  rateThese: "请先给这些书评分",
  rateTheseHint: "已读而未评分的书，它们的评分最能说明这个书架。",
  tellsAbout: (titles) => `最能说明 ${titles}`,
  generalVerdict: "一般读者",
  because: "影响因素",
  removeReader: "移除这位读者",
  removeReaderQuestion: "移除这位读者和导入的历史？",
};
