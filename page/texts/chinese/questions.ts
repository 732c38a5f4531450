import type { questions as english } from "../english/questions.ts";

export const questions: typeof english = {
  questionsIntroduction: "关于书籍的问题与回答，按各项指标评分。",
  questionsUpload: "为答案文件评分",
  questionsFile: "JSONL，每行含 prediction 和 answers",
  questionsName: "名称",
  items: "条目",
  scoreButton: "评分",
  noQuestions: "还没有评分结果",
};
