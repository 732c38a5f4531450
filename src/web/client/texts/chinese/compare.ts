import type { compare as english } from "../english/compare.ts";

export const compare: typeof english = {
  compareIntroduction: "两本书、两份稿、两位评委或两种方法，并排比较。",
  left: "左",
  right: "右",
  chooseEvaluation: "选择一次评估",
  differenceHint: "右减左，按 0 至 100 的尺度，附区间。",
  clear: "明确",
  notClear: "不明确",
  sameBook: "同一本书",
  twoBooks: "两本书",
  otherScale: "两者尺度不同；差异按 0 至 100 的共同尺度计算。",
  needTwo: "比较需要两次评估。请先评估一本书。",
  swap: "对调",
};
