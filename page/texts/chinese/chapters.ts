import type { chapterCorrections as english } from "../english/chapters.ts";

/** The ways to read chapters that Fabula knows; a name that is not here is shown as it is. */
const WAYS = new Map([
  ["the file's own division", "文件自身的划分"],
  ["numbered chapter headings", "带编号的章节标题"],
  ["the file's navigation", "文件的导航目录"],
  ["numbers that count", "连续的数字"],
  ["titles in the table of contents", "目录中的标题"],
  ["parts", "分部"],
  ["headings that the file marks", "文件标记的标题"],
  ["titles in capitals", "大写的标题"],
  ["parts, although many other titles have text of their own", "分部（另有许多标题下有正文）"],
  ["a single chapter heading", "唯一的章节标题"],
  ["page breaks", "分页"],
  ["dates", "日期"],
]);
const way = (by: string) => WAYS.get(by) ?? by;

export const chapterCorrections: typeof english = {
  correctChapters: "更正章节",
  correctChaptersHint: "这是文件中原有的章节。保存的更正随书保留，以后的每次评估都会使用；此前的评估仍对应原来的章节。",
  chapterTitle: "标题",
  joinToPrevious: "并入上一章",
  notOfTheStory: "不属于正文",
  splitAt: "从以此开头的一行起另分一章",
  splitTitle: "新章标题",
  readingUsed: (by: string, count: number) => `依据：${way(by)}，共 ${count} 章。也可以换一种方式分章：`,
  readingInstead: (by: string, count: number) => `依据：${way(by)}，共 ${count} 章`,
  saveChapters: "保存章节",
  undoCorrections: "恢复文件原样",
  otherCorrections: (count: number) => `另有 ${count} 处更正保持不变。`,
};
