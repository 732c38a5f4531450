import type { BookSummary } from "../../src/api/books.ts";
import { to } from "../routing.ts";
import type { Texts } from "../texts/english.ts";
import { useTexts } from "../texts/preferences.tsx";

const PARTS = {
  letter: "partLetter",
  story: "partStory",
  read: "partText",
  map: "partMap",
  ask: "partAsk",
  about: "partAbout",
} as const satisfies Readonly<Record<string, keyof Texts>>;
type BookPart = keyof typeof PARTS;

/** What there is of a book, each under an address of its own. */
export function BookTabs({
  book,
  current,
}: {
  readonly book: Pick<BookSummary, "id">;
  /** Null where none of them is shown, such as beside an earlier draft. */
  readonly current: BookPart | null;
}) {
  const texts = useTexts();
  return (
    <nav className="tabs book-tabs" aria-label={texts.bookParts}>
      <ul>
        {(Object.keys(PARTS) as BookPart[]).map((part) => (
          <li key={part}>
            <a
              href={to(["books", book.id, ...(part === "about" ? [] : [part])])}
              aria-current={part === current ? "page" : undefined}
            >
              {texts[PARTS[part]]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
