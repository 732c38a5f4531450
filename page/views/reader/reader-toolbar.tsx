import type { BookDetails } from "../../../src/api/books.ts";
import { Field } from "../../parts/field.tsx";
import { chapterInWords, percent } from "../../parts/formats.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { SearchField, type useBookSearch } from "./search-panel.tsx";
import { HEAT_STEPS } from "./text-runs.ts";

/** The one layer there is; addresses made by earlier versions may name an aspect instead. */
const EDITS = "edits";

export function ReaderToolbar({
  book,
  current,
  share,
  heat,
  onChapter,
  onHeat,
  search,
}: {
  readonly book: BookDetails;
  readonly current: number;
  readonly share: number;
  readonly heat: string | null;
  readonly onChapter: (chapter: number) => void;
  readonly onHeat: (layer: string | null) => void;
  readonly search: ReturnType<typeof useBookSearch>;
}) {
  const texts = useTexts();
  return (
    <div className="toolbar reader-toolbar">
      <Field label={`${texts.contents} · ${percent(share)}`}>
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
      <SearchField search={search} />
    </div>
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
