import type { library as english } from "../english/library.ts";

export const library: typeof english = {
  libraryIntroduction: "把书稿拖到这里：纯文本、Markdown、HTML、EPUB、DOCX 或 PDF。",
  addBook: "添加书籍",
  pasteText: "粘贴文本",
  dropToAdd: "松开即可添加",
  reading: (file) => `正在读取 ${file}…`,
  emptyLibrary: "还没有书",
  emptyLibraryHint: "选择文件、把文件拖到页面上，或粘贴文本。内容只保存在这台电脑上。",
  searchBooks: "搜索书名和作者",
  noBooksFound: "没有书名或作者包含这些字。",
  notJudgedYet: "尚未评估",
  pasteTitle: "书名",
  pasteBody: "正文",
  pasteHint: "“第一章”或“Chapter 1”这样的标题会成为章节。",
  pasteAdd: "添加这段文本",
  added: (title) => `已添加《${title}》。`,
};
