import { join } from "node:path";
import type { LibraryStudyRequest, RatingChoices } from "../../api/ratings.ts";
import { FabulaError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { seededRandom, shuffled } from "../../core/random.ts";
import { HUNDRED, isScored, rescaleVerdict } from "../../core/verdict.ts";
import { newestLines } from "../../report/grid.ts";
import { checkedId } from "../ids.ts";
import { QuestionRuns } from "../questions/question-runs.ts";
import { bookTitle, type Services } from "../services.ts";
import type { ReadItem } from "./read-items.ts";

type Asked = Pick<LibraryStudyRequest, "kind" | "books" | "run" | "items" | "most">;

const SEED = 1;
const MOST_ANSWERS = 100_000;
const MOST_CHOICES = 200;

/** The items of the library to be rated, with the judges' scores, which a rater sees only after giving their own. */
export async function libraryItems(asked: Asked, services: Services): Promise<ReadItem[]> {
  const found = await itemsOf(asked, services);
  if (found.length === 0) throw new FabulaError("E_REQUEST", "There is nothing of that kind in the library to rate.");
  const wanted = new Set(asked.items);
  const all = wanted.size === 0 ? found : found.filter(({ id }) => wanted.has(id));
  if (wanted.size > 0 && all.length < wanted.size) {
    const missing = [...wanted].filter((id) => !found.some((one) => one.id === id));
    throw new FabulaError("E_REQUEST", `Not in the library: ${missing.slice(0, 5).join(", ")}.`);
  }
  const drawn = shuffled(all, seededRandom(SEED)).slice(0, asked.most ?? all.length);
  return drawn.length === all.length ? all : drawn;
}

/** The items that can be rated, by name, for whoever sets up a study: raters see neither the titles of a pair nor who answered. */
export async function libraryChoices(
  asked: Pick<Asked, "kind" | "run"> & { readonly search: string },
  services: Services,
): Promise<RatingChoices> {
  const items = await itemsOf({ ...asked, books: [] }, services);
  const named = items.map(({ id, title, question, text, system }) => ({
    id,
    name: question === null ? (title ?? id) : [system, question, text].filter((part) => part).join(" · "),
  }));
  const words = asked.search.toLowerCase().split(/\s+/);
  const meant = named.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return { choices: meant.slice(0, MOST_CHOICES), total: meant.length };
}

async function itemsOf(
  { kind, books: wanted, run }: Pick<Asked, "kind" | "books" | "run">,
  services: Services,
): Promise<ReadItem[]> {
  if (kind === "answers") return answersOf(run, services);
  const { books } = services;
  const chosen = wanted.length > 0 ? wanted.map((id) => books.card(id)) : books.list();
  const shelf = chosen.map(({ id }) => ({ id, title: bookTitle(books, id) }));
  const isTwice = new Set(shelf.map(({ title }) => title)).size < shelf.length;
  const nameOf = ({ id, title }: (typeof shelf)[number]) => (isTwice ? `${title} (${id.slice(0, 8)})` : title);
  const item = (id: string, title: string | null): ReadItem => ({
    id,
    title,
    question: null,
    text: null,
    second: null,
    judges: {},
  });
  switch (kind) {
    case "books": {
      const scores = await overallScores(services);
      return shelf.map((book) => ({
        ...item(nameOf(book), book.title),
        judges: scores(book.id),
        places: [{ book: book.id, chapter: null }],
      }));
    }
    case "pairs": {
      const scores = await overallScores(services);
      return shelf.flatMap((one, at) =>
        shelf.slice(at + 1).map((other) => {
          const [mine, theirs] = [scores(one.id), scores(other.id)];
          const judges = Object.entries(mine).flatMap(([judge, score]) => {
            const beside = theirs[judge];
            return beside === undefined ? [] : [[judge, 0.5 + Math.sign(score - beside) / 2] as const];
          });
          return {
            // Titles would tell which of the two is famous.
            ...item(`${nameOf(one)} / ${nameOf(other)}`, null),
            judges: Object.fromEntries(judges),
            places: [one, other].map(({ id }) => ({ book: id, chapter: null })),
          };
        }),
      );
    }
    case "chapters":
      return (await Promise.all(shelf.map((book) => chaptersOf(book, nameOf(book), services)))).flat();
    default:
      return kind satisfies never;
  }
}

/** Each chapter, with its scores by the judges that judge by chapter. */
async function chaptersOf(
  { id, title }: { readonly id: string; readonly title: string },
  name: string,
  { books, evaluations }: Services,
): Promise<ReadItem[]> {
  const { chapters } = await books.contents(id);
  const judged = await Promise.all(
    // Newest first: of two evaluations by one judge and method the later one counts.
    [
      ...new Map(
        evaluations
          .list(id)
          .toReversed()
          .map((one) => [`${one.judge} · ${one.method}`, one.id]),
      ),
    ].map(async ([judge, evaluation]) => ({ judge, evaluation: await evaluations.evaluation(evaluation) })),
  );
  return chapters.map(({ index, title: heading }) => ({
    id: `${name}, chapter ${index}`,
    title: heading === null ? `${title}, ${index}` : `${title}: ${heading}`,
    question: null,
    text: null,
    second: null,
    places: [{ book: id, chapter: index }],
    judges: Object.fromEntries(
      judged.flatMap(({ judge, evaluation: { overallCourse, scale } }) => {
        const own = overallCourse.find(({ chapter }) => chapter === index)?.verdict;
        const verdict = own && rescaleVerdict(own, scale, HUNDRED);
        return verdict && isScored(verdict) ? [[judge, verdict.score] as const] : [];
      }),
    ),
  }));
}

/** Every judge's score for a book as a whole, on 0 to 100. */
async function overallScores({ evaluations }: Services): Promise<(book: string) => Record<string, number>> {
  const lines = newestLines(evaluations.forGrid());
  return (book) =>
    Object.fromEntries(
      lines.flatMap(({ bookId, judge, method, verdicts: { overall } }) =>
        bookId === book && overall && isScored(overall) ? [[`${judge} · ${method}`, overall.score] as const] : [],
      ),
    );
}

/** The answers of a run of questions; who gave them is not shown. */
async function answersOf(run: string | null, { settings }: Services): Promise<ReadItem[]> {
  if (run === null) throw new FabulaError("E_REQUEST", "Say which run of questions holds the answers.");
  const folder = join(settings.library, "questions", checkedId(run, "result"));
  const { items } = await new QuestionRuns().items(folder, { filter: "all", from: 0, limit: MOST_ANSWERS });
  return items.flatMap(({ question, book, references, answers }) =>
    answers.flatMap(({ system, answer, scores }): ReadItem[] => {
      if (answer === null) return [];
      return [
        {
          id: sha256(JSON.stringify([book, question, references, system])).slice(0, 16),
          title: book,
          question: `${question} (${references.join(" / ")})`,
          text: answer,
          second: null,
          judges: scores,
          system,
        },
      ];
    }),
  );
}
