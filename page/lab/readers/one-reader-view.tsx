import type { ReaderDetails, ReaderTaste } from "../../../src/api/readers.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { languageInWords, signed } from "../../parts/formats.ts";
import { Table } from "../../parts/table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { goTo, to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { OutlineSection, ShelfSection } from "./outline-section.tsx";
import { PersonalSection } from "./personal-section.tsx";
import "./readers.css";

export default function OneReaderView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const name = route.path[1] ?? "";
  const asked = useAnswer(api.readers[":name"], { param: { name } });
  const removal = useAction(async () => {
    await ask(api.readers[":name"].$delete, { param: { name } });
    goTo(to(["readers"]));
  });
  return (
    <View title={name} kicker={<a href={to(["readers"])}>{texts.readers}</a>}>
      <Waiting asked={asked}>
        {(reader) => (
          <>
            <Facts
              facts={[
                [texts.reviews, reader.reviews],
                [texts.meanRating, reader.meanRating?.toFixed(2) ?? texts.unknown],
                [texts.generosity, reader.generosity === null ? texts.unknown : signed(reader.generosity, 2)],
                [texts.bookLanguage, languageInWords(reader.language, language)],
              ]}
            />
            <p className="hint">{texts.generosityHint}</p>
            {reader.drift === null ? null : (
              <p>
                {texts.drift(
                  reader.drift.since,
                  signed(reader.drift.difference, 2),
                  reader.drift.interval.map((bound) => signed(bound, 2)).join(" … "),
                )}
              </p>
            )}
            {reader.thin === null ? null : <p className="notice">{reader.thin}</p>}
            {reader.rewards.length + reader.punishes.length === 0 ? (
              <p>{texts.noTastes}</p>
            ) : (
              <div className="two-columns">
                <TasteSection
                  heading={reader.compared > 0 ? texts.rewards : texts.rewardsAlone}
                  entries={reader.rewards}
                />
                <TasteSection
                  heading={reader.compared > 0 ? texts.punishes : texts.punishesAlone}
                  entries={reader.punishes}
                />
              </div>
            )}
            <PersonalSection reader={reader} chosen={route.query.get("book")} />
            <OutlineSection reader={reader} />
            <ShelfSection reader={reader} />
            <div className="two-columns">
              <Latest reader={reader} />
              <Genres reader={reader} />
            </div>
            <ProblemNotice problem={removal.problem} />
            <div className="end-actions">
              <a className="button" href={pathOf(api.readers[":name"].export, { param: { name } })} download>
                {texts.exportAs}
              </a>{" "}
              <ConfirmButton question={texts.removeReaderQuestion} onConfirm={() => void removal.run()}>
                {texts.removeReader}
              </ConfirmButton>
            </div>
          </>
        )}
      </Waiting>
    </View>
  );
}

function Latest({ reader }: { readonly reader: ReaderDetails }) {
  const texts = useTexts();
  return (
    <section>
      <h2>{texts.latestReviews}</h2>
      <ul className="review-list">
        {reader.latest.map((item, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same title may be read twice, and the list never changes.
          <li key={position}>
            <span className="prose">{item.title}</span>{" "}
            <span className="tag">{item.rating === null ? texts.unscored : item.rating}</span>
            {item.review ? <p className="muted">{item.review}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Genres({ reader }: { readonly reader: ReaderDetails }) {
  const texts = useTexts();
  return (
    <section>
      <h2>{texts.byGenre}</h2>
      {reader.genres.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        <Table
          label={texts.byGenre}
          rows={reader.genres}
          columns={[
            [texts.genres, ({ genre }) => genre],
            [texts.count, ({ count }) => count, "number"],
            [texts.meanRating, ({ mean }) => mean.toFixed(2), "number"],
          ]}
        />
      )}
    </section>
  );
}

/** What a reader rates higher or lower than the rest of their books, with the reviews behind it. */
function TasteSection({ heading, entries }: { readonly heading: string; readonly entries: readonly ReaderTaste[] }) {
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
              <span className="muted">
                {texts.tasteReviews(entry.reviews, signed(entry.interval[0], 2), signed(entry.interval[1], 2))}
              </span>
              {entry.evidence.map((review) => (
                <p className="muted" key={review.title}>
                  <span className="prose">{review.title}</span>:{" "}
                  {texts.tasteEvidence(review.rating, review.isAverage ? (review.others?.toFixed(1) ?? null) : null)}
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
