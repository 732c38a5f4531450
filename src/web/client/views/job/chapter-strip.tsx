import type { Verdict } from "../../../../core/verdict.ts";
import { scoreInFigures } from "../../parts/formats.ts";
import { to } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";

/** A bar for each chapter that has been judged, growing from the left as the judge reads. */
export function ChapterStrip({
  bookId,
  chapters,
}: {
  readonly bookId: string;
  readonly chapters: ReadonlyMap<number, Verdict>;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const rows = [...chapters].sort(([left], [right]) => left - right);
  const scores = rows.flatMap(([, verdict]) => (verdict.kind === "scored" ? [verdict.score] : []));
  // From nought, so that a small difference is not drawn as a large one.
  const highest = Math.max(...scores, 1);
  return (
    <ol className="chapter-strip">
      {rows.map(([chapter, verdict]) => (
        <li key={chapter} value={chapter}>
          <a href={to(["books", bookId, "read"], { chapter })}>
            <span className="visually-hidden">{texts.chapterNumber(chapter)}: </span>
            {verdict.kind === "scored" ? (
              <>
                <i aria-hidden="true" style={{ height: `${Math.max(0, verdict.score / highest) * 5}rem` }} />
                <span className="number">{scoreInFigures(verdict.score)}</span>
              </>
            ) : (
              <span className="unscored" title={inWords(verdict.reason)}>
                –<span className="visually-hidden"> {texts.unscoredBecause(inWords(verdict.reason))}</span>
              </span>
            )}
            <span className="muted" aria-hidden="true">
              {chapter}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
