import { type Random, randomInteger, seededRandom } from "../../src/core/random.ts";
import type { Field } from "../../src/forecast/forecast-input.ts";
import { readForecastModel, shippedForecastFolder } from "../../src/forecast/forecast-model.ts";

const WORDS =
  "the a of and to in that it was she he for with on at by from as they were his her had not but all one this there when which would said out up into down over like then them back river harbour clerk ledger morning window letter winter stone quiet town light hand door water night brother keeper lamp weight scale island voice table paper island boat rain salt field road horse market bell".split(
    " ",
  );

/** A novel of no merit but of the right size: chapters of so many words, the same for the same seed. */
export function madeNovel(chapters: number, wordsPerChapter: number, seed = 1): string {
  const random = seededRandom(seed);
  const sentence = () => {
    const words = Array.from(
      { length: 8 + randomInteger(random, 14) },
      () => WORDS[randomInteger(random, WORDS.length)]!,
    );
    const text = words.join(" ");
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  const chapter = (index: number) => {
    const paragraphs: string[] = [];
    let count = 0;
    while (count < wordsPerChapter) {
      const paragraph = Array.from({ length: 3 + randomInteger(random, 5) }, sentence).join(" ");
      count += paragraph.split(" ").length;
      paragraphs.push(paragraph);
    }
    return `## Chapter ${index}\n\n${paragraphs.join("\n\n")}`;
  };
  return `# A Made Novel\n\n${Array.from({ length: chapters }, (_, at) => chapter(at + 1)).join("\n\n")}\n`;
}

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

/**
 * Made-up descriptions of the size that rated collections have: a premise of 150 words, a plot summary of 350 and characters of
 * 250, in words that the forecast knows. No two are alike.
 */
export function storyMaker(random: Random) {
  const terms = new Map(
    readForecastModel(shippedForecastFolder()).fields.map(({ encoder }) => [
      encoder.field,
      encoder.kind === "terms" ? encoder.terms : [],
    ]),
  );
  const draw = (field: Field, length: number) =>
    Array.from({ length }, () => terms.get(field)![randomInteger(random, terms.get(field)!.length)]!);
  return () => ({
    title: draw("title", 3).join(" "),
    genres: draw("genres", 5),
    premise: draw("premise", 150).join(" "),
    words: 60_000 + randomInteger(random, 60_000),
    plot_summary: draw("plot_summary", 350).join(" "),
    characters: draw("characters", 250).join(" "),
  });
}
