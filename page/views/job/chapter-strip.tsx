import { scoreInFigures } from "../../parts/formats.ts";
import { to } from "../../routing.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";
import type { JudgedChapter } from "./use-job.ts";

/** A bar for each chapter, or run of chapters judged together, growing from the left as the judge reads. */
export function ChapterStrip({
  bookId,
  chapters,
}: {
  readonly bookId: string;
  readonly chapters: ReadonlyMap<number, JudgedChapter>;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const rows = [...chapters].sort(([left], [right]) => left - right);
  const scores = rows.flatMap(([, { verdict }]) => (verdict.kind === "scored" ? [verdict.score] : []));
  // From nought, so that a small difference is not drawn as a large one.
  const highest = Math.max(...scores, 1);
  return (
    <ol className="chapter-strip">
      {rows.map(([chapter, { lastChapter, verdict }]) => (
        <li key={chapter} value={chapter}>
          <a href={to(["books", bookId, "read"], { chapter })}>
            <span className="visually-hidden">
              {lastChapter > chapter ? texts.chapterRange(chapter, lastChapter) : texts.chapterNumber(chapter)}:{" "}
            </span>
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
              {lastChapter > chapter ? `${chapter}–${lastChapter}` : chapter}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
