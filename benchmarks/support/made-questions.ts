const PLACES = ["the harbour", "the mill", "the ledger room", "the lighthouse", "the market", "the island"];
const QUESTIONS_PER_BOOK = 25;

/** Books that nobody wrote with questions that nobody asked, one JSON object per line: as many calls as questions. */
export function madeQuestions(count: number): string {
  const books = Math.ceil(count / QUESTIONS_PER_BOOK);
  return Array.from({ length: books }, (_, book) => {
    const questions = Math.min(QUESTIONS_PER_BOOK, count - book * QUESTIONS_PER_BOOK);
    return `${JSON.stringify({
      document_id: `book-${book}`,
      title: `The Book of Number ${book}`,
      summary: "",
      qas: Array.from({ length: questions }, (_question, index) => ({
        question: `Who waits at ${PLACES[index % PLACES.length]} in chapter ${index + 1}?`,
        answers: ["nobody"],
      })),
    })}\n`;
  }).join("");
}

/** The words that have a model answer them. */
export function answering(out: string, model: string): string[] {
  return ["qa", "answer", "--in", "questions.jsonl", "--setting", "closed", "--out", out, "--model", model];
}
