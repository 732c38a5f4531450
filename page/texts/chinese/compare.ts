import type { compare as english } from "../english/compare.ts";

export const compare: typeof english = {
  compareIntroduction: "两本书、两份稿、两位评委或两种方法，并排比较。",
  left: "左",
  right: "右",
  chooseEvaluation: "选择一次评估",
  differenceHint: (minimum, maximum) =>
    `分数按 ${minimum} 至 ${maximum} 的量表；差异为右减左，以同一量表的分计，附区间。`,
  asGiven: (score, minimum, maximum) => `原分：${score}（量表 ${minimum} 至 ${maximum}）`,
  clear: "明确",
  notClear: "没有明显差别",
  sameBook: "同一本书",
  twoBooks: "两本书",
  otherScale: "两者的量表不同，因此都换算到 0 至 100（首尾对应）。两个量表上相同的位置未必是同一个意思。",
  otherJudgesAndBooks: "不同的评委评了不同的书：差异可能来自评委，而不是书。",
  otherMethodsAndBooks: "方法不同，评委看到的内容也就不同。",
  otherJudges: "两位评委读的是同一本书：差异在于评判方式，未必有一位是对的。",
  otherSettings: (differences) => `两者的设置不同，差异可能由此而来：${differences}。`,
  otherMethods: "同一本书用两种方式读过：差异在于评委每次看到的内容。",
  onlyChance: "同一评委以同样方式读同一本书：差异出于偶然。",
  takenAsIndependent: "差异的区间把两次评估视为互相独立。",
  needTwo: "比较需要两次评估",
  needTwoHint: "例如同一本书由两位评委评估，或同一位评委评估它的两稿。请先评估一本书。",
  swap: "对调",
};
