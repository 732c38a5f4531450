import { useState } from "react";
import type { RatingAgreement } from "../../../src/api/questions.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { goTo, to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** Where raters begin, and how far they agree. */
export function RaterSection({ id }: { readonly id: string }) {
  const texts = useTexts();
  const agreement = useAnswer<RatingAgreement>(`/api/questions/${id}/agreement`);
  return (
    <section aria-labelledby="raters">
      <h2 id="raters">{texts.agreementHeading}</h2>
      <RaterForm id={id} />
      <Waiting asked={agreement}>
        {({ settings }) =>
          settings.length === 0 ? (
            <p className="hint">{texts.noRatings}</p>
          ) : (
            <>
              {settings.map((setting) => (
                <SettingAgreement key={setting.setting} found={setting} />
              ))}
              <a href={`/api/questions/${id}/rated.jsonl`} download>
                {texts.ratedDownload}
              </a>
            </>
          )
        }
      </Waiting>
    </section>
  );
}

function RaterForm({ id }: { readonly id: string }) {
  const texts = useTexts();
  const [rater, setRater] = useState("");
  const [setting, setSetting] = useState("reference");
  return (
    <form
      className="toolbar panel"
      aria-label={texts.rateHeading}
      onSubmit={(event) => {
        event.preventDefault();
        goTo(to(["questions", id, "rate"], { rater: rater.trim(), setting }));
      }}
    >
      <Field label={texts.raterName} hint={texts.rateIntroduction}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={80}
            value={rater}
            onChange={(event) => setRater(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.rateBeside}>
        {(attributes) => (
          <select {...attributes} value={setting} onChange={(event) => setSetting(event.target.value)}>
            <option value="reference">{texts.besideReference}</option>
            <option value="summary">{texts.besideSummary}</option>
          </select>
        )}
      </Field>
      <button type="submit" className="primary" disabled={rater.trim() === ""}>
        {texts.startRating}
      </button>
    </form>
  );
}

function SettingAgreement({ found }: { readonly found: RatingAgreement["settings"][number] }) {
  const texts = useTexts();
  const { setting, alpha, interval, twice, raters, systems } = found;
  const range = interval ? ` [${interval.map((end) => end.toFixed(2)).join(", ")}]` : "";
  const name = setting === "summary" ? texts.besideSummary : texts.besideReference;
  return (
    <>
      <p>
        <strong>{name}:</strong> {texts.alphaLabel} {alpha === null ? "–" : `${alpha.toFixed(3)}${range}`} ·{" "}
        {texts.ratedTwice(twice)}
      </p>
      <div className="rater-tables">
        <TableScroller label={`${texts.raterLabel}: ${name}`}>
          <table>
            <ColumnNames names={[texts.raterLabel, texts.answersGiven, texts.meanOfRatings]} />
            <tbody>
              {raters.map(({ name: rater, rated, mean }) => (
                <tr key={rater}>
                  <th scope="row">{rater}</th>
                  <td className="number">{rated}</td>
                  <td className="number">{mean?.toFixed(2) ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
        <TableScroller label={`${texts.systemName}: ${name}`}>
          <table>
            <ColumnNames names={[texts.systemName, texts.answersGiven, texts.meanOfRatings]} />
            <tbody>
              {systems.map(({ system, n, mean }) => (
                <tr key={system}>
                  <th scope="row">{system}</th>
                  <td className="number">{n}</td>
                  <td className="number">{mean.toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      </div>
    </>
  );
}
