import { countOf } from "../../../core/wording.ts";

/** The site's texts in each language of a corpus. */
const ENGLISH = {
  lang: "en",
  list: (items: readonly string[]) => items.join(", "),
  lead: (writers: number, novels: number, judges: string) =>
    `${countOf(writers, "writer")}, placed among ${countOf(novels, "human novel")}. Judged by ${judges}.`,
  nav: { board: "Leaderboard", methods: "Methods", texts: "Texts" },
  first: "Read this first",
  boardHint: (acrossJudges: boolean) =>
    `Writers are compared on the composite; those that share a letter cannot be told apart. The level is the mean percentile among the human novels. Intervals are 95 % and hold the uncertainty of the writer's novels${acrossJudges ? " and of the judges, who are a sample" : ""}, the level's also that of the population.`,
  search: "Search writers and makers",
  sortHint: "Choose a column's name to sort by it.",
  dimensionsHint: (judge: string) => `Mean scores by ${judge}; darker is higher within the dimension.`,
  conduct: "Length, cost and conduct",
  conductHint: "Cut off: ended by the token limit. Off length: shorter than half or longer than twice what was asked.",
  conductColumns: ["Writer", "Words per chapter", "Cost (USD)", "Refused", "Not written", "Cut off", "Off length"],
  judges: "Judges",
  agreement: "Do the judges agree?",
  agreementColumns: ["Judges", "Spearman ρ", "Kendall τ", "Writers"],
  steadiness: "Are they steady, and do they favour their own family?",
  contamination: "Contamination",
  contaminationHint:
    "Does a writer remember the novels? Copied: share of its text that stands word for word in the original, which it never saw. Before and after the cut-off, and own against new names: difference of composites, above 0 where memory may help. The novels before and after the cut-off are different ones, so that difference may also be theirs.",
  contaminationColumns: [
    "Writer",
    "Copied",
    "Longest passage",
    "Before − after cut-off",
    "Own − new names",
    "Recognised",
  ],
  download: "Data",
  methods: "Methods",
  settings: "Settings",
  settingNames: {
    corpus: "corpus",
    chapters: "chapters of each novel",
    written: "novels written",
    synopses: "synopses by",
    writing: "writing",
    rubric: "rubric",
    repeats: "scores per chapter",
    seed: "seed",
    judge: (id: string) => `judge ${id}`,
  },
  unstated: "version not stated",
  steadinessColumns: [
    "Judge",
    "Version its replies state",
    "Texts scored again",
    "Largest IQR",
    "Mean variance",
    "Change since the first run",
    "Own family (advantage)",
  ],
  drift: (change: string, interval: string, texts: number, date: string) =>
    `${change}${interval} (${texts} texts, ${date})`,
  ownFamilyHint: (advantages: readonly string[]) =>
    `Scores that judges gave writers of their own family are left out of the board. They differ from what the other judges' scores let expect by: ${advantages.join("; ")}.`,
  judgesSampled: (judges: number, writers: string, all: string) =>
    `The ${judges} judges are taken as a sample. Their opinions of single writers differ with a standard deviation of ${writers}, of all writers together with one of ${all}, in standard deviations of the human novels.`,
  corpus: (novels: number, hash: string) => `${countOf(novels, "novel")}, hash ${hash}`,
  judging: (version: string, prompt: string | undefined, settings: string | undefined) =>
    [version, ...(prompt ? [`prompt ${prompt}`] : []), ...(settings ? [settings] : [])].join(", "),
  writing: ({
    temperature,
    maximumTokens,
    words,
  }: {
    readonly temperature: number;
    readonly maximumTokens: number;
    readonly words: number;
  }) => `temperature ${temperature}, at most ${maximumTokens} tokens, about ${words} words`,
  prompts: "Prompts",
  criteria: "Dimensions",
  statistics: "Statistics",
  statisticsHint:
    "A level is the mean percentile of a writer's novels among the human novels. Its interval draws the population's distribution (the Bayesian bootstrap on the gaps between novels) and the writer's novels together, and with three or more judges other judges; novels are the unit, and chapters are averaged within them. A writer of one novel is taken to vary as the other writers do. A composite is the weighted sum of the standardised dimensions; the weights are the first principal component's loadings over the human novels, and judges of a panel count the same.",
  made: (version: string, date: string) => `Made with Fabula ${version} on ${date}.`,
  cite: "How to cite",
};

/** Every language has the same texts. */
export type SiteTexts = typeof ENGLISH;

const CHINESE: SiteTexts = {
  lang: "zh-CN",
  list: (items) => items.join("、"),
  lead: (writers, novels, judges) => `${writers} 位作者，置于 ${novels} 部人类小说之中。评判：${judges}。`,
  nav: { board: "排行榜", methods: "方法", texts: "文本" },
  first: "阅读须知",
  boardHint: (acrossJudges) =>
    `作者之间按综合分比较；字母相同者无法区分。水平是在人类小说中的平均百分位。区间为 95 %，包含作者作品${acrossJudges ? "和评判者（视为样本）" : ""}的不确定性，水平的区间还包含总体的不确定性。`,
  search: "搜索作者和开发者",
  sortHint: "点击列名即可排序。",
  dimensionsHint: (judge) => `${judge} 给出的平均分；同一维度内颜色越深分数越高。`,
  conduct: "篇幅、费用与完成情况",
  conductHint: "截断：因词元上限而中断。篇幅偏离：不足要求的一半或超过两倍。",
  conductColumns: ["作者", "每章字数", "费用（美元）", "拒写", "未写成", "截断", "篇幅偏离"],
  judges: "评判者",
  agreement: "评判者是否一致？",
  agreementColumns: ["两位评判", "斯皮尔曼 ρ", "肯德尔 τ", "作者数"],
  steadiness: "是否稳定、是否偏爱同族模型？",
  contamination: "数据污染",
  contaminationHint:
    "作者是否记得原作？照抄：其文字中与原文逐字相同的比例（它从未见过原文）。截止日期前后之差、原名与换名之差：综合分之差，大于 0 说明记忆可能有帮助。截止日期前后是不同的小说，差异也可能来自小说本身。",
  contaminationColumns: ["作者", "照抄", "最长相同片段", "截止前 − 截止后", "原名 − 换名", "认出原作"],
  download: "数据",
  methods: "方法",
  settings: "设置",
  settingNames: {
    corpus: "语料",
    chapters: "每部小说的章数",
    written: "写作的小说数",
    synopses: "梗概作者",
    writing: "写作",
    rubric: "评分标准",
    repeats: "每章评分次数",
    seed: "随机种子",
    judge: (id) => `评判者 ${id}`,
  },
  unstated: "未说明版本",
  steadinessColumns: [
    "评判者",
    "回复中说明的版本",
    "重复评分的文本",
    "最大四分位距",
    "平均方差",
    "与首次评分相比的变化",
    "同族作者（优待）",
  ],
  drift: (change, interval, texts, date) => `${change}${interval}（${texts} 篇，${date}）`,
  ownFamilyHint: (advantages) =>
    `评判者给同族作者的分数不计入排行榜。与其他评判者的分数相比，其差异为：${advantages.join("；")}。`,
  judgesSampled: (judges, writers, all) =>
    `${judges} 位评判者视为样本。他们对单个作者看法的标准差为 ${writers}，对所有作者整体看法的标准差为 ${all}（以人类小说的标准差为单位）。`,
  corpus: (novels, hash) => `${novels} 部小说，散列值 ${hash}`,
  judging: (version, prompt, settings) =>
    [
      version,
      ...(prompt ? [`提示词 ${prompt}`] : []),
      ...(settings ? [settings.replace("temperature", "温度").replace(", whole numbers", "，整数分")] : []),
    ].join("，"),
  writing: ({ temperature, maximumTokens, words }) => `温度 ${temperature}，至多 ${maximumTokens} 词元，约 ${words} 字`,
  prompts: "提示词",
  criteria: "维度",
  statistics: "统计",
  statisticsHint:
    "水平是作者的小说在人类小说中的平均百分位。其区间同时抽取总体的分布（对小说之间的间隔作贝叶斯自助法）与作者的小说，评判者不少于三位时还包括其他评判者；以小说为单位，章节先在小说内取平均。只有一部小说的作者，其波动按其他作者的波动估计。综合分是各标准化维度的加权和；权重是人类小说第一主成分的载荷，评判组中各位评判者权重相同。",
  made: (version, date) => `由 Fabula ${version} 于 ${date} 生成。`,
  cite: "引用方式",
};

export function siteTexts(language: "en" | "zh"): SiteTexts {
  return language === "zh" ? CHINESE : ENGLISH;
}
