/** Where a command reads its questions from. */
export const QUESTION_FLAGS = {
  in: { type: "string", value: "FILE", help: "books with questions (LiteraryQA's JSONL), or a NarrativeQA folder" },
  split: { type: "string", value: "NAME", help: "only this split (train, validation, test)" },
} as const;
