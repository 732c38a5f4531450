import type { BookSummary } from "../../../src/api/books.ts";
import { Field } from "../../parts/field.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

export function BookChoice({
  books,
  chosen,
  onChoose,
}: {
  readonly books: readonly BookSummary[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const texts = useTexts();
  if (books.length === 0)
    return (
      <div className="empty-state">
        <strong>{texts.emptyLibrary}</strong>
        <p>
          <a href={to(["library"])}>{texts.addBook}</a>
        </p>
      </div>
    );
  return (
    <Field label={texts.chooseBook}>
      {(attributes) => (
        <select {...attributes} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          {books.map((book) => (
            <option key={book.id} value={book.id}>
              {book.author ? `${book.title} – ${book.author}` : book.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
