import type { chapterCorrections as english } from "../english/chapters.ts";

export const chapterCorrections: typeof english = {
  correctChapters: "更正章节",
  correctChaptersHint: "这是文件中原有的章节。保存的更正随书保留，以后的每次评估都会使用；此前的评估仍对应原来的章节。",
  chapterTitle: "标题",
  joinToPrevious: "并入上一章",
  notOfTheStory: "不属于正文",
  splitAt: "从以此开头的一行起另分一章",
  splitTitle: "新章标题",
  readingUsed: (by: string, count: number) => `依据：${by}，共 ${count} 章。也可以换一种方式分章：`,
  readingInstead: (by: string, count: number) => `依据：${by}，共 ${count} 章`,
  saveChapters: "保存章节",
  undoCorrections: "恢复文件原样",
  otherCorrections: (count: number) => `另有 ${count} 处更正保持不变。`,
};
