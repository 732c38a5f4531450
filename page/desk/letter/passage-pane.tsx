import { useState } from "react";
import type { LetterFinding, Passage } from "../../../src/api/letters.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { chapterInWords } from "../../parts/formats.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** Shown of the text before and after a passage, to the next end of a paragraph. */
const PASSAGE_MARGIN = 500;
/** Of two passages beside each other both are to be in sight at once: the text before them is short. */
const PAIR_MARGIN = 150;
const MOST = 12;

/** The passages of a finding in their places, both sides of a contradiction beside each other. */
export function PassagePane({
  bookId,
  language,
  finding,
}: {
  readonly bookId: string;
  readonly language: string | null;
  readonly finding: LetterFinding;
}) {
  const texts = useTexts();
  const [isAll, setAll] = useState(false);
  const { length } = finding.passages;
  const places = isAll ? finding.passages : finding.passages.slice(0, MOST);
  const isPair = places.length === 2;
  return (
    <div className={isPair ? "passage-pane pair" : "passage-pane"}>
      <div>
        {places.map((passage) => (
          <PassageInPlace
            key={`${passage.chapter}:${passage.start}`}
            passage={passage}
            bookId={bookId}
            language={language}
            {...(isPair && { marginBefore: PAIR_MARGIN })}
          />
        ))}
      </div>
      {places.length < length ? (
        <p>
          <span className="muted">{texts.passagesShown(places.length, length)}</span>{" "}
          <button type="button" className="quiet" onClick={() => setAll(true)}>
            {texts.passagesAll}
          </button>
        </p>
      ) : null}
    </div>
  );
}

export function PassageInPlace({
  passage,
  bookId,
  language,
  marginBefore = PASSAGE_MARGIN,
}: {
  readonly passage: Passage;
  readonly bookId: string;
  readonly language: string | null;
  readonly marginBefore?: number;
}) {
  const texts = useTexts();
  const { chapter, start, end, quote } = passage;
  const asked = useAnswer(api.books[":id"].chapters[":index"], { param: { id: bookId, index: String(chapter) } });
  const { answer, problem } = asked;
  const text = answer?.text ?? null;
  // While the chapter loads the place is taken on trust.
  const place = text === null ? { start, end } : placeIn(text, passage);
  return (
    <section className="passage" aria-label={chapterInWords(chapter, answer?.title, texts.chapterNumber)}>
      <header>
        <strong>{chapterInWords(chapter, answer?.title, texts.chapterNumber)}</strong>{" "}
        <a href={to(["books", bookId, "read"], { chapter, ...place, notes: "open" })}>{texts.passageOpen}</a>
      </header>
      {problem ? <ProblemNotice problem={problem} again={asked.reload} /> : null}
      {text === null || place === null ? (
        <p className="prose">
          <mark>{quote}</mark>
        </p>
      ) : (
        <p className="prose" lang={language ?? undefined}>
          {textBefore(text, place.start, marginBefore)}
          <mark>{text.slice(place.start, place.end)}</mark>
          {textAfter(text, place.end)}
        </p>
      )}
    </section>
  );
}

/**
 * Where the passage stands in its chapter; null where it does not. Chapters may have been joined or split since the book was
 * read, and the words moved with them.
 */
export function placeIn(text: string, { start, end, quote }: Passage): { start: number; end: number } | null {
  const words = quote.trim().split(/\s+/);
  if (text.slice(start, end).trim().split(/\s+/).join(" ") === words.join(" ")) return { start, end };
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+");
  const found = pattern === "" ? null : new RegExp(pattern).exec(text);
  return found && { start: found.index, end: found.index + found[0].length };
}

export function textBefore(text: string, start: number, margin: number): string {
  const from = Math.max(0, start - margin);
  const paragraph = text.indexOf("\n\n", from);
  return from === 0
    ? text.slice(0, start)
    : `… ${paragraph >= 0 && paragraph < start ? text.slice(paragraph + 2, start) : text.slice(from, start).replace(/^[A-Za-z’']+ /, "")}`;
}

function textAfter(text: string, end: number): string {
  const to = Math.min(text.length, end + PASSAGE_MARGIN);
  const paragraph = text.lastIndexOf("\n\n", to);
  return to === text.length
    ? text.slice(end)
    : `${paragraph > end ? text.slice(end, paragraph) : text.slice(end, to).replace(/ [A-Za-z’']+$/, "")} …`;
}
