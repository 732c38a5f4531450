import { useState } from "react";
import type { Paged } from "../../../src/api/answers.ts";
import type { BookSummary } from "../../../src/api/books.ts";
import type { PersonalVerdict, ReaderDetails } from "../../../src/api/readers.ts";
import { address } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Field } from "../../parts/field.tsx";
import { signed } from "../../parts/formats.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** This reader's predicted rating of a book, beside the general one, and the reasons. */
export function PersonalSection({
  reader,
  chosen,
}: {
  readonly reader: ReaderDetails;
  readonly chosen: string | null;
}) {
  const texts = useTexts();
  const books = useAnswer<Paged<BookSummary>>("/api/books?limit=200");
  const [bookId, setBookId] = useState(chosen ?? "");
  const verdict = useAnswer<PersonalVerdict>(
    bookId === "" ? null : address(`/api/readers/${encodeURIComponent(reader.name)}/verdict`, { book: bookId }),
  );
  return (
    <section className="panel personal">
      <h2 className="form-heading">{texts.personalFor(reader.name)}</h2>
      <Waiting asked={books}>
        {({ items }) => (
          <Field label={texts.chooseBook}>
            {(attributes) => (
              <select {...attributes} value={bookId} onChange={(event) => setBookId(event.target.value)}>
                <option value="">–</option>
                {items.map((book) => (
                  <option key={book.id} value={book.id}>
                    {book.title}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </Waiting>
      {bookId === "" ? null : <Waiting asked={verdict}>{(known) => <Verdicts verdict={known} />}</Waiting>}
    </section>
  );
}

export function Verdicts({ verdict }: { readonly verdict: PersonalVerdict }) {
  const texts = useTexts();
  const largest = Math.max(0.01, ...verdict.because.map((reason) => Math.abs(reason.effect)));
  return (
    <>
      <p className="prose headline">{verdict.headline}</p>
      {verdict.unscored ? <p className="unscored">{texts.unscoredBecause(verdict.unscored)}</p> : null}
      <div className="verdict-pair">
        {verdict.personal ? (
          <Rating
            name={verdict.reader}
            rating={verdict.personal.rating}
            interval={verdict.personal.interval}
            isPersonal
          />
        ) : null}
        {verdict.general ? (
          <Rating name={texts.generalVerdict} rating={verdict.general.rating} interval={verdict.general.interval} />
        ) : null}
      </div>
      {verdict.because.length > 0 ? (
        <>
          <h3>{texts.because}</h3>
          <ul className="because">
            {verdict.because.map((reason) => (
              <li key={reason.text}>
                <span>{reason.text}</span>
                <span className="number">{signed(reason.effect, 2)}</span>
                <i
                  aria-hidden="true"
                  className={reason.effect < 0 ? "lower" : ""}
                  style={{ width: `${(Math.abs(reason.effect) / largest) * 100}%` }}
                />
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {verdict.notes.map((note) => (
        <p className="hint" key={note}>
          {note}
        </p>
      ))}
    </>
  );
}

function Rating({
  name,
  rating,
  interval,
  isPersonal = false,
}: {
  readonly name: string;
  readonly rating: number;
  readonly interval: readonly [number, number] | null;
  readonly isPersonal?: boolean;
}) {
  const texts = useTexts();
  return (
    <div className={isPersonal ? "figure" : "figure general"}>
      <h3>{name}</h3>
      <strong>{rating.toFixed(2)}</strong>
      <span>{texts.ofScale(5)}</span>
      <p>{interval ? texts.likely(interval[0].toFixed(1), interval[1].toFixed(1)) : texts.noInterval}</p>
    </div>
  );
}
