import type { About } from "../../../src/api/about.ts";
import type { BookDetails } from "../../../src/api/books.ts";
import { Field } from "../../parts/field.tsx";
import { chapterInWords, percent } from "../../parts/formats.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { SearchField, type useBookSearch } from "./search-panel.tsx";

export function ReaderToolbar({
  book,
  aspects,
  current,
  share,
  heat,
  onChapter,
  onHeat,
  search,
}: {
  readonly book: BookDetails;
  readonly aspects: About["aspects"];
  readonly current: number;
  readonly share: number;
  readonly heat: string | null;
  readonly onChapter: (chapter: number) => void;
  readonly onHeat: (aspect: string | null) => void;
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
          <select {...attributes} value={heat ?? ""} onChange={(event) => onHeat(event.target.value || null)}>
            <option value="">{texts.heatOff}</option>
            <option value="overall">{texts.overall}</option>
            {aspects.map((aspect) => (
              <option key={aspect.id} value={aspect.id}>
                {aspect.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <SearchField search={search} />
    </div>
  );
}

/** What the colours mean, in words too: a colour alone is not accessible. */
export function HeatLegend({ problem }: { readonly problem: string | null }) {
  const texts = useTexts();
  return (
    <div className="heat-legend">
      <span>{texts.heatLegend}</span>
      <span className="swatches">
        {texts.heatLowers}
        {["lower-3", "lower-2", "lower-1", "raise-1", "raise-2", "raise-3"].map((name) => (
          <i key={name} className={`heat ${name}`} aria-hidden="true" />
        ))}
        {texts.heatRaises}
      </span>
      {problem ? <span className="doubt">{texts.heatUnavailable(problem)}</span> : null}
    </div>
  );
}
