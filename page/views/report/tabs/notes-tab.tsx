import { useState } from "react";
import type { EvaluationDetails } from "../../../../src/api/evaluations.ts";
import type { BookNotes, NoteRow } from "../../../../src/api/notes.ts";
import { address } from "../../../api/request.ts";
import { useAnswer } from "../../../api/use-answer.ts";
import { chapterInWords, ratesInWords } from "../../../parts/formats.ts";
import { Waiting } from "../../../parts/waiting.tsx";
import { to } from "../../../routing.ts";
import { useNames, useReason, useTexts } from "../../../texts/preferences.tsx";

/** The sentences a professional editor would most likely change, by reason; each leads to its place in the book. */
export function NotesTab({ details }: { readonly details: EvaluationDetails }) {
  const texts = useTexts();
  const inWords = useReason();
  const [isAll, setAll] = useState(false);
  const path = `/api/books/${encodeURIComponent(details.bookId)}/notes`;
  const asked = useAnswer<BookNotes>(address(path, { all: isAll ? 1 : null }));
  return (
    <Waiting asked={asked}>
      {({ notes, likely, unscored, rates }) =>
        unscored !== null ? (
          <p>{texts.notesUnavailable(inWords(unscored))}</p>
        ) : (
          <section>
            <h2>{texts.noteList}</h2>
            <p>
              {texts.notesShown(notes.length, likely)}. {rates ? ratesInWords(rates, texts) : ""}
            </p>
            <div className="actions">
              <a
                className="button primary"
                href={to(["books", details.bookId, "read"], { notes: "open", from: details.id, tab: "notes" })}
              >
                {texts.readNotes}
              </a>
              {likely > notes.length || isAll ? (
                <button type="button" onClick={() => setAll(!isAll)}>
                  {isAll ? texts.notesFewer : texts.notesAll}
                </button>
              ) : null}
            </div>
            {grouped(notes).map(([why, group]) => (
              <ReasonGroup key={why ?? ""} why={why} notes={group} details={details} />
            ))}
          </section>
        )
      }
    </Waiting>
  );
}

function grouped(notes: readonly NoteRow[]): [string | null, NoteRow[]][] {
  const groups = new Map<string | null, NoteRow[]>();
  for (const note of notes) groups.set(note.why, [...(groups.get(note.why) ?? []), note]);
  // Notes without a reason stand last, however many they are.
  const rank = ([why, own]: [string | null, NoteRow[]]) => (why === null ? -1 : own.length);
  return [...groups].sort((left, right) => rank(right) - rank(left));
}

function ReasonGroup({
  why,
  notes,
  details,
}: {
  readonly why: string | null;
  readonly notes: readonly NoteRow[];
  readonly details: EvaluationDetails;
}) {
  const texts = useTexts();
  const names = useNames();
  const titles = new Map(details.evaluation.book.chapters.map(({ index, title }) => [index, title]));
  return (
    <section className="weak">
      <h3>
        {why === null ? texts.noteOther : names.why(why)} <small className="muted">{notes.length}</small>
      </h3>
      {[...notes]
        .sort((left, right) => right.change - left.change)
        .map(({ id, chapter, start, end, change, mark, sentence }) => (
          <blockquote className="quotation" key={id} lang={details.evaluation.book.language ?? undefined}>
            <a
              href={to(["books", details.bookId, "read"], {
                chapter,
                start,
                end,
                notes: "open",
                from: details.id,
                tab: "notes",
              })}
            >
              {sentence}
            </a>
            <footer>
              {chapterInWords(chapter, titles.get(chapter), texts.chapterNumber)} ·{" "}
              {texts.noteProbability(Math.round(100 * change))}
              {mark === null ? "" : ` · ${mark === "done" ? texts.noteMarkedDone : texts.noteMarkedIgnored}`}
            </footer>
          </blockquote>
        ))}
    </section>
  );
}
