import type { BookDetails } from "../../../src/api/books.ts";
import type { NoteRow } from "../../../src/api/notes.ts";
import { Field } from "../../parts/field.tsx";
import { chapterInWords } from "../../parts/formats.ts";
import { useMedia } from "../../parts/use-media.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import { NO_REASON, OPEN, reasonsIn } from "./note-filter.ts";
import { SearchField, type useBookSearch } from "./search-panel.tsx";
import { HEAT_STEPS } from "./text-runs.ts";

/** The one layer there is. */
const EDITS = "edits";

export function ReaderToolbar({
  book,
  current,
  share,
  heat,
  onChapter,
  onHeat,
  hasFindings,
  onFindings,
  notes,
  filter,
  onFilter,
  search,
}: {
  readonly book: BookDetails;
  readonly current: number;
  readonly share: number;
  readonly heat: string | null;
  readonly onChapter: (chapter: number) => void;
  readonly onHeat: (layer: string | null) => void;
  readonly hasFindings: boolean;
  readonly onFindings: (isOn: boolean) => void;
  readonly notes: readonly NoteRow[];
  /** Which notes are shown; null for none. */
  readonly filter: string | null;
  readonly onFilter: (filter: string | null) => void;
  readonly search: ReturnType<typeof useBookSearch>;
}) {
  const texts = useTexts();
  const isNarrow = useMedia("(max-width: 44rem)");
  const layers = (
    <>
      <Field label={texts.heatLayer}>
        {(attributes) => (
          <select
            {...attributes}
            value={heat === null ? "" : EDITS}
            onChange={(event) => onHeat(event.target.value || null)}
          >
            <option value="">{texts.heatOff}</option>
            <option value={EDITS}>{texts.heatEdits}</option>
          </select>
        )}
      </Field>
      <Field label={texts.findingsLayer}>
        {(attributes) => (
          <select
            {...attributes}
            value={hasFindings ? "on" : "off"}
            onChange={(event) => onFindings(event.target.value === "on")}
          >
            <option value="on">{texts.findingsMarked}</option>
            <option value="off">{texts.findingsOff}</option>
          </select>
        )}
      </Field>
      <NoteFilter notes={notes} filter={filter} onFilter={onFilter} />
      <SearchField search={search} />
    </>
  );
  return (
    <div className="toolbar reader-toolbar">
      <Field label={`${texts.contents} · ${Math.floor(share * 100)} %`}>
        {(attributes) => (
          <select {...attributes} value={current} onChange={(event) => onChapter(Number(event.target.value))}>
            {book.contents.map((chapter) => (
              <option key={chapter.index} value={chapter.index}>
                {chapterInWords(chapter.index, chapter.title, texts.chapterNumber)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {/* On a phone most of the page is for the text. */}
      {isNarrow ? (
        <details className="reader-layers">
          <summary>{texts.readerLayers}</summary>
          <div className="toolbar">{layers}</div>
        </details>
      ) : (
        layers
      )}
    </div>
  );
}

function NoteFilter({
  notes,
  filter,
  onFilter,
}: {
  readonly notes: readonly NoteRow[];
  readonly filter: string | null;
  readonly onFilter: (filter: string | null) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  const reasons = reasonsIn(notes).map(({ why, count }) => ({
    value: why ?? NO_REASON,
    label: `${why === null ? texts.noteOther : names.why(why)} (${count})`,
  }));
  const listed = [OPEN, "done", "ignored", ...reasons.map(({ value }) => value)];
  return (
    <Field label={texts.lineNotesLayer}>
      {(attributes) => (
        <select {...attributes} value={filter ?? ""} onChange={(event) => onFilter(event.target.value || null)}>
          <option value="">{texts.notesOff}</option>
          <option value={OPEN}>{texts.notesOpen}</option>
          {reasons.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {filter !== null && !listed.includes(filter) ? <option value={filter}>{names.why(filter)}</option> : null}
          <option value="done">{texts.notesDone}</option>
          <option value="ignored">{texts.notesIgnored}</option>
        </select>
      )}
    </Field>
  );
}

/** What the colours mean, in figures too, on the whole scale from 0 to 1: a colour alone is not accessible. */
export function HeatLegend({ problem }: { readonly problem: string | null }) {
  const texts = useTexts();
  return (
    <div className="heat-legend">
      <span>{texts.heatLegend}</span>
      <span className="swatches">
        0
        <i className="heat edit-0" aria-hidden="true" />
        {HEAT_STEPS.map((step, position) => (
          <span key={step} className="swatches">
            {position === 0 ? texts.heatBaseRate(step.toFixed(2)) : step.toFixed(2)}
            <i className={`heat edit-${position + 1}`} aria-hidden="true" />
          </span>
        ))}
        1
      </span>
      {problem ? <span className="doubt">{texts.heatUnavailable(problem)}</span> : null}
    </div>
  );
}
