import type { BookMapAnswer } from "../../../../src/api/map.ts";
import type { BookNotes } from "../../../../src/api/notes.ts";
import { useAnswer } from "../../../api/use-answer.ts";
import { ProblemNotice } from "../../../parts/waiting.tsx";
import { useTexts } from "../../../texts/preferences.tsx";
import { ChapterStrips } from "../map/chapter-strips.tsx";
import { CharacterTable } from "../map/character-table.tsx";
import { FigureTable } from "../map/figure-table.tsx";
import "../map/map.css";

/** The manuscript map: what can be counted, chapter by chapter, beside published novels. */
export function MapTab({
  bookId,
  title,
  report,
}: {
  readonly bookId: string;
  readonly title: string;
  /** The report it belongs to; null outside of one. */
  readonly report: string | null;
}) {
  const texts = useTexts();
  const path = `/api/books/${encodeURIComponent(bookId)}`;
  const asked = useAnswer<BookMapAnswer>(`${path}/map`);
  const notes = useAnswer<BookNotes>(`${path}/notes?all=1`);
  const map = asked.answer;
  if (asked.problem) return <ProblemNotice problem={asked.problem} again={asked.reload} />;
  if (!map) return <p className="loading">{texts.mapReading}</p>;
  return (
    <>
      <p className="hint">{texts.mapHint}</p>
      {map.pace === null ? <p>{texts.mapEnglishOnly}</p> : null}
      <ChapterStrips map={map} notes={notes.answer} bookId={bookId} report={report} />
      <CharacterTable map={map} bookId={bookId} onCorrected={asked.reload} />
      <FigureTable map={map} title={title} />
    </>
  );
}
