import type { ReactNode } from "react";
import { type Part, type Said, type Story, saidOf } from "../../../src/api/letters.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { CorrectedParts, type Corrections, partNames } from "./corrected-parts.tsx";

type ReadChapter = Story["chapters"][number];

const TENSIONS = 5;
const ON_CARD: readonly Part[] = ["place", "time", "viewpoint", "present", "changes", "tension"];

/** What a model read of a chapter, with what the writer corrected in its place. */
export function BoardChapter({
  read,
  name,
  heading,
  facts,
  onSay,
}: Corrections & { readonly read: ReadChapter; readonly name: string; readonly heading: ReactNode }) {
  const texts = useTexts();
  const { chapter, happens, place, time, viewpoint, changes, tension } = read;
  return (
    <>
      <header>
        {heading}
        <span>
          <small className="muted" aria-hidden="true">
            {texts.storyTensionLabel}
          </small>{" "}
          <Tension tension={Number(saidOf(facts ?? [], { chapter }).tension ?? tension)} />
        </span>
      </header>
      <div className="board-read">
        <p className="prose">{happens}</p>
        <CardParts
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

/** What the card of a chapter or a scene says, and may be corrected. */
export function CardParts({
  place,
  name,
  asRead,
  facts,
  onSay,
}: Corrections & {
  readonly place: { readonly chapter: number; readonly scene?: { readonly number: number; readonly opening: string } };
  readonly name: string;
  readonly asRead: Said;
}) {
  const texts = useTexts();
  const said = saidOf(facts ?? [], place);
  const labels = partNames(texts);
  return (
    <CorrectedParts place={place} parts={ON_CARD} name={name} asRead={asRead} facts={facts} onSay={onSay}>
      <dl>
        {ON_CARD.filter((part) => part !== "tension").map((part) => (
          <Entry key={part} name={labels[part]}>
            {said[part] ?? asRead[part] ?? ""}
          </Entry>
        ))}
        {place.scene && said.tension ? (
          <Entry name={labels.tension}>
            <Tension tension={Number(said.tension)} />
          </Entry>
        ) : null}
      </dl>
    </CorrectedParts>
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
      <span aria-hidden="true">{"●".repeat(tension) + "○".repeat(TENSIONS - tension)}</span>
    </span>
  );
}
