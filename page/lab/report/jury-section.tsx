import type { JurorResult, JuryPart, Verdict } from "../../../src/api/evaluations.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { onHundred, position, scoreInFigures } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { IntervalInWords, ScaleBar, VerdictInWords } from "../../parts/verdict.tsx";
import { useReason, useTexts } from "../../texts/preferences.tsx";

/** The embedded judges side by side, each on its own scale with who is speaking beside its score; they are never averaged. */
export function JurySection({ jury }: { readonly jury: JuryPart }) {
  const texts = useTexts();
  const inWords = useReason();
  const agreement = useAgreement(jury);
  const criteria = jury.jurors.filter((juror) => juror.criteria.length > 0 && juror.overall.kind === "scored");
  return (
    <section>
      <h2>{texts.juryTitle}</h2>
      <TableScroller label={texts.juryTitle}>
        <table className="aspects jurors">
          <ColumnNames names={[texts.judge, texts.score, texts.commonScale, texts.interval, texts.whoSpeaks]} />
          <tbody>
            {jury.jurors.map((juror) => (
              <tr key={juror.id}>
                <th scope="row">
                  <JudgeLabel judge={juror.id} />
                </th>
                <td>
                  <VerdictInWords verdict={juror.overall} /> {texts.ofScale(juror.scale.maximum)}
                </td>
                <td className="wide">
                  <ScaleBar verdict={juror.overall} scale={juror.scale} />
                  {juror.overall.kind === "scored" ? (
                    <small className="muted">{texts.onHundred(inFigures(onHundred(juror.overall, juror.scale)))}</small>
                  ) : null}
                </td>
                <td>
                  <IntervalInWords verdict={juror.overall} />
                </td>
                <td>
                  <Beside juror={juror} />
                  <br />
                  <small className="muted">
                    {juror.percentile === null
                      ? texts.noPercentile(inWords(juror.noPercentile ?? ""))
                      : texts.percentileRange(
                          Math.round(juror.percentile.low),
                          Math.round(juror.percentile.high),
                          juror.percentile.reference,
                        )}
                  </small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {agreement === null ? null : <p>{agreement}</p>}
      {criteria.map((juror) => (
        <Criteria key={juror.id} juror={juror} />
      ))}
    </section>
  );
}

function inFigures(verdict: Verdict): string {
  if (verdict.kind === "unscored") return "–";
  const range = verdict.interval ? ` (${verdict.interval.map(scoreInFigures).join("–")})` : "";
  return `${scoreInFigures(verdict.score)}${range}`;
}

/** Who is speaking, and the caveat where there is one: what must stand beside a juror's number. */
export function Beside({ juror }: { readonly juror: JurorResult }) {
  const texts = useTexts();
  const inWords = useReason();
  return (
    <span>
      {speakerOf(juror.id, texts) ?? juror.speaker}
      {juror.caveat === null ? null : <strong className="doubt"> · {inWords(juror.caveat)}</strong>}
    </span>
  );
}

function useAgreement({ jurors, apart }: JuryPart): string | null {
  const texts = useTexts();
  const ranges = jurors.flatMap(({ id, overall, scale }) => {
    if (overall.kind === "unscored") return [];
    const [low, high] = overall.interval ?? [overall.score, overall.score];
    return [`${judgeName(id, texts)} ${position(low, scale).toFixed(0)}–${position(high, scale).toFixed(0)}`];
  });
  if (ranges.length < 2) return null;
  if (apart.length === 0) return texts.jurorsOverlap(ranges.join(", "));
  const pairs = apart.map((pair) => pair.map((id) => judgeName(id, texts)).join(" / "));
  return texts.jurorsDisagree(pairs.join(", "), ranges.join(", "));
}

/** The grader's criteria as it learnt them; they say nothing of plot or characters as a reader would. */
function Criteria({ juror }: { readonly juror: JurorResult }) {
  const texts = useTexts();
  return (
    <details>
      <summary>{texts.gradersCriteria(juror.scale.minimum, juror.scale.maximum)}</summary>
      <TableScroller label={texts.gradersCriteria(juror.scale.minimum, juror.scale.maximum)}>
        <table className="aspects">
          <ColumnNames names={[texts.criterion, texts.score, texts.interval]} />
          <tbody>
            {juror.criteria.map(({ id, name, better, verdict }) => (
              <tr key={id}>
                <th scope="row">
                  {name} {better === "lower" ? <small className="muted">{texts.lessIsBetter}</small> : null}
                </th>
                <td className="number">{verdict.kind === "scored" ? scoreInFigures(verdict.score) : "–"}</td>
                <td>
                  <IntervalInWords verdict={verdict} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </details>
  );
}
