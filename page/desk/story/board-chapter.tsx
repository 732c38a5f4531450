import { type ReactNode, useRef, useState } from "react";
import type { Story } from "../../../src/api/letters.ts";
import { Field } from "../../parts/field.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import { type BoardPlace, PART_NAMES, type Part, type Said, saidOf, withSaid } from "./board-lines.ts";

type ReadChapter = Story["chapters"][number];

const TENSIONS = [1, 2, 3, 4, 5];

/** Called when the field appears; a new function would take the focus back whenever the board is drawn again. */
const focusFirst = (input: HTMLInputElement | null) => input?.focus();

interface CorrectedProps {
  readonly facts: readonly string[];
  readonly onSay: (facts: readonly string[]) => void;
}

/** What a model read of a chapter, with what the writer corrected in its place. */
export function BoardChapter({
  read,
  name,
  heading,
  facts,
  onSay,
}: CorrectedProps & { readonly read: ReadChapter; readonly name: string; readonly heading: ReactNode }) {
  const { chapter, happens, place, time, viewpoint, changes, tension } = read;
  return (
    <>
      <header>
        {heading}
        <Tension tension={Number(saidOf(facts, { chapter }).tension ?? tension)} />
      </header>
      <div className="board-read">
        <p className="prose">{happens}</p>
        <CorrectedParts
          place={{ chapter }}
          name={name}
          asRead={{ place, time, viewpoint, present: "", changes, tension: String(tension) }}
          facts={facts}
          onSay={onSay}
        />
      </div>
    </>
  );
}

/** The parts of a chapter or a scene that a writer may correct, as they were read or counted until then. */
export function CorrectedParts({
  place,
  name,
  asRead,
  facts,
  onSay,
}: CorrectedProps & {
  readonly place: BoardPlace;
  readonly name: string;
  readonly asRead: Said;
}) {
  const texts = useTexts();
  const [isEditing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const said = saidOf(facts, place);
  const labels: Readonly<Record<Part, string>> = {
    place: texts.storyPlace,
    time: texts.storyWhen,
    viewpoint: texts.storyEyes,
    present: texts.storyThere,
    changes: texts.storyChanges,
    tension: texts.storyTensionLabel,
  };
  // Whoever works with the keyboard goes on where the form was opened.
  const close = () => {
    setEditing(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const shownOf = (part: Part) => said[part] ?? asRead[part] ?? "";
  if (isEditing)
    return (
      <form
        aria-label={`${texts.storyCorrect} ${name}`}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          const changed = PART_NAMES.flatMap((part) => {
            // Each correction is one line.
            const now = String(given.get(part) ?? "")
              .replace(/\s+/g, " ")
              .trim();
            return now !== "" && now !== (asRead[part] ?? "") ? [[part, now]] : [];
          });
          onSay(withSaid(facts, place, Object.fromEntries(changed)));
          close();
        }}
      >
        {PART_NAMES.map((part, at) => (
          <Field key={part} label={labels[part]}>
            {(attributes) =>
              part === "tension" ? (
                <select {...attributes} name={part} defaultValue={shownOf(part)}>
                  {asRead.tension === undefined ? <option value="">–</option> : null}
                  {TENSIONS.map((step) => (
                    <option key={step}>{step}</option>
                  ))}
                </select>
              ) : part === "changes" ? (
                <textarea {...attributes} name={part} rows={2} defaultValue={shownOf(part)} maxLength={400} />
              ) : (
                <input
                  {...attributes}
                  name={part}
                  defaultValue={shownOf(part)}
                  maxLength={400}
                  ref={at === 0 ? focusFirst : undefined}
                />
              )
            }
          </Field>
        ))}
        <div className="actions">
          <button type="submit">{texts.save}</button>
          <button type="button" className="quiet" onClick={close}>
            {texts.cancel}
          </button>
        </div>
      </form>
    );
  return (
    <>
      <dl>
        {PART_NAMES.filter((part) => part !== "tension").map((part) => (
          <Entry key={part} name={labels[part]}>
            {shownOf(part)}
          </Entry>
        ))}
        {place.scene && said.tension ? (
          <Entry name={labels.tension}>
            <Tension tension={Number(said.tension)} />
          </Entry>
        ) : null}
      </dl>
      <button ref={opener} type="button" className="quiet" onClick={() => setEditing(true)}>
        {texts.storyCorrect} <span className="visually-hidden">{name}</span>
      </button>
      {Object.keys(said).length > 0 ? <small className="muted">{texts.storyCorrected}</small> : null}
    </>
  );
}

export function Entry({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const isEmpty = children === "" || (Array.isArray(children) && children.length === 0);
  if (isEmpty) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Tension({ tension }: { readonly tension: number }) {
  const texts = useTexts();
  return (
    <span className="tension" title={texts.storyTension(tension)}>
      <span className="visually-hidden">{texts.storyTension(tension)}</span>
      <span aria-hidden="true">{"●".repeat(tension) + "○".repeat(TENSIONS.length - tension)}</span>
    </span>
  );
}
