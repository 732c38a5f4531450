/** The commands by what someone wants to do, in the order in which newcomers need them. */
export const TASKS: Readonly<Record<string, readonly string[]>> = {
  "Judge and improve a book": ["evaluate", "read", "demo", "map", "notes", "compare", "forecast", "serve"],
  "For one reader, and for all of them": ["reader", "reviews"],
  "Compare writers and collections": ["bench", "score", "population"],
  "Question answering": ["qa"],
  "Check whether a judge can be trusted": [
    "agree",
    "health",
    "stress",
    "probe",
    "reproduce",
    "replies",
    "prompts",
    "rubric",
  ],
  "Runs and machines": ["runs", "worker", "mcp", "doctor", "completions"],
};
