import type { ReaderTaste } from "../../../src/api/readers.ts";
import { signed } from "../../parts/formats.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** What a reader rewards or punishes compared with others, with the reviews behind it. */
export function TasteSection({
  heading,
  entries,
}: {
  readonly heading: string;
  readonly entries: readonly ReaderTaste[];
}) {
  const texts = useTexts();
  return (
    <section>
      <h2>{heading}</h2>
      {entries.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <ul className="review-list">
          {entries.map((entry) => (
            <li key={`${entry.kind} ${entry.name}`}>
              <span className="tag">{signed(entry.difference, 2)}</span> {texts.tasteOf(entry.kind, entry.name)}{" "}
              <span className="muted">{texts.tasteReviews(entry.reviews)}</span>
              {entry.evidence.map((review) => (
                <p className="muted" key={review.title}>
                  <span className="prose">{review.title}</span>:{" "}
                  {texts.tasteEvidence(review.rating, review.others.toFixed(1))}
                  {review.quote === null ? null : <q>{review.quote}</q>}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
