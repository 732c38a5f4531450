import type { Language } from "./language.ts";
import { englishWhys } from "./spoken.ts";

/** In Chinese, why the judge that ships inside gave no score; it says so in these words, and language models in their own. */
const chineseReasons: readonly (readonly [RegExp, string])[] = [
  [/^the text is not English prose\b.*, and the grader reads English only$/, "这不是英文散文，而随附的评委只读英文"],
  [
    /^the text has (\d+) words of prose, and the grader needs at least (\d+)$/,
    "正文只有 $1 个英文词，而随附的评委至少需要 $2 个",
  ],
  [/^the grader has no grades of setting and world-building to learn from$/, "随附的评委没有学过背景与世界的评分"],
  [/^the grader has no grades of themes to learn from$/, "随附的评委没有学过主题的评分"],
  [
    /^a reader's enjoyment is for readers to grade, and the grader learnt from none$/,
    "阅读的乐趣要由读者评分，而随附的评委没有学过读者的评分",
  ],
  [/^the grader knows nothing of what a reader hoped for$/, "随附的评委不知道读者期待什么"],
  [/^no offline judge reads a story$/, "离线评委不读故事"],
  [
    /^the editor's score of the prose (?:stands|is shown) beside the others, on its own scale$/,
    "编辑对文笔的评分与其他评委并列，用它自己的量表",
  ],
  [/^the crowd gives one score for the whole text$/, "读者群只给全文一个分数"],
  [/^the grader's own criteria (?:stand|are shown) beside its score$/, "评分模型自己的标准列在它的分数旁"],
  [/^the chapter has fewer than (\d+) words of prose$/, "本章正文不足 $1 个英文词"],
  [/^the text has (\d+) words of prose, and at least (\d+) are needed$/, "正文只有 $1 个英文词，而至少需要 $2 个"],
  [/^the text is not English \(.*\), and the jury reads English only$/, "这不是英文，而随附的评委只读英文"],
  [/^the text is not connected English prose: .*$/, "这不是连贯的英文散文：缺少连接句子的小词"],
  [/^the text is a list or a table of contents, not connected prose$/, "这是列表或目录，不是连贯的散文"],
  [/^the words do not follow each other as words of English sentences do$/, "词语的排列不像英文句子"],
  [/^neighbouring sentences have no more in common than .*$/, "相邻句子之间的联系不多于随机排列：不是连贯的散文"],
  [/^neighbouring paragraphs have no more in common than .*$/, "相邻段落之间的联系不多于随机排列：不是连贯的散文"],
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
  [/^the text is one sentence repeated again and again$/, "全文只是同一句话反复出现"],
  [/^the text repeats itself: only (\d+)% of its words .*$/, "文字自我重复：只有 $1% 的词在没有出现过的句子里"],
  [/^the text repeats itself: its sentences .*$/, "文字自我重复：句子反复说同样的词，只有小的改动"],
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
    "没有一位评委会注意到章节顺序被打乱、缺少或重复一章、人名互换、拼写错误、陈词滥调或混入另一本书的段落：小说被这样破坏之后，几乎没有分数的下降超过自身的波动。一本书丢了对话，编辑的分数可能略高；段落顺序被打乱或混入别书的段落，评分模型的分数可能略高（见评委的说明卡）。",
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

/** In Chinese, names that the server gives in English: aspects and figures by their ids, reasons for a change by their name. */
const chineseAspects: Readonly<Record<string, string>> = {
  plot: "情节与结构",
  characters: "人物",
  writing: "文笔与语言",
  world: "世界与背景",
  themes: "主题",
  emotion: "情感冲击",
  enjoyment: "趣味与投入",
  expectation: "期待的满足",
};

/** What each aspect means, as the Chinese rubric says it. */
const chineseDefinitions: Readonly<Record<string, string>> = {
  plot: "发生了什么、以何次序：事件是否彼此相因、层层加重、转折得当，结局是否水到渠成。",
  characters: "人物是否各有面目、可信、值得追随，其变化是否有迹可循，彼此之间是否息息相关。",
  writing: "文字本身：遣词、句子的走势、描写与对话，读来是否清楚而愉悦。",
  world: "故事的时与地：是否具体，是否自洽，是否合乎其历史、文化或虚构的规则。",
  themes: "事件之下故事究竟在谈什么：所问是否清楚、贯穿始终，是思考出来的还是宣讲出来的。",
  emotion: "故事使读者感受得多强烈、多深切，这份感受是否来得正当。",
  enjoyment: "读者是否想读下去，是否被抓住，读罢是否觉得值得。",
  expectation: "故事是否给出了其简介与类型让读者盼望的东西。",
};

const chineseFigures: Readonly<Record<string, string>> = {
  "chapter-words": "每章词数（中位数）",
  "longest-chapter": "最长一章与中位数之比",
  "dialogue-drop": "最安静的几章少了多少对话",
  "longest-silence": "最长一段没有对话的文字",
  "longest-absence": "主要人物最长的缺席",
  "scene-words": "每场词数（中位数）",
  "dialogue-share": "对话占比",
  "untagged-turns": "未点明说话人的话轮",
  "tag-adverbs": "带副词的对话标签",
  "said-share": "“说”“问”类对话标签",
  "sentence-words": "每句词数（平均）",
  "sentence-variation": "句长变化",
  "paragraph-words": "每段词数（中位数）",
  "reading-ease": "易读度（Flesch）",
  "action-share": "动作占比",
  "description-share": "描写占比",
  "thought-share": "心理占比",
  "tone-mean": "基调（每句平均）",
  "tone-outside": "基调曲线超出随机范围的部分",
  "viewpoint-slips": "时态或人称不一的段落",
  echoes: "200 词内重复的罕用词",
  "repeated-openings": "连续四句以上相同的开头",
  "filter-words": "感知动词",
  "weak-openings": "“There was”“It was”开头",
  "stacked-similes": "一句两个比喻",
  cliches: "陈词滥调",
  "model-phrases": "语言模型滥用的短语",
  "short-endings": "以一行短句收尾的章",
  "ending-likeness": "各章结尾的相似度",
  "speakers-in-chapter": "每章人物数（平均）",
};

const chineseWhys: Readonly<Record<string, string>> = {
  "Awkward Word Choice and Phrasing": "用词或措辞别扭",
  Cliche: "陈词滥调",
  "Purple Prose": "辞藻过分华丽",
  "Unnecessary/Redundant Exposition": "多余的交代",
  "Poor Sentence Structure": "句子结构不佳",
  "Lack of Specificity and Detail": "不够具体",
  "Tense Inconsistency": "时态不一致",
};

const chineseMethods: Readonly<Record<string, string>> = {
  close: "细读",
  "one-pass": "一次通读",
  aggregate: "逐段汇总",
  incremental: "逐段更新",
  summary: "先摘要后评判",
  imported: "外部导入",
};

const chineseExplanations: Readonly<Record<string, string>> = {
  close: "通读故事：意见附原文，逐条核对，写成一封信",
  "one-pass": "全文放进一次请求",
  aggregate: "逐段单独评判，再取平均",
  incremental: "一份评价随阅读逐段更新",
  summary: "依据摘要、人物和节选",
};

/**
 * In Chinese, what the server says in English: errors by their code, and what befell a job. What has no code here is shown
 * as the server said it.
 */
export const chineseSentences: Readonly<Record<string, string>> = {
  // Books that are brought
  E_TOO_LARGE: "内容过大，超过了允许的上限：请拆分后逐一添加。",
  E_FORMAT: "不支持这种文件：请提供 TXT、Markdown、HTML、EPUB、DOCX、ODT、RTF、FB2、MOBI 或 PDF 文件。",
  E_BINARY: "这不是文本文件：请提供 TXT、Markdown、HTML、EPUB、DOCX 或 PDF 文件。",
  E_NO_TEXT: "文件中没有可读的文字：请检查它是不是您要的书。",
  E_EMPTY: "文件是空的：请选择另一个文件。",
  E_EPUB: "无法作为 EPUB 读取：文件可能已损坏，或者不是电子书。请重新导出。",
  E_DOCX: "无法作为 Word 文档读取：请重新保存为 DOCX。",
  E_PDF: "无法读取此 PDF：它可能已损坏或设有密码。请去掉密码后重新保存。",
  E_PDF_NO_TEXT: "此 PDF 只有页面图片，没有文字层：请先做文字识别（OCR）。",
  E_HTML: "这个 HTML 文件嵌套过深，不像一本书。",
  E_MARKDOWN: "Markdown 嵌套过深，不像书稿：请改用纯文本。",
  E_BOOK_JSON: "这不是 JSON 格式的书：请检查文件，或换一种格式。",
  E_ARCHIVE: "无法打开压缩文件：它可能已损坏。",
  E_ARCHIVE_LIMIT: "压缩文件里的内容超过了一本书的上限：没有读取。",
  E_ARCHIVE_PATH: "压缩文件里有指向外部的路径：没有读取。",
  E_JSONL_LINE: "文件中有一行不符合要求：每行应是一个 JSON 对象。",
  E_PROFILE_COLUMNS: "表格既没有 rating 列也没有 review 列，也不是 Goodreads 或 StoryGraph 的导出文件。",
  E_PROFILE_NAME: "读者不能叫这个名字：请换一个。",
  // Judges
  E_JUDGE_UNKNOWN: "没有这位评委：请检查名称；自己的服务器用 `fabula serve --judges` 提供。",
  E_JUDGE_UNREADY: "无法询问这位评委：缺少密钥。请在“评估”页输入，或设置环境变量后重新启动 `fabula serve`。",
  E_JUDGE_LANGUAGE: "随附的评委只读英文：请换用语言模型，例如 openai:gpt-4.1。若语言识别有误，请在书的页面上更正。",
  E_NO_CHANGE: "与这一稿没有差别：请先修改一段，再保存。",
  E_REVISION: "这些修改与这一稿对不上：请重新打开后再改。",
  E_JUDGE_PANEL: "随附的评委单独评判：请只选它，或只选语言模型。",
  E_KEY_MISSING: "缺少密钥：请在环境变量中设置，再重新启动 `fabula serve`。",
  E_PRICE_UNKNOWN: "该模型的价格未知，无法设费用上限：请用 `fabula serve --prices` 提供价格表。",
  E_METHOD: "没有这种方法：请重新选择。",
  E_ASPECT_UNKNOWN: "没有这个方面：请重新选择。",
  E_MODEL_AUTHENTICATION: "模型服务拒绝了密钥或账户：请检查环境变量中的密钥，并运行 `fabula doctor`。",
  E_MODEL_UNKNOWN_MODEL: "找不到这个模型：请用 `fabula doctor` 检查模型名称和地址。",
  E_MODEL_PROVIDER_DOWN: "模型服务无法使用，不再询问：恢复后可以从这里继续。",
  E_MODEL_CONNECTION: "连不上模型服务：请检查网络和地址，然后继续。",
  E_MODEL_TIMEOUT: "模型没有及时回答：请稍后继续。",
  E_MODEL_RATE_LIMITED: "模型服务要求放慢速度：请稍后继续。",
  E_MODEL_OVERLOADED: "模型服务过载：请稍后继续。",
  E_MODEL_SERVER: "模型服务自身出错：请稍后继续。",
  E_MODEL_NOT_RUNNING: "本机的模型服务没有运行：请先启动它（Ollama 用 `ollama serve`），然后继续。",
  E_MODEL_REDIRECTED: "模型服务要求转到别的地址，已拒绝：请用 `fabula doctor` 检查地址。",
  E_MODEL_TOO_LARGE: "模型的回答过大，没有读完：请检查地址。",
  E_MODEL_TOO_LONG: "请求超出了模型的长度：请换用上下文更长的模型。",
  E_MODEL_COST_LIMIT: "已达到费用上限：不再询问。",
  E_INTERRUPTED: "已中断：已付费的内容不会丢失，可以继续。",
  // What befell a job
  "cost-limit": "已达到费用上限：不再询问。提高上限后可以继续。",
  "provider-down": "模型服务无法使用，已停止询问：恢复后可以继续。",
  "no-score": "评委没有给出分数：继续只会重试失败的请求；若模型拒绝回答或回复无法读取，请换一位评委。",
  paused: "已暂停：已付费的内容不会丢失。",
  finishing: "已经问出的会等到回答，最多半分钟：那是付过费的。",
  "server-ended": "服务器在评估途中结束：可以继续。已保存的回答不再付费，只有当时途中的会重新询问。",
  // The web app itself
  E_NOT_FOUND: "没有找到：它可能已被删除。请返回重新查看。",
  E_RUN_UNKNOWN: "没有这次运行。",
  E_CONFLICT: "现在不能这样做：状态已经改变，或正在评估。请重新查看。",
  E_TOKEN: "需要令牌：请打开 `fabula serve` 打印出的链接。",
  E_FORBIDDEN: "这个请求不是来自本页面：已拒绝。",
  E_NO_BROWSER: "没有找到可用来打印 PDF 的浏览器：请导出 HTML，再用浏览器打印。",
  E_STORE_FULL: "存储所在的磁盘已满：请腾出空间后继续，已保存的回答都还在。",
  E_STORE_DAMAGED: "存储已损坏：请从备份恢复，或用 `sqlite3 … .recover` 抢救还能读取的内容。",
  E_STORE_READ_ONLY: "存储是只读的：请让当前用户可以写入该文件及其文件夹，或用 --store 另选一个。",
  E_PRINT: "浏览器没有生成 PDF：请导出 HTML，再用浏览器打印。",
  E_LIBRARY_DAMAGED: "书库中有文件无法读取：请删除后重新添加。",
  E_UNEXPECTED: "服务器上出了意外：请重试，并查看运行 `fabula serve` 的地方。",
};

/** A sentence of the server in the reader's language; null where it is in it already, or was not translated. */
export function translatedSentence(code: string | null, language: Language): string | null {
  if (language === "en" || code === null || !Object.hasOwn(chineseSentences, code)) return null;
  return chineseSentences[code] ?? null;
}

/** Why there is no score, in the reader's language where that is known, and as the judge said it where not. */
export function translatedReason(reason: string, language: Language): string {
  const known = language === "en" ? undefined : chineseReasons.find(([pattern]) => pattern.test(reason));
  return known ? reason.replace(known[0], known[1]) : reason;
}

/** Names in the reader's language where they are known, and as the server gives them where not. */
export function translatedNames(language: Language) {
  const named = (names: Readonly<Record<string, string>>, id: string, name: string): string =>
    language === "zh" && Object.hasOwn(names, id) ? (names[id] ?? name) : name;
  return {
    aspect: (id: string, name: string) => named(chineseAspects, id, name),
    figure: (id: string, name: string) => named(chineseFigures, id, name),
    definition: (id: string, definition: string) => named(chineseDefinitions, id, definition),
    method: (id: string, name = id) => named(chineseMethods, id, name),
    explanation: (id: string, explanation: string) => named(chineseExplanations, id, explanation),
    why: (why: string) => named(chineseWhys, why, Object.hasOwn(englishWhys, why) ? (englishWhys[why] ?? why) : why),
  };
}
