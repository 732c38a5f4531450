import type { JurorResult, JuryPart, Verdict } from "../../../src/api/evaluations.ts";
import { onHundred, position, scoreInFigures } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { Table } from "../../parts/table.tsx";
import { IntervalInWords, ScaleBar, VerdictInWords } from "../../parts/verdict.tsx";
import { useReason, useTexts } from "../../texts/preferences.tsx";

/** The embedded judges side by side, each on its own scale with who is speaking beside its score; they are never averaged. */
export function JurySection({ jury }: { readonly jury: JuryPart }) {
  const texts = useTexts();
  const inWords = useReason();
  const agreement = useAgreement(jury);
  const percentileInWords = ({ percentile, noPercentile }: JurorResult) =>
    percentile === null
      ? texts.noPercentile(inWords(noPercentile ?? ""))
      : texts.percentileRange(Math.round(percentile.low), Math.round(percentile.high), percentile.reference);
  const criteria = jury.jurors.filter((juror) => juror.criteria.length > 0 && juror.overall.kind === "scored");
  return (
    <section>
      <h2>{texts.juryTitle}</h2>
      <Table
        label={texts.juryTitle}
        className="aspects jurors"
        rows={jury.jurors}
        columns={[
          [texts.judge, ({ id }) => <JudgeLabel judge={id} />],
          [
            texts.score,
            ({ overall, scale }) => (
              <>
                <VerdictInWords verdict={overall} /> {texts.ofScale(scale.maximum)}
              </>
            ),
            "number",
          ],
          [texts.interval, ({ overall }) => <IntervalInWords verdict={overall} />, "number"],
          [
            texts.commonScale,
            ({ overall, scale }) => (
              <>
                <ScaleBar verdict={overall} scale={scale} />
                {overall.kind === "scored" ? (
                  <small className="muted">{texts.onHundred(inFigures(onHundred(overall, scale)))}</small>
                ) : null}
              </>
            ),
            "wide",
          ],
          [
            texts.whoSpeaks,
            (juror) => (
              <>
                <Beside juror={juror} />
                <br />
                <small className="muted">{percentileInWords(juror)}</small>
              </>
            ),
          ],
        ]}
      />
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
      <Table
        label={texts.gradersCriteria(juror.scale.minimum, juror.scale.maximum)}
        className="aspects"
        rows={juror.criteria}
        columns={[
          [
            texts.criterion,
            ({ name, better }) => (
              <>
                {name} {better === "lower" ? <small className="muted">{texts.lessIsBetter}</small> : null}
              </>
            ),
          ],
          [texts.score, ({ verdict }) => <VerdictInWords verdict={verdict} />, "number"],
          [texts.interval, ({ verdict }) => <IntervalInWords verdict={verdict} />, "number"],
        ]}
      />
    </details>
  );
}
