import type { DraftComparison } from "../../../src/api/drafts.ts";
import { address } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { FigureChanges } from "./figure-changes.tsx";
import { ScoreChanges } from "./score-changes.tsx";
import { TextChanges } from "./text-changes.tsx";
import "./drafts.css";

/** Two drafts of one book: what changed in the text, the notes, the map and the scores. */
export default function DraftsView({ route }: ViewProps) {
  const texts = useTexts();
  const [before, after] = [route.query.get("before") ?? "", route.query.get("after") ?? ""];
  const asked = useAnswer<DraftComparison>(address("/api/drafts", { before, after }));
  const known = asked.answer;
  return (
    <View
      title={known?.after.title ?? texts.drafts}
      kicker={<a href={to(["books", after])}>{texts.book}</a>}
      className="drafts"
      actions={
        known ? (
          <a className="button" href={to(["books", after, "read"], { notes: "open" })}>
            {texts.readNotes}
          </a>
        ) : null
      }
    >
      {asked.problem ? <ProblemNotice problem={asked.problem} again={asked.reload} /> : null}
      {asked.isLoading ? <p className="loading">{texts.comparingDrafts}</p> : null}
      {known ? <Comparison comparison={known} /> : null}
    </View>
  );
}

function Comparison({ comparison }: { readonly comparison: DraftComparison }) {
  const texts = useTexts();
  const { before, after, changes } = comparison;
  const { lineNotes } = changes;
  return (
    <>
      <p>
        {texts.draftNumber(before.draft)}: {texts.words(before.words)} → {texts.draftNumber(after.draft)}:{" "}
        {texts.words(after.words)}
      </p>
      <p className="hint">{texts.draftsHint}</p>
      {changes.text ? <TextChanges text={changes.text} before={before} after={after} /> : null}
      {lineNotes && lineNotes.before.sentences + lineNotes.after.sentences > 0 ? (
        <section>
          <h2>{texts.noteChanges}</h2>
          <p>
            {texts.noteChangesOf(
              texts.rowsOf(lineNotes.before.likely, lineNotes.before.sentences),
              texts.rowsOf(lineNotes.after.likely, lineNotes.after.sentences),
            )}
          </p>
        </section>
      ) : null}
      <ScoreChanges changes={changes} />
      <FigureChanges figures={changes.figures ?? []} />
    </>
  );
}
