import { type ReactNode, useRef, useState } from "react";
import { NEVER, NOT_TOLD, type Part, type Said, type StoryPlace, saidOf, withSaid } from "../../../src/api/letters.ts";
import { Field } from "../../parts/field.tsx";
import type { Texts } from "../../texts/english.ts";
import { useTexts } from "../../texts/preferences.tsx";

export interface Corrections {
  /** What the writer says about the book, a line each; null until it is known, and nothing can be corrected. */
  readonly facts: readonly string[] | null;
  /** Two may be saved at once, of which the second must know the first. */
  readonly onSay: (change: (known: readonly string[]) => readonly string[]) => void;
}

const TENSIONS = [1, 2, 3, 4, 5];
const LONG: readonly Part[] = ["changes", "what", "thread", "asks", "answered"];

/** Called when the field appears; a new function would take the focus back whenever the board is drawn again. */
const focusFirst = (input: HTMLElement | null) => input?.focus();

export function partNames(texts: Texts): Readonly<Record<Part, string>> {
  return {
    place: texts.storyPlace,
    time: texts.storyWhen,
    viewpoint: texts.storyEyes,
    present: texts.storyThere,
    changes: texts.storyChanges,
    tension: texts.storyTensionLabel,
    asks: texts.readerAsks,
    answered: texts.readerAnswered,
    who: texts.storyWho,
    what: texts.storyHappens,
    when: texts.storyWhen,
    thread: texts.storyThread,
    closes: texts.storyCloses,
    isTold: texts.storyLeaveOut,
  };
}

/** What was read, with a button that opens a form for the parts of it that a writer may correct. */
export function CorrectedParts({
  place,
  parts,
  name,
  asRead,
  chapters = [],
  facts,
  onSay,
  children,
}: Corrections & {
  readonly place: StoryPlace;
  readonly parts: readonly Part[];
  readonly name: string;
  /** As it was read or counted, until it is corrected. */
  readonly asRead: Said;
  /** Where a thread may close. */
  readonly chapters?: readonly number[];
  /** Shown until the form is opened. */
  readonly children: ReactNode;
}) {
  const texts = useTexts();
  const [isEditing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const said = saidOf(facts ?? [], place);
  const labels = partNames(texts);
  // Whoever works with the keyboard goes on where the form was opened.
  const close = () => {
    setEditing(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (!isEditing)
    return (
      <>
        {children}
        {facts ? (
          <button ref={opener} type="button" className="quiet" onClick={() => setEditing(true)}>
            {texts.storyCorrect} <span className="visually-hidden">{name}</span>
          </button>
        ) : null}
        {parts.some((part) => said[part]) ? <small className="muted">{texts.storyCorrected}</small> : null}
      </>
    );
  return (
    <form
      aria-label={`${texts.storyCorrect} ${name}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const changed = parts.flatMap((part) => {
          // Each correction is one line.
          const now = String(given.get(part) ?? "")
            .replace(/\s+/g, " ")
            .trim();
          return now !== "" && now !== (asRead[part] ?? "") ? [[part, now]] : [];
        });
        onSay((known) => withSaid(known, place, parts, Object.fromEntries(changed)));
        close();
      }}
    >
      {parts.map((part, at) => {
        const shown = said[part] ?? asRead[part] ?? "";
        if (part === "isTold")
          return (
            <label key={part} className="hint">
              <input type="checkbox" name={part} value={NOT_TOLD} defaultChecked={shown === NOT_TOLD} /> {labels[part]}
            </label>
          );
        return (
          <Field key={part} label={labels[part]}>
            {(attributes) => {
              const own = { ...attributes, name: part, defaultValue: shown, ref: at === 0 ? focusFirst : undefined };
              if (part === "tension")
                return (
                  <select {...own}>
                    {asRead.tension === undefined ? <option value="">–</option> : null}
                    {TENSIONS.map((step) => (
                      <option key={step}>{step}</option>
                    ))}
                  </select>
                );
              if (part === "closes")
                return (
                  <select {...own}>
                    <option value={NEVER}>{texts.threadOpen}</option>
                    {chapters.map((chapter) => (
                      <option key={chapter} value={chapter}>
                        {texts.chapterNumber(chapter)}
                      </option>
                    ))}
                  </select>
                );
              return LONG.includes(part) ? (
                <textarea {...own} rows={2} maxLength={400} />
              ) : (
                <input {...own} maxLength={400} />
              );
            }}
          </Field>
        );
      })}
      <div className="actions">
        <button type="submit">{texts.save}</button>
        <button type="button" className="quiet" onClick={close}>
          {texts.cancel}
        </button>
      </div>
    </form>
  );
}
