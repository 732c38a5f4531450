import type { CellDetails } from "../../../src/api/cells.ts";
import type { Evidence } from "../../../src/api/evaluations.ts";
import { chapterInWords, percent } from "../../parts/formats.ts";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { type GridState, gridQuery } from "./grid-state.ts";

/** A quotation with whether it stands in the book; one that does leads there, and the reader leads back to the score. */
export function CellQuotation({
  item,
  cell,
  state,
}: {
  readonly item: Evidence;
  readonly cell: CellDetails;
  readonly state: GridState;
}) {
  const texts = useTexts();
  const title = cell.chapters.find(({ index }) => index === item.chapter)?.title;
  const isPlaced = item.found && item.start !== null && item.end !== null;
  const isExact = item.match === "exact" || item.match === "normalised";
  return (
    <blockquote className="quotation">
      {isPlaced ? (
        <a
          lang={cell.language ?? undefined}
          href={to(["books", cell.bookId, "read"], {
            chapter: item.chapter,
            start: item.start,
            end: item.end,
            grid: gridQuery(state),
          })}
        >
          {item.quote}
        </a>
      ) : (
        <p lang={cell.language ?? undefined}>{item.quote}</p>
      )}
      <footer>
        {chapterInWords(item.chapter, title, texts.chapterNumber)} ·{" "}
        {isPlaced ? (
          <span className="found">{isExact ? texts.cellFound : texts.cellFoundNearly(percent(item.similarity))}</span>
        ) : (
          <strong className="doubt">{texts.notInBook}</strong>
        )}
      </footer>
    </blockquote>
  );
}
