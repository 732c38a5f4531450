/** In Chinese, why the judge that ships inside gave no score; it says so in these words, and language models in their own. */
export const chineseReasons: readonly (readonly [RegExp, string])[] = [
  [
    /^the text is not English prose\b.*, and the pocket judge reads English only$/,
    "这不是英文散文，而随附的评委只读英文",
  ],
  [
    /^the text has (\d+) words of prose, and the pocket judge needs at least (\d+)$/,
    "正文只有 $1 个英文词，而随附的评委至少需要 $2 个",
  ],
  [
    /^the pocket judge has no grades of setting and world-building to learn from$/,
    "随附的评委没有学过背景与世界的评分",
  ],
  [/^the pocket judge has no grades of themes to learn from$/, "随附的评委没有学过主题的评分"],
  [
    /^a reader's enjoyment is for readers to grade, and the pocket judge learnt from none$/,
    "阅读的乐趣要由读者评分，而随附的评委没有学过读者的评分",
  ],
  [/^the pocket judge knows nothing of what a reader hoped for$/, "随附的评委不知道读者期待什么"],
  [/^it was not asked for$/, "没有要求评这一项"],
  [/^the book has no chapters$/, "书中没有章节"],
];
