import { useState } from "react";
import type { OutlineVerdicts, ReaderDetails, ReaderShelf } from "../../../src/api/readers.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ActionForm } from "../../parts/action.tsx";
import { Field } from "../../parts/field.tsx";
import { Table } from "../../parts/table.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import { ReviewByModel, Verdicts } from "./personal-section.tsx";

/** What the reader would think of an outline that is typed in, and which of two would be preferred. */
export function OutlineSection({ reader }: { readonly reader: ReaderDetails }) {
  const texts = useTexts();
  const [outline, setOutline] = useState("");
  const [other, setOther] = useState("");
  const [found, setFound] = useState<OutlineVerdicts | null>(null);
  return (
    <section className="panel personal">
      <ActionForm
        className=""
        label={texts.outlineFor(reader.name)}
        submit={texts.predictButton}
        act={async () => {
          const outlines = [outline, other].filter((text) => text.trim() !== "");
          const param = { name: reader.name };
          setFound(await ask(api.readers[":name"].outlines.$post, { param, json: { outlines } }));
        }}
        below={() => (found ? <Found found={found} /> : null)}
      >
        <h2 className="form-heading">{texts.outlineFor(reader.name)}</h2>
        <div className="two-columns">
          <Field label={texts.outline} hint={texts.outlineHint}>
            {(attributes) => (
              <textarea
                {...attributes}
                required
                rows={8}
                value={outline}
                onChange={(event) => setOutline(event.target.value)}
              />
            )}
          </Field>
          <Field label={texts.otherOutline}>
            {(attributes) => (
              <textarea {...attributes} rows={8} value={other} onChange={(event) => setOther(event.target.value)} />
            )}
          </Field>
        </div>
      </ActionForm>
      {found ? <ReviewByModel reader={reader.name} story={{ outline }} /> : null}
    </section>
  );
}

function Found({ found: { verdicts, preference } }: { readonly found: OutlineVerdicts }) {
  const texts = useTexts();
  return (
    <div role="status">
      {preference ? (
        <p className="notice">
          {preference.preferred === "tie"
            ? texts.preferenceUnclear
            : texts.preferredOutline(
                preference.preferred === "left" ? 1 : 2,
                Math.round(100 * (preference.preferred === "left" ? preference.chanceLeft : preference.chanceRight)),
                Math.round(100 * preference.chanceEqual),
              )}
        </p>
      ) : null}
      <div className={verdicts.length > 1 ? "two-columns" : ""}>
        {verdicts.map((verdict, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two outlines may have the same title, and their order stays.
          <section key={at}>
            {verdicts.length > 1 ? <h3>{verdict.title}</h3> : null}
            <Verdicts verdict={{ ...verdict, bookId: "" }} />
          </section>
        ))}
      </div>
    </div>
  );
}

/** The to-read shelf of the reader's export, ranked, and which ratings would tell most about it. */
export function ShelfSection({ reader }: { readonly reader: ReaderDetails }) {
  const texts = useTexts();
  const asked = useAnswer(api.readers[":name"].shelf, { param: { name: reader.name } });
  return (
    <section className="personal">
      <h2>{texts.shelfOf(reader.name)}</h2>
      <Waiting asked={asked}>{(shelf) => <Shelf shelf={shelf} />}</Waiting>
    </section>
  );
}

function Shelf({ shelf: { ranked, questions } }: { readonly shelf: ReaderShelf }) {
  const texts = useTexts();
  const isShared = (rank: number) => ranked.filter((book) => book.rank === rank).length > 1;
  return (
    <>
      {ranked.length === 0 ? (
        <p className="muted">{texts.noShelf}</p>
      ) : (
        <>
          <p className="hint">{texts.shelfTies}</p>
          <Table
            label={texts.rank}
            rows={ranked}
            columns={[
              [
                texts.book,
                ({ title, because }) => (
                  <>
                    {title}
                    {because === null ? null : <p className="muted">{because}</p>}
                  </>
                ),
              ],
              [texts.rank, ({ rank }) => `${rank}${isShared(rank) ? "=" : ""}`, "number"],
              [texts.stars, ({ rating }) => rating.toFixed(2), "number"],
              [texts.fourInFive, ({ interval }) => interval.map((bound) => bound.toFixed(1)).join("–"), "number"],
            ]}
          />
        </>
      )}
      {questions.length === 0 ? null : (
        <>
          <h3>{texts.rateThese}</h3>
          <p className="hint">{texts.rateTheseHint}</p>
          <ol>
            {questions.map(({ title, near }) => (
              <li key={title}>
                <span className="prose">{title}</span>{" "}
                {near.length > 0 ? <span className="muted">{texts.tellsAbout(near.join("; "))}</span> : null}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
