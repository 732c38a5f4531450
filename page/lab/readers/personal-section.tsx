import { type ReactNode, useState } from "react";
import type { ModelReview, PersonalVerdict, ReaderDetails, ReviewRequest } from "../../../src/api/readers.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Filter } from "../../parts/field.tsx";
import { money, signed } from "../../parts/formats.ts";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import { ModelForm, useModels } from "../questions/model-work.tsx";

/** This reader's predicted rating of a book, beside the general one, and the reasons. */
export function PersonalSection({
  reader,
  chosen,
}: {
  readonly reader: ReaderDetails;
  readonly chosen: string | null;
}) {
  const texts = useTexts();
  const books = useAnswer(api.books, { query: { limit: 200 } });
  const [bookId, setBookId] = useState(chosen ?? "");
  const verdict = useAnswer(
    api.readers[":name"].verdict,
    bookId === "" ? null : { param: { name: reader.name }, query: { book: bookId } },
  );
  return (
    <section className="panel personal">
      <h2 className="form-heading">{texts.personalFor(reader.name)}</h2>
      <Waiting asked={books}>
        {({ items }) => (
          <Filter
            label={texts.chooseBook}
            any={texts.noBookChosen}
            value={bookId}
            options={items.map(({ id, title }) => [id, title])}
            onChoose={setBookId}
          />
        )}
      </Waiting>
      {bookId === "" ? null : <Waiting asked={verdict}>{(known) => <Verdicts verdict={known} />}</Waiting>}
      {bookId === "" ? null : <ReviewByModel key={bookId} reader={reader.name} story={{ book: bookId }} />}
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
          >
            <StarChances distribution={verdict.personal.distribution} />
          </Rating>
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

type ReviewedStory = Pick<ReviewRequest, "book" | "outline">;

/** The review that a language model writes in the reader's place: the price first, then the review with its score. */
export function ReviewByModel({ reader, story }: { readonly reader: string; readonly story: ReviewedStory }) {
  const texts = useTexts();
  const models = useModels();
  const [written, setWritten] = useState<ModelReview | null>(null);
  const [isWriting, setIsWriting] = useState(false);
  const param = { name: reader };
  const plan = async (sent: ReviewRequest) =>
    (await ask(api.readers[":name"].review.$post, { param, json: { ...sent, isPlan: true } })).plan!;
  const start = async (sent: ReviewRequest) => {
    setIsWriting(true);
    try {
      setWritten((await ask(api.readers[":name"].review.$post, { param, json: sent })).review);
    } finally {
      setIsWriting(false);
    }
  };
  if (models === null) return null;
  return (
    <section className="model-review">
      <h3>{texts.modelReview(reader)}</h3>
      <ModelForm
        label={texts.modelReview(reader)}
        models={models}
        plan={plan}
        start={start}
        request={story}
        isBusy={isWriting}
        onStarted={() => {}}
      />
      <div role="status">
        {isWriting ? <p className="muted">{texts.modelReviewWaiting}</p> : null}
        {written && !isWriting ? <WrittenReview written={written} /> : null}
      </div>
    </section>
  );
}

function WrittenReview({ written: { review, score, unscored, shown, cost } }: { readonly written: ModelReview }) {
  const texts = useTexts();
  return (
    <>
      {review === null ? null : <blockquote className="prose">{review}</blockquote>}
      {score === null ? null : (
        <div className="figure">
          <strong>{score}</strong>
          <span>{texts.ofScale(10)}</span>
        </div>
      )}
      {unscored === null ? null : <p className="unscored">{texts.unscoredBecause(unscored)}</p>}
      <p className="hint">
        {shown.length > 0 ? texts.modelReviewShown(shown.join("; ")) : null} {cost === null ? null : money(cost)}
      </p>
    </>
  );
}

function Rating({
  name,
  rating,
  interval,
  isPersonal = false,
  children,
}: {
  readonly name: string;
  readonly rating: number;
  readonly interval: readonly [number, number] | null;
  readonly isPersonal?: boolean;
  readonly children?: ReactNode;
}) {
  const texts = useTexts();
  return (
    <div className={isPersonal ? "figure" : "figure general"}>
      <h3>{name}</h3>
      <strong>{rating.toFixed(2)}</strong>
      <span>{texts.ofScale(5)}</span>
      <p>{interval ? texts.likely(interval[0].toFixed(1), interval[1].toFixed(1)) : texts.noInterval}</p>
      {children}
    </div>
  );
}

/** How likely each number of stars is, one bar each. */
function StarChances({ distribution }: { readonly distribution: readonly number[] }) {
  const texts = useTexts();
  const largest = Math.max(...distribution);
  return (
    <ul className="star-chances" aria-label={texts.starChances}>
      {distribution.map((chance, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the number of stars.
        <li key={at}>
          <i aria-hidden="true" style={{ height: `${(chance / largest) * 100}%` }} />
          <span>{texts.starChance(at + 1, chance < 0.01 ? "<1" : String(Math.round(100 * chance)))}</span>
        </li>
      ))}
    </ul>
  );
}
