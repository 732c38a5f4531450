import { expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { analyseImportance } from "./aspect-importance.ts";

/** Books whose rating follows what is said of their plot; opinions of the themes are noise, and genres have levels of their own. */
function shelf() {
  const random = seededRandom(3);
  const books = new Map<string, { genres: string[]; averageRating: number }>();
  const reviews: { book: string; rating: number; aspects: Set<string> }[] = [];
  for (let at = 0; at < 120; at++) {
    const book = `b${at}`;
    const plot = 2 + 2 * random();
    const level = at % 3 === 0 ? 0.5 : 0;
    books.set(book, { genres: [at % 3 === 0 ? "Fantasy" : "Romance"], averageRating: plot + level });
    for (let review = 0; review < 6; review++) {
      reviews.push({ book, rating: plot, aspects: new Set(["plot"]) });
      reviews.push({ book, rating: 2 + 2 * random(), aspects: new Set(["themes"]) });
    }
  }
  return { books, reviews };
}

const options = { random: seededRandom(1), resamples: 50, isBalanced: false };

it("the aspect that books' ratings follow has nearly all of what is explained, within genres", () => {
  const { books, reviews } = shelf();
  const analysis = analyseImportance(reviews, books, ["plot", "themes"], options)!;
  expect(analysis).toMatchObject({ books: 120, booksLeftOut: 0 });
  expect(analysis.explained).toBeGreaterThan(0.99);
  const [plot, themes] = analysis.aspects;
  expect(plot!.share).toBeGreaterThan(0.9);
  expect(plot!.coefficient).toBeCloseTo(1, 2);
  expect(plot!.shareInterval![0]).toBeGreaterThan(themes!.shareInterval![1]);
  expect(plot!.share + themes!.share).toBeCloseTo(1, 9);
  const balanced = analyseImportance(reviews, books, ["plot", "themes"], { ...options, isBalanced: true })!;
  expect(balanced.aspects[0]!.share).toBeGreaterThan(0.9);
});

it("books of no main genre are left out, instead of being taken for one genre", () => {
  const { books, reviews } = shelf();
  // Every third book is of some other kind: half of those are loved and half are not, whatever is said of their plots.
  const mixed = new Map(
    [...books].map(([id, book], at) =>
      at % 3 === 0
        ? [id, { genres: [at % 2 === 0 ? "Cooking" : "True Crime"], averageRating: at % 2 === 0 ? 5 : 1 }]
        : [id, book],
    ),
  );
  const analysis = analyseImportance(reviews, mixed, ["plot", "themes"], options)!;
  expect(analysis).toMatchObject({ books: 80, booksLeftOut: 40, genres: [{ genre: "Romance", books: 80 }] });
  expect(analysis.explained).toBeGreaterThan(0.99);
});

it("too few books with enough reviews of every aspect give no figures", () => {
  const { books, reviews } = shelf();
  expect(analyseImportance(reviews.slice(0, 12 * 20), books, ["plot", "themes"], options)).toBeNull();
});
