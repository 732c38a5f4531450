import type { Change, DraftChanges } from "../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { draftTextSection } from "./draft-text-section.ts";
import { htmlFigure } from "./html-page.ts";
import { escapeHtml } from "./markup.ts";
import { type ChangeDot, changeDots } from "./plots/change-dots.ts";
import { countOf } from "./wording.ts";

/** In sentences, before the letter: who names an earlier draft asks for this first. */
export function draftSummary({ changes }: BookEvaluation): string {
  if (!changes?.words) return "";
  return `<section>
<h2>Since the earlier draft</h2>
<ul>${changes.words.map((sentence) => `<li>${escapeHtml(sentence)}</li>`).join("")}</ul>
<p><a href="#draft">What changed, passage by passage</a></p>
</section>`;
}

/** What changed since an earlier draft: the whole and its aspects, then the parts that were rewritten. */
export function draftSection({ changes, aspects }: BookEvaluation): string {
  if (!changes) return "";
  const nameOf = (id: string) => aspects.find((aspect) => aspect.id === id)?.name ?? id;
  const whole = [
    dotOf("Overall", changes.overall),
    ...Object.entries(changes.aspects).map(([id, change]) => dotOf(nameOf(id), change)),
  ].filter((dot) => dot !== null);
  const parts = changes.segments.map(({ title, overall }) => dotOf(title, overall)).filter((dot) => dot !== null);
  const unscored = changes.segments.filter(({ overall }) => overall.difference === null);
  const figures = [
    whole.length > 0
      ? htmlFigure(
          changeDots(whole, "Changes in the book"),
          "The change of each score in points; the band is where it likely lies. A band across zero is no clear difference.",
        )
      : "",
    parts.length > 0
      ? htmlFigure(changeDots(parts, "Changes in its parts"), "The parts that were rewritten, overall.")
      : "",
  ];
  const named =
    unscored.length === 0 ? "" : `<p>Rewritten: ${escapeHtml(unscored.map(({ title }) => title).join("; "))}.</p>`;
  return `<section id="draft">
<h2>${changes.words ? "The two drafts" : "Since the earlier draft"}</h2>
<p>${escapeHtml(`Compared with ${changes.run}: ${countOf(changes.segments.length, "part")} changed or new, ${changes.unchanged} unchanged, ${changes.removed} removed.`)}</p>
${isOneRun(changes) ? "<p>Each draft was judged once, which cannot tell a difference from chance: judge the earlier draft again with <code>--runs 3</code>, then compare.</p>" : ""}
${figures.filter(Boolean).join("\n")}
${named}
${draftTextSection(changes)}
</section>`;
}

function isOneRun({ overall, segments }: DraftChanges): boolean {
  return segments.length > 0 && overall.difference !== null && overall.interval === null;
}

/** A difference without a band would be read as one that counts, so it is not drawn. */
function dotOf(label: string, { difference, interval, beyondNoise }: Change): ChangeDot | null {
  return difference === null || interval === null ? null : { label, difference, interval, beyondNoise };
}
