import type { ParagraphFigure, ParagraphReading } from "../../../../src/api/drafts.ts";
import type { Verdict } from "../../../../src/api/evaluations.ts";
import { ColumnNames } from "../../../parts/column-names.tsx";
import { intervalOf, onHundred, percent } from "../../../parts/formats.ts";
import { JudgeLabel } from "../../../parts/judges/judge-label.tsx";
import { VerdictInWords } from "../../../parts/verdict.tsx";
import type { Texts } from "../../../texts/english.ts";
import { useNames, useReason, useTexts } from "../../../texts/preferences.tsx";

const NAMES = {
  words: "figureWords",
  "sentence-words": "figureSentenceWords",
  "dialogue-share": "figureDialogue",
  "reading-ease": "figureReadingEase",
  "filter-words": "figureFilterWords",
  "weak-openings": "figureWeakOpenings",
  cliches: "figureCliches",
  manners: "figureManners",
  echoes: "figureEchoes",
  "stacked-similes": "figureSimiles",
} as const satisfies Readonly<Record<ParagraphFigure, keyof Texts>>;

/** From this probability on an editor would probably change a sentence. */
const LIKELY = 0.5;

/** Notes, figures and jurors of a paragraph, as it was and as it is being written. */
export function LiveReading({
  text,
  before,
  now,
}: {
  readonly text: string;
  readonly before: ParagraphReading | null;
  readonly now: ParagraphReading | null;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const names = useNames();
  if (!now) return <p className="muted">{texts.loading}</p>;
  const likely = now.notes.filter(({ change }) => change >= LIKELY);
  const shown = now.figures.filter(({ id, value }) => {
    const old = before?.figures.find((figure) => figure.id === id)?.value ?? null;
    return value !== null && (value !== 0 || (old ?? 0) !== 0);
  });
  return (
    <div className="live">
      <table>
        <caption>{texts.liveFigures}</caption>
        <ColumnNames names={[texts.figureName, texts.originally, texts.nowFigure]} />
        <tbody>
          {shown.map(({ id, value }) => (
            <tr key={id} data-figure={id}>
              <th scope="row">{texts[NAMES[id]]}</th>
              <td className="number">{figure(id, before?.figures.find((other) => other.id === id)?.value)}</td>
              <td className="number">{figure(id, value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>{texts.liveJurors(now.passageWords)}</caption>
        <ColumnNames names={[texts.judge, texts.originally, texts.nowFigure, texts.meaning]} />
        <tbody>
          {now.jurors.map(({ id, verdict, scale }) => {
            const old = before?.jurors.find((juror) => juror.id === id)?.verdict;
            return (
              <tr key={id}>
                <th scope="row">
                  <JudgeLabel judge={id} />
                </th>
                <td>{old ? <VerdictInWords verdict={onHundred(old, scale)} /> : "–"}</td>
                <td>
                  <VerdictInWords verdict={onHundred(verdict, scale)} />
                </td>
                <td className="muted">{old ? meaning(old, verdict, texts) : ""}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div>
        <h4>
          {texts.liveNotes}: {before ? `${before.notes.filter(({ change }) => change >= LIKELY).length} → ` : ""}
          {likely.length}
        </h4>
        {now.unscored ? <p className="muted">{inWords(now.unscored)}</p> : null}
        <ul className="live-notes">
          {likely.map(({ start, end, change, why }) => (
            <li key={start}>
              <q>{text.slice(start, end)}</q>{" "}
              <small className="muted">
                {percent(change)}
                {why === null ? "" : ` · ${names.why(why)}`}
              </small>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function figure(id: ParagraphFigure, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (id === "dialogue-share") return percent(value);
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** Two scores whose ranges overlap cannot be told apart. */
function meaning(before: Verdict, now: Verdict, texts: Texts): string {
  const [old, own] = [intervalOf(before), intervalOf(now)];
  if (!old || !own) return "";
  return old[0] <= own[1] && own[0] <= old[1] ? texts.noClearDifference : texts.clearDifference;
}
