/** Answers to questions, scored. */
export const questions = {
  questionsIntroduction: "Answers to questions about books, scored by every metric.",
  questionsUpload: "Score a file of answers",
  questionsFile: "JSONL with prediction and answers on each line",
  questionsName: "Name",
  items: "Items",
  scoreButton: "Score",
  noQuestions: "Nothing has been scored yet",
};
