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
  [/^no offline judge reads a story$/, "离线评委不读故事"],
  [
    /^the editor's score of the prose stands beside the others, on its own scale$/,
    "编辑对文笔的评分与其他评委并列，用它自己的量表",
  ],
  [/^the crowd gives one score for the whole text$/, "读者群只给全文一个分数"],
  [/^the grader's own criteria stand beside its score$/, "评分模型自己的标准列在它的分数旁"],
  [/^the chapter has fewer than (\d+) words of prose$/, "本章正文不足 $1 个英文词"],
  [/^the text has (\d+) words of prose, and at least (\d+) are needed$/, "正文只有 $1 个英文词，而至少需要 $2 个"],
  [/^the text is not English \(.*\), and the jury reads English only$/, "这不是英文，而随附的评委只读英文"],
  [/^the text is not connected English prose: .*$/, "这不是连贯的英文散文：缺少连接句子的小词"],
  [/^the text looks like code or markup, not like prose$/, "这像是代码或标记，不是散文"],
  [/^the text is a list or a table of contents, not connected prose$/, "这是列表或目录，不是连贯的散文"],
  [/^the words do not follow each other as words of English sentences do$/, "词语的排列不像英文句子"],
  [/^neighbouring sentences have no more in common than .*$/, "相邻句子之间的联系不多于随机排列：不是连贯的散文"],
  [/^neighbouring paragraphs have no more in common than .*$/, "相邻段落之间的联系不多于随机排列：不是连贯的散文"],
  [/^the dialogue seems to be missing: .*$/, "对话似乎缺失：句子以“said”之类的词开头，前面却没有说的话"],
  [/^two books seem to be mixed: .*$/, "似乎混入了另一本书：两组人物出现在相同的页面，却几乎从不在同一段里"],
  [/^the text is far from anything .* learnt from$/, "这与该评委学过的文字相差太远"],
  [/^(the book is )?outside what this juror learnt from$/, "超出该评委学过的范围"],
  [
    /^outside what this juror learnt from: it reads like an older novel( and it may be (not a story|neither a story nor an essay))?$/,
    "超出该评委学过的范围：读来像较早年代的小说",
  ],
  [
    /^outside what this juror learnt from: it may be (not a story|neither a story nor an essay)$/,
    "超出该评委学过的范围：可能不是故事",
  ],
  [/^the text does not read as a story( or an essay)?$/, "这段文字读来不像故事"],
  [/^the text is set in lines like verse, and the jury reads prose$/, "文字像诗一样分行，而评委只读散文"],
  [/^the text is set as a play, .*$/, "文字写成剧本，台词前有人名，而评委只读散文"],
  [/^no published novels have been scored by the \w+$/, "该评委没有给已出版的小说打过分"],
  [/^there is no score to place$/, "没有可以排位的分数"],
  [/^it was not asked for$/, "没有要求评这一项"],
  [/^the reply gives no score for it$/, "回答中没有它的分数"],
  [/^the model refused\b.*$/, "模型拒绝回答"],
  [
    /^No juror reads the story\. .*$/,
    "没有一位评委读过这个故事。每位评委只衡量文字与某一类评判者所欣赏的有多相似，分数只代表那一类评判者。使用前请先读评委的说明卡。",
  ],
  [
    /^No juror notices chapters in another order, .*$/,
    "没有一位评委会注意到章节顺序被打乱、缺少或重复一章、人名互换、拼写错误或陈词滥调：小说被这样破坏之后，分数的下降都没有超过自身的波动。较短的书段落顺序被打乱后，评分者的分数可能略高（见评委的说明卡）。",
  ],
  [
    /^Line notes give the probability that a professional editor would change a sentence; .* ([\d.]+ ?%?) were changed\.$/,
    "批注给出专业编辑修改某一句的概率；在它学过的句子中，被修改的比例是 $1。",
  ],
  [
    /^Chapter (\d+)(.*) has ([\d,]+) words, (\d+) times the median: .*$/,
    "第 $1 章$2 有 $3 个词，是中位数的 $4 倍：其中可能有没认出的标题。",
  ],
  [
    /^The last paragraph of chapter (\d+).* ends in mid-sentence \((.*)\): .*$/,
    "第 $1 章的最后一段在句子中间结束（$2）：文件可能不完整。",
  ],
  [/^The numbering of the chapters jumps: (.*)\.$/, "章节编号有跳跃：$1。"],
  [
    /^The first number of a chapter is (\d+), at chapter (\d+): .*$/,
    "章节编号从 $1 开始（第 $2 章）：文件可能缺少开头。",
  ],
  [/^The table of contents lists chapters that were not found: (.*)\.$/, "目录中有些章节没有找到：$1。"],
  [/^Two chapters in a row have the same number: (.*)\.$/, "相邻两章的编号相同：$1。"],
  [
    /^No chapter headings were found: the text was cut into (\d+) pieces .*$/,
    "没有找到章节标题：已在场景分隔和段落结尾处分成 $1 段。",
  ],
  [
    /^No chapter headings were found in the file's (\d+) pages: the text was cut into (\d+) pieces .*$/,
    "文件的 $1 页中没有找到章节标题：已在场景分隔和段落结尾处分成 $2 段。",
  ],
  [
    /^No chapter headings were found in the file's (\d+) pages: they were read as one chapter\.$/,
    "文件的 $1 页中没有找到章节标题：已作为一章读入。",
  ],
  [
    /^Chapter (\d+) “(.*)” after the last numbered one has no number: .*$/,
    "第 $1 章“$2”在最后一个有编号的章节之后，没有编号：可能是那一章里的标题或信件。",
  ],
  [
    /^No chapter headings were found, but some lines may be headings: (.*)\.$/,
    "没有找到章节标题，但有些行可能是标题：$1。",
  ],
  [
    /^The file declares ([\d,]+) pages as chapters, ([\d,]+) chapters were found: .*$/,
    "文件标明 $1 章，找到 $2 章：请查看章节列表。",
  ],
  [/^Removed, may be story: .*; ([\d,]+) words.*$/, "已去掉的内容可能属于故事，共 $1 个词：请在“已去掉”列表中检查。"],
  [/^The archive lists (.*) but does not hold it\.$/, "压缩文件列出了 $1，但其中没有它。"],
  [/^The file holds ([\d,]+) NUL bytes .*$/, "文件的词与词之间有 $1 个 NUL 字节，已当作换行：请检查文字。"],
  [/^([\d,]+) bytes? do(?:es)? not decode as (\S+) .*$/, "有 $1 个字节无法按 $2 解码，已替换为占位符。"],
  [/^the book has no chapters$/, "书中没有章节"],
  [
    /^The scores are a language-model grader's\. These novels are outside what it learnt from, .*$/,
    "分数来自语言模型评分器。这些小说超出它学过的范围，因此评委评过的书不在其中排位；早期版本评过的书仍有排位。",
  ],
  [
    /^Levels are mean percentiles among (\d+) novels(?: \(.*\))?, judged by the embedded grader, .* Their intervals include the uncertainty of the population and of the writer\.$/,
    "水平是在 $1 部小说中的平均百分位，由随附的评分器评判（它代表一个语言模型的评分，并不阅读故事）。其区间包含总体与作者两方面的不确定性。",
  ],
  [
    /^Levels are mean percentiles among (\d+) novels(?: \(.*\))?, judged by (.+?)(?:; .*)?\. Their intervals include the uncertainty of the population and of the writer\.$/,
    "水平是在 $1 部小说中的平均百分位，评判：$2。其区间包含总体与作者两方面的不确定性。",
  ],
];
