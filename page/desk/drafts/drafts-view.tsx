import type { DraftComparison, FigureChange, TextChange, WordRun } from "../../../src/api/drafts.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import "./drafts.css";
import { useState } from "react";
import type { BookSummary } from "../../../src/api/books.ts";
import type { DraftChanges } from "../../../src/api/evaluations.ts";
import { ChangeTable } from "../../parts/change-table.tsx";
import { Field } from "../../parts/field.tsx";
import { changeOnHundred, figureInWords, rangeInWords } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { ColumnNames, TableScroller } from "../../parts/table.tsx";
import type { Texts } from "../../texts/english.ts";
import { BookTabs } from "../book-tabs.tsx";
import { FindingNames } from "../finding-names.tsx";

const AT_FIRST = 30;
const MORE = 100;
const KINDS = {
  rewritten: "kindRewritten",
  added: "kindAdded",
  removed: "kindRemoved",
  moved: "kindMoved",
} as const satisfies Readonly<Record<TextChange["kind"], keyof Texts>>;

/** Every paragraph that differs, the earlier draft at the left and the later at the right. */
function TextChanges({
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
      <p className="hint">{texts.draftsHint}</p>
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

type DraftBook = Pick<BookSummary, "id" | "language">;

export function Change({
  change,
  before,
  after,
}: {
  readonly change: TextChange;
  readonly before: DraftBook;
  readonly after: DraftBook;
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
  readonly book: DraftBook;
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

/** Two drafts of one book: what changed in the text, the notes, the map and the scores. */
export default function DraftsView({ route }: ViewProps) {
  const texts = useTexts();
  const [before, after] = [route.query.get("before") ?? "", route.query.get("after") ?? ""];
  if (before !== "" && after !== "") return <TwoDrafts before={before} after={after} />;
  return (
    <View title={texts.drafts} kicker={<a href={to(["library"])}>{texts.library}</a>}>
      <p>{texts.draftsMissing}</p>
    </View>
  );
}

function TwoDrafts({ before, after }: { readonly before: string; readonly after: string }) {
  const texts = useTexts();
  const asked = useAnswer(api.drafts, { query: { before, after } });
  const known = asked.answer;
  return (
    <View
      title={known?.after.title ?? texts.drafts}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="drafts narrow"
      actions={
        known ? (
          <a className="button" href={to(["books", after, "read"], { notes: "open" })}>
            {texts.readNotes}
          </a>
        ) : null
      }
    >
      <BookTabs book={{ id: after }} current={null} />
      {asked.problem ? <ProblemNotice problem={asked.problem} again={asked.reload} /> : null}
      {asked.isLoading ? <p className="loading">{texts.comparingDrafts}</p> : null}
      {known ? <Comparison comparison={known} /> : null}
    </View>
  );
}

function Comparison({ comparison }: { readonly comparison: DraftComparison }) {
  const texts = useTexts();
  const { before, after, changes } = comparison;
  const { lineNotes } = changes;
  return (
    <>
      <p>
        {texts.draftNumber(before.draft)}: {texts.words(before.words)} → {texts.draftNumber(after.draft)}:{" "}
        {texts.words(after.words)}
      </p>
      {changes.findings ? <FoundChanges found={changes.findings} before={before} after={after} /> : null}
      {changes.text ? <TextChanges text={changes.text} before={before} after={after} /> : null}
      {lineNotes && lineNotes.before.sentences + lineNotes.after.sentences > 0 ? (
        <section>
          <h2>{texts.noteChanges}</h2>
          <p>
            {texts.noteChangesOf(
              texts.rowsOf(lineNotes.before.likely, lineNotes.before.sentences),
              texts.rowsOf(lineNotes.after.likely, lineNotes.after.sentences),
            )}
          </p>
        </section>
      ) : null}
      {changes.jurors ? (
        // Whoever has repaired faults is not told first that jurors who cannot notice them see no difference.
        <details>
          <summary>{texts.scoresFolded}</summary>
          <ScoreChanges changes={changes} />
        </details>
      ) : null}
      <FigureChanges figures={changes.figures ?? []} />
    </>
  );
}

/** What became of each finding: the first thing said about a draft. */
function FoundChanges({
  found,
  before,
  after,
}: {
  readonly found: NonNullable<DraftChanges["findings"]>;
  readonly before: BookSummary;
  readonly after: BookSummary;
}) {
  const texts = useTexts();
  const groups = [
    [texts.findingsFixed, found.fixed, before],
    [texts.findingsStill, found.still, after],
    [texts.findingsNew, found.new, after],
  ] as const;
  return (
    <section>
      <h2>{texts.findingsChanged}</h2>
      <p>{texts.findingsCounted(found.fixed.length, found.still.length, found.new.length)}</p>
      {groups.map(([label, findings, book]) =>
        findings.length === 0 ? null : (
          <div key={label}>
            <h3>{label}</h3>
            <FindingNames findings={findings} bookId={book.id} />
          </div>
        ),
      )}
    </section>
  );
}

/** Every juror moved onto 0 to 100, since each has a scale of its own; they are never averaged. */
export function ScoreChanges({ changes }: { readonly changes: DraftChanges }) {
  const texts = useTexts();
  const jurors = changes.jurors ?? [];
  if (jurors.length === 0) return null;
  return (
    <section>
      <h2>{texts.scoreChanges}</h2>
      <p className="hint">
        {texts.hundredScale} {texts.scoreChangesHint}
      </p>
      <ChangeTable
        label={texts.scoreChanges}
        first={texts.judge}
        rows={jurors.map((juror) => {
          const name = `${judgeName(juror.id, texts)} (${speakerOf(juror.id, texts) ?? juror.speaker})`;
          return [<JudgeLabel key={juror.id} judge={juror.id} name={name} />, changeOnHundred(juror, juror.scale)];
        })}
      />
      {changes.segments.length > 0 ? (
        <>
          <h3>
            {texts.changedParts}, <JudgeLabel judge={jurors[0]!.id} />
          </h3>
          <ChangeTable
            label={texts.changedParts}
            first={texts.changedPart}
            rows={changes.segments.map(({ title, overall }) => [title, changeOnHundred(overall, jurors[0]!.scale)])}
          />
        </>
      ) : null}
    </section>
  );
}

/** Figures of the manuscript map that differ, beside published novels. */
export function FigureChanges({ figures }: { readonly figures: readonly FigureChange[] }) {
  const texts = useTexts();
  const names = useNames();
  const changed = figures.filter(
    ({ before, after, unit }) => figureInWords(before, unit) !== figureInWords(after, unit),
  );
  if (changed.length === 0) return null;
  const isOutside = (value: number | null, reference: FigureChange["reference"]) =>
    value !== null && reference !== null && (value < reference.low || value > reference.high);
  return (
    <section>
      <h2>{texts.figureChanges}</h2>
      <p className="hint">
        {texts.figureChangesHint} {texts.onlyChangedFigures}
      </p>
      <TableScroller label={texts.figureChanges}>
        <table>
          <ColumnNames names={[texts.figureName, texts.before, texts.after, texts.referenceRange]} />
          <tbody>
            {changed.map(({ id, name, unit, before, after, reference }) => (
              <tr key={id}>
                <th scope="row">{names.figure(id, name)}</th>
                {[before, after].map((value, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns, always in this order.
                  <td key={position} className="number">
                    {figureInWords(value, unit)}
                    {isOutside(value, reference) ? <small className="doubt"> {texts.outsideRange}</small> : null}
                  </td>
                ))}
                <td className="number muted">{reference ? rangeInWords(reference.low, reference.high, unit) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}
