import { HUMAN } from "./population/novel-scores.ts";

/** The benchmark's texts in each language of a corpus. Figures are passed as text, rounded by the caller. */
const ENGLISH_WORDS = {
  human: HUMAN,
  space: " ",
  method: {
    paired: (pairs: number) =>
      `${pairs} ${pairs === 1 ? "pair was" : "pairs were"} compared on composites over the chapters that both have of the novels they share: signs of whole novels exchanged, in all pairs together, with Holm's step-down correction in Westfall and Young's form.`,
    unpaired: (pairs: number, leastNovels: number) =>
      `${pairs} ${pairs === 1 ? "pair shares" : "pairs share"} fewer than ${leastNovels} novels, or only a few of those they wrote, and ${pairs === 1 ? "was" : "were"} compared by Welch's test with the degrees of freedom of the writer with fewer novels, and Holm's correction.`,
    promise: (significance: number, percent: number) =>
      `Two writers are told apart at a corrected p below ${significance}, which keeps the chance of even one false difference at ${percent} % or less.`,
    acrossJudges: (pairs: number, judges: number) =>
      `${pairs} ${pairs === 1 ? "pair was" : "pairs were"} compared on composites over the chapters that both have of the novels they share, as if other novels and other judges might have been drawn: the ${judges} judges are a sample. The variance between judges is that of all writers together; Satterthwaite's degrees of freedom, and Games and Howell's correction for all pairs.`,
    theseJudges: (judges: number) =>
      judges <= 2
        ? `Everything holds for ${judges === 1 ? "this judge" : "these two judges"}: only three or more say how far other judges would differ.`
        : `Everything holds for these ${judges} judges: too few of their scores count to say how far other judges would differ.`,
    ownFamily: (cells: number) =>
      `Scores that judges gave writers of their own family are left out (${cells} of the writers' scores by a judge).`,
  },
  power: (
    deviation: string,
    pairs: number,
    needs: readonly { readonly difference: number; readonly novels: number }[],
  ) =>
    `Power: paired differences of novels have a standard deviation of ${deviation} here; with 80 % power among ${pairs} ${pairs === 1 ? "pair" : "pairs"}, the novels per writer needed are ${needs.map(({ difference, novels }) => `${novels} for a difference of ${difference}`).join(", ")}.`,
  warnings: {
    ceiling: (writers: readonly string[]) =>
      `${writers.length === 1 ? `${writers[0]} stands` : `${writers.length} writers (${writers.slice(0, 5).join(", ")}) stand`} at the top of the population, where the percentile no longer separates: compare composites, or place them on a stronger population (classics, or the upper half of this one).`,
    length: (spearman: string) => `Scores go with length (Spearman ${spearman} across texts).`,
    ownFamily: (judge: string, writers: number, family: string) =>
      `${judge} judges ${writers} ${writers === 1 ? "writer" : "writers"} of its own family (${family}): confirm the order with a judge of another family.`,
    drifted: (judge: string, change: string, texts: number, date: string) =>
      `${judge} has changed: on ${date} it gave the same ${texts} texts ${change} points more than at first, beyond chance. Its later scores are on another scale than its earlier ones.`,
    versionChanged: (judge: string, versions: readonly string[]) =>
      `${judge} is not one judge throughout: its replies state ${versions.length} versions (${versions.join(", ")}). Scores of different versions may be on different scales.`,
    anchorsLow: (median: string, bulk: number) =>
      `The anchors do not stand above the population's bulk (their middle is at percentile ${median}, not above ${bulk}): what this judge places high need not be what readers call great.`,
    anchorsInPopulation: (novels: readonly string[]) =>
      `${novels.length} ${novels.length === 1 ? "anchor is" : "anchors are"} also in the population (${novels.slice(0, 5).join(", ")}): leave them out of one of the two folders.`,
    chapterCoverage: (writers: readonly { readonly writer: string; readonly percent: string }[]) =>
      `${writers.length === 1 ? "A writer lacks" : `${writers.length} writers lack`} chapters that others have of the same novels (${writers
        .slice(0, 5)
        .map(({ writer, percent }) => `${writer} has ${percent} %`)
        .join(
          ", ",
        )}): levels, composites and their order rest on the chapters that each has; pairs are compared over those that both have.`,
    unplacedNovels: (novels: number, isPanel: boolean) =>
      `${novels} ${novels === 1 ? "novel lacks" : "novels lack"} a score ${isPanel ? "of some judge of the panel" : "in some dimension"} and ${novels === 1 ? "was" : "were"} not placed.`,
    unplacedWriters: (writers: readonly string[]) => `No novel of ${writers.join(", ")} could be placed.`,
    weakComponent: (percent: string) => `the first component explains only ${percent} % of the variance`,
    judgesDiffer: (percent: string) =>
      `The judges do not see the same differences between the human novels: what they have in common is ${percent} % of the variance of their composites.`,
    constant: (dimensions: readonly string[]) =>
      `no novel differs from another in ${dimensions.join(", ")}: it has no weight`,
    against: (dimensions: readonly string[]) => `${dimensions.join(", ")} runs against the other dimensions`,
    cancelled: "the loadings cancel out: every dimension was given the same weight",
    seldomScored: (dimension: string) => `${dimension} is hardly ever scored and was left out`,
    languages: (counts: readonly (readonly [string, number])[]) =>
      `The novels are in several languages (${counts.map(([language, novels]) => `${novels} in ${language}`).join(", ")}): prepare a folder for each, since no judge compares them fairly.`,
  },
  rates: (
    writer: string,
    {
      asked,
      cutOff,
      refused,
      unwritten,
      offLength,
    }: {
      readonly asked: number;
      readonly cutOff: number;
      readonly refused: number;
      readonly unwritten: number;
      readonly offLength: number;
    },
  ) => {
    const parts = [
      cutOff > 0 ? `${cutOff} cut off by the token limit` : null,
      refused > 0 ? `${refused} refused` : null,
      unwritten > refused ? `${unwritten - refused} not written` : null,
      offLength > 0 ? `${offLength} shorter than half or longer than twice the length asked for` : null,
    ].filter((part) => part !== null);
    return parts.length === 0
      ? null
      : `${writer}, of ${asked} ${asked === 1 ? "chapter" : "chapters"}: ${parts.join("; ")}.`;
  },
};

/** Every language has the same texts. */
export type BenchWords = typeof ENGLISH_WORDS;

const CHINESE_WORDS: BenchWords = {
  human: "人类原作",
  space: "",
  method: {
    paired: (pairs) =>
      `${pairs} 对作者在共同写过的小说中、双方都有的章节上按综合分比较：以整部小说为单位、对所有配对同时交换符号，并用 Westfall–Young 形式的 Holm 逐步校正。`,
    unpaired: (pairs, leastNovels) =>
      `${pairs} 对作者共同写过的小说少于 ${leastNovels} 部（或只占各自作品的一小部分），用 Welch 检验（自由度取作品较少一方）比较，并作 Holm 校正。`,
    promise: (significance, percent) =>
      `校正后 p 值低于 ${significance} 的两位作者视为可以区分；出现哪怕一个错误区分的概率不超过 ${percent} %。`,
    acrossJudges: (pairs, judges) =>
      `${pairs} 对作者在共同写过的小说中、双方都有的章节上按综合分比较，并假定可能抽到其他小说和其他评判者：${judges} 位评判者视为样本。评判者之间的方差由所有作者共同估计；自由度用 Satterthwaite 法，并对所有配对作 Games–Howell 校正。`,
    theseJudges: (judges) =>
      judges <= 2
        ? `所有结论只对${judges === 1 ? "这位评判者" : "这两位评判者"}成立：至少三位评判者才能说明其他评判者会有多大差异。`
        : `所有结论只对这 ${judges} 位评判者成立：计入的分数太少，无法说明其他评判者会有多大差异。`,
    ownFamily: (cells) => `评判者给同族作者的分数不计入（共 ${cells} 组）。`,
  },
  power: (deviation, pairs, needs) =>
    `检验力：小说配对差的标准差为 ${deviation}；在 ${pairs} 对比较中要达到 80 % 的检验力，每位作者需要写 ${needs.map(({ difference, novels }) => `${novels} 部（综合分相差 ${difference}）`).join("、")}。`,
  warnings: {
    ceiling: (writers) =>
      `${writers.length === 1 ? writers[0] : `${writers.length} 位作者（${writers.slice(0, 5).join("、")}）`}已到达总体的顶端，百分位在此不再能区分：请比较综合分，或置于更强的总体（经典作品，或本总体的上半部分）之中。`,
    length: (spearman) => `得分与篇幅相关（各文本的斯皮尔曼系数为 ${spearman}）。`,
    ownFamily: (judge, writers, family) =>
      `${judge} 评判了 ${writers} 位同族（${family}）作者：请用其他家族的评判者核实名次。`,
    drifted: (judge, change, texts, date) =>
      `${judge} 已有变化：${date} 对同样的 ${texts} 篇文本给出的分数比最初相差 ${change} 分，超出偶然范围。其前后的分数不在同一尺度上。`,
    versionChanged: (judge, versions) =>
      `${judge} 前后并非同一版本：其回复中说明了 ${versions.length} 个版本（${versions.join("、")}）。不同版本的分数可能不在同一尺度上。`,
    anchorsLow: (median, bulk) =>
      `锚定作品并不高于总体的主体（其中位数在第 ${median} 百分位，未超过 ${bulk}）：这位评判者给高分的作品，未必是读者所说的佳作。`,
    anchorsInPopulation: (novels) =>
      `${novels.length} 部锚定作品也在总体之中（${novels.slice(0, 5).join("、")}）：请从其中一个文件夹里去掉。`,
    chapterCoverage: (writers) =>
      `${writers.length} 位作者缺少其他作者在同一小说中已有的章节（${writers
        .slice(0, 5)
        .map(({ writer, percent }) => `${writer} 只有 ${percent} %`)
        .join("、")}）：水平、综合分及名次只依据各自已有的章节；两两比较只用双方都有的章节。`,
    unplacedNovels: (novels, isPanel) => `${novels} 部小说缺少${isPanel ? "某位评判者" : "某个维度"}的得分，没有排入。`,
    unplacedWriters: (writers) => `${writers.join("、")} 没有一部小说可以排入。`,
    weakComponent: (percent) => `第一主成分只解释了 ${percent} % 的方差`,
    judgesDiffer: (percent) => `各位评判者看到的人类小说之间的差异并不相同：其共同部分只占综合分方差的 ${percent} %。`,
    constant: (dimensions) => `所有小说在 ${dimensions.join("、")} 上得分相同，该维度没有权重`,
    against: (dimensions) => `${dimensions.join("、")} 与其他维度方向相反`,
    cancelled: "各维度的载荷相互抵消：所有维度取相同权重",
    seldomScored: (dimension) => `${dimension} 几乎没有得分，已略去`,
    languages: (counts) =>
      `小说分属多种语言（${counts.map(([language, novels]) => `${language} ${novels} 部`).join("、")}）：没有评判者能公平地跨语言比较，请为每种语言各准备一个文件夹。`,
  },
  rates: (writer, { asked, cutOff, refused, unwritten, offLength }) => {
    const parts = [
      cutOff > 0 ? `${cutOff} 章因词元上限而中断` : null,
      refused > 0 ? `${refused} 章被拒写` : null,
      unwritten > refused ? `${unwritten - refused} 章未写成` : null,
      offLength > 0 ? `${offLength} 章不足要求篇幅的一半或超过两倍` : null,
    ].filter((part) => part !== null);
    return parts.length === 0 ? null : `${writer}（共 ${asked} 章）：${parts.join("；")}。`;
  },
};

/** Chinese for a Chinese corpus, English for every other. */
export function wordsIn(language: string | null | undefined): BenchWords {
  return language === "zh" ? CHINESE_WORDS : ENGLISH_WORDS;
}
