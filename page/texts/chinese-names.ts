/** In Chinese, names that the server gives in English: aspects and figures by their ids, reasons for a change by their name. */
export const chineseAspects: Readonly<Record<string, string>> = {
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
export const chineseDefinitions: Readonly<Record<string, string>> = {
  plot: "发生了什么、以何次序：事件是否彼此相因、层层加重、转折得当，结局是否水到渠成。",
  characters: "人物是否各有面目、可信、值得追随，其变化是否有迹可循，彼此之间是否息息相关。",
  writing: "文字本身：遣词、句子的走势、描写与对话，读来是否清楚而愉悦。",
  world: "故事的时与地：是否具体，是否自洽，是否合乎其历史、文化或虚构的规则。",
  themes: "事件之下故事究竟在谈什么：所问是否清楚、贯穿始终，是思考出来的还是宣讲出来的。",
  emotion: "故事使读者感受得多强烈、多深切，这份感受是否来得正当。",
  enjoyment: "读者是否想读下去，是否被抓住，读罢是否觉得值得。",
  expectation: "故事是否给出了其简介与类型让读者盼望的东西。",
};

export const chineseFigures: Readonly<Record<string, string>> = {
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
  manners: "语言模型滥用的短语",
  "short-endings": "以一行短句收尾的章",
  "ending-likeness": "各章结尾的相似度",
  "speakers-in-chapter": "每章人物数（平均）",
};

export const chineseWhys: Readonly<Record<string, string>> = {
  "Awkward Word Choice and Phrasing": "用词或措辞别扭",
  Cliche: "陈词滥调",
  "Purple Prose": "辞藻过分华丽",
  "Unnecessary/Redundant Exposition": "多余的交代",
  "Poor Sentence Structure": "句子结构不佳",
  "Lack of Specificity and Detail": "不够具体",
  "Tense Inconsistency": "时态不一致",
};

export const chineseMethods: Readonly<Record<string, string>> = {
  "one-pass": "一次通读",
  aggregate: "逐段汇总",
  incremental: "逐段更新",
  summary: "先摘要后评判",
};

export const chineseExplanations: Readonly<Record<string, string>> = {
  "one-pass": "全文放进一次请求",
  aggregate: "逐段单独评判，再取平均",
  incremental: "一份评价随阅读逐段更新",
  summary: "依据摘要、人物和节选",
};
