import { type ReactNode, useState } from "react";
import type { Story } from "../../../src/api/letters.ts";
import { Field } from "../../parts/field.tsx";
import { useTexts } from "../../texts/preferences.tsx";

type ReadChapter = Story["chapters"][number];

/**
 * What a writer may correct on the card of a chapter, and how the next reading is told. A correction is one line of what the writer
 * says about the book, so that the card, the list below it and the reading all go by the same words.
 */
const PARTS = {
  place: "place",
  time: "time",
  viewpoint: "point of view",
  present: "who is there",
  changes: "what changes",
  tension: "tension from 1 to 5",
} as const;
type Part = keyof typeof PARTS;
type Said = Readonly<Partial<Record<Part, string>>>;
const PART_NAMES = Object.keys(PARTS) as Part[];
const TENSIONS = [1, 2, 3, 4, 5];

const lineStart = (chapter: number, part: Part) => `Chapter ${chapter}, ${PARTS[part]}: `;

/** What the writer says of a chapter, by what it is about. */
export function saidOfChapter(facts: readonly string[], chapter: number): Said {
  const said: Partial<Record<Part, string>> = {};
  for (const part of PART_NAMES) {
    const start = lineStart(chapter, part);
    const line = facts.findLast((fact) => fact.startsWith(start));
    if (line !== undefined) said[part] = line.slice(start.length);
  }
  return said;
}

/** The writer's lines with what is now said of a chapter in the place of what was. */
export function withSaid(facts: readonly string[], chapter: number, said: Said): string[] {
  const starts = PART_NAMES.map((part) => lineStart(chapter, part));
  const others = facts.filter((fact) => !starts.some((start) => fact.startsWith(start)));
  return [
    ...others,
    ...PART_NAMES.flatMap((part) => (said[part] ? [lineStart(chapter, part) + said[part].trim()] : [])),
  ];
}

/** What a model read of a chapter, with what the writer corrected in its place. */
export function BoardChapter({
  read,
  name,
  heading,
  facts,
  onSay,
}: {
  readonly read: ReadChapter;
  readonly name: string;
  readonly heading: ReactNode;
  readonly facts: readonly string[];
  readonly onSay: (facts: readonly string[]) => void;
}) {
  const texts = useTexts();
  const [isEditing, setEditing] = useState(false);
  const said = saidOfChapter(facts, read.chapter);
  const tension = Number(said.tension ?? read.tension);
  const asRead: Readonly<Record<Part, string>> = {
    place: read.place,
    time: read.time,
    viewpoint: read.viewpoint,
    present: "",
    changes: read.changes,
    tension: String(read.tension),
  };
  const labels: Readonly<Record<Part, string>> = {
    place: texts.storyPlace,
    time: texts.storyWhen,
    viewpoint: texts.storyEyes,
    present: texts.storyThere,
    changes: texts.storyChanges,
    tension: texts.storyTensionLabel,
  };
  return (
    <>
      <header>
        {heading}
        <Tension tension={tension} />
      </header>
      <div className="board-read">
        <p className="prose">{read.happens}</p>
        {isEditing ? (
          <form
            aria-label={`${texts.storyCorrect} ${name}`}
            onSubmit={(event) => {
              event.preventDefault();
              const given = new FormData(event.currentTarget);
              const changed = PART_NAMES.flatMap((part) => {
                const now = String(given.get(part) ?? "").trim();
                return now !== "" && now !== asRead[part] ? [[part, now]] : [];
              });
              onSay(withSaid(facts, read.chapter, Object.fromEntries(changed)));
              setEditing(false);
            }}
          >
            {PART_NAMES.map((part, at) => (
              <Field key={part} label={labels[part]}>
                {(attributes) =>
                  part === "tension" ? (
                    <select {...attributes} name={part} defaultValue={String(tension)}>
                      {TENSIONS.map((step) => (
                        <option key={step}>{step}</option>
                      ))}
                    </select>
                  ) : (
                    <input
                      {...attributes}
                      name={part}
                      defaultValue={said[part] ?? asRead[part]}
                      maxLength={400}
                      ref={at === 0 ? (input) => input?.focus() : undefined}
                    />
                  )
                }
              </Field>
            ))}
            <div className="actions">
              <button type="submit">{texts.save}</button>
              <button type="button" className="quiet" onClick={() => setEditing(false)}>
                {texts.cancel}
              </button>
            </div>
          </form>
        ) : (
          <>
            <dl>
              {PART_NAMES.filter((part) => part !== "tension").map((part) => (
                <Entry key={part} name={labels[part]}>
                  {said[part] ?? asRead[part]}
                </Entry>
              ))}
            </dl>
            <button type="button" className="quiet" onClick={() => setEditing(true)}>
              {texts.storyCorrect} <span className="visually-hidden">{name}</span>
            </button>
            {Object.keys(said).length > 0 ? <small className="muted">{texts.storyCorrected}</small> : null}
          </>
        )}
      </div>
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
