import type { BenchWords } from "./bench-words.ts";

export const CHINESE_WORDS: BenchWords = {
  method: {
    paired: (pairs) =>
      `${pairs} 对作者在共同写过的小说中、双方都有的章节上按综合分比较：以整部小说为单位、对所有配对同时交换符号，并用 Westfall–Young 形式的 Holm 逐步校正。`,
    unpaired: (pairs, leastNovels) =>
      `${pairs} 对作者共同写过的小说少于 ${leastNovels} 部（或只占各自作品的一小部分），用 Welch 检验（自由度取作品较少一方）比较，并作 Holm 校正。`,
    promise: (significance, percent) =>
      `校正后 p 值低于 ${significance} 的两位作者视为可以区分；出现哪怕一个错误区分的概率不超过 ${percent} %。`,
  },
  power: (deviation, pairs, needs) =>
    `检验力：小说配对差的标准差为 ${deviation}；在 ${pairs} 对比较中要达到 80 % 的检验力，每位作者需要写 ${needs.map(({ difference, novels }) => `${novels} 部（综合分相差 ${difference}）`).join("、")}。`,
  warnings: {
    ceiling: (writers) =>
      `${writers.length === 1 ? writers[0] : `${writers.length} 位作者（${writers.slice(0, 5).join("、")}）`}已到达总体的顶端，百分位在此不再能区分：请比较综合分，或置于更强的总体（经典作品，或本总体的上半部分）之中。`,
    length: (spearman, moved) =>
      `得分与篇幅相关（各文本的斯皮尔曼系数为 ${spearman}）。${moved ? `折算到同等篇幅后，${moved.writer} 的水平为 ${moved.to}，而不是 ${moved.from}。` : ""}`,
    ownFamily: (judge, writers, family) =>
      `${judge} 评判了 ${writers} 位同族（${family}）作者：请用其他家族的评判者核实名次。`,
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
