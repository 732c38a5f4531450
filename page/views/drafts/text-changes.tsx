import { useState } from "react";
import type { BookSummary } from "../../../src/api/books.ts";
import type { DraftComparison, TextChange, WordRun } from "../../../src/api/drafts.ts";
import { Field } from "../../parts/field.tsx";
import { to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { useTexts } from "../../texts/preferences.tsx";

const AT_FIRST = 30;
const MORE = 100;
const KINDS = {
  rewritten: "kindRewritten",
  added: "kindAdded",
  removed: "kindRemoved",
  moved: "kindMoved",
} as const satisfies Readonly<Record<TextChange["kind"], keyof Texts>>;

/** Every paragraph that differs, the earlier draft at the left and the later at the right. */
export function TextChanges({
  text,
  before,
  after,
}: {
  readonly text: NonNullable<DraftComparison["changes"]["text"]>;
  readonly before: BookSummary;
  readonly after: BookSummary;
}) {
  const texts = useTexts();
  const [kind, setKind] = useState("");
  const [most, setMost] = useState(AT_FIRST);
  const { paragraphs, words } = text;
  const wanted = text.changes.filter((change) => kind === "" || change.kind === kind);
  return (
    <section>
      <h2>{texts.textChanges}</h2>
      {text.changes.length === 0 ? (
        <p>{texts.textIdentical}</p>
      ) : (
        <>
          <p>
            {texts.textCounts(paragraphs.rewritten, paragraphs.added, paragraphs.removed)}{" "}
            {texts.textMoved(paragraphs.moved, paragraphs.same)} {texts.textWords(words.added, words.removed)}
          </p>
          <div className="toolbar">
            <Field label={texts.filterChanges}>
              {(attributes) => (
                <select {...attributes} value={kind} onChange={(event) => setKind(event.target.value)}>
                  <option value="">{texts.allChanges}</option>
                  {(Object.keys(KINDS) as TextChange["kind"][]).map((name) => (
                    <option key={name} value={name}>
                      {`${texts[KINDS[name]]} (${paragraphs[name]})`}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <div className="side-by-side side-heads" aria-hidden="true">
            <strong>{texts.earlierDraft}</strong>
            <strong>{texts.laterDraft}</strong>
          </div>
          {wanted.slice(0, most).map((change, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes have no names, and the list never changes.
            <Change key={position} change={change} before={before} after={after} />
          ))}
          {wanted.length > most ? (
            <div className="load-more">
              <span className="muted">{texts.rowsOf(most, wanted.length)}</span>
              <button type="button" onClick={() => setMost(most + MORE)}>
                {texts.more}
              </button>
            </div>
          ) : null}
        </>
      )}
    </section>
  );
}

function Change({
  change,
  before,
  after,
}: {
  readonly change: TextChange;
  readonly before: BookSummary;
  readonly after: BookSummary;
}) {
  const texts = useTexts();
  return (
    <article className="text-change">
      <span className="tag quiet">{texts[KINDS[change.kind]]}</span>
      <div className="side-by-side">
        <Side label={texts.earlierDraft} place={change.before} book={before} runs={change.runs} without="added" />
        <Side label={texts.laterDraft} place={change.after} book={after} runs={change.runs} without="removed" />
      </div>
    </article>
  );
}

function Side({
  label,
  place,
  book,
  runs,
  without,
}: {
  readonly label: string;
  readonly place: TextChange["before"];
  readonly book: BookSummary;
  readonly runs: readonly WordRun[];
  readonly without: WordRun["kind"];
}) {
  const texts = useTexts();
  if (!place) return <div className="side-text empty" />;
  const { chapter, start, end } = place;
  return (
    <div className="side-text" lang={book.language ?? undefined}>
      <a
        href={to(["books", book.id, "read"], { chapter, start, end, notes: "open" })}
        aria-label={`${label}, ${texts.chapterNumber(chapter)}`}
      >
        <small>{texts.chapterNumber(chapter)}</small>
      </a>
      <p>
        {runs
          .filter((run) => run.kind !== without)
          .map((run, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs have no names, and the list never changes.
            <Run key={position} run={run} />
          ))}
      </p>
    </div>
  );
}

function Run({ run }: { readonly run: WordRun }) {
  if (run.kind === "added") return <ins>{run.text}</ins>;
  if (run.kind === "removed") return <del>{run.text}</del>;
  return run.text;
}
