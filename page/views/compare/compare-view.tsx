import type { Paged } from "../../../src/api/answers.ts";
import type { ComparisonView } from "../../../src/api/comparisons.ts";
import type { EvaluationSummary, Verdict } from "../../../src/api/evaluations.ts";
import { address } from "../../api/request.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Field } from "../../parts/field.tsx";
import { moment, scoreInFigures, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { VerdictFigure } from "../../parts/verdict.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useNames, usePreferences, useTexts } from "../../texts/preferences.tsx";
import { comparisonNotes } from "./comparison-notes.ts";
import { DifferenceTable } from "./difference-table.tsx";
import "./compare.css";

export default function CompareView({ route }: ViewProps) {
  const texts = useTexts();
  const evaluations = useAnswer<Paged<EvaluationSummary>>("/api/evaluations?limit=200");
  const left = route.query.get("left") ?? "";
  const right = route.query.get("right") ?? "";
  const choose = (query: { left?: string; right?: string }) => replaceRoute(to(["compare"], { left, right, ...query }));
  return (
    <View title={texts.compare}>
      <p>{texts.compareIntroduction}</p>
      <Waiting asked={evaluations}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={texts.needTwo} hint={texts.needTwoHint} />
          ) : (
            <div className="toolbar sides">
              <Choice label={texts.left} items={items} chosen={left} onChoose={(id) => choose({ left: id })} />
              <Choice label={texts.right} items={items} chosen={right} onChoose={(id) => choose({ right: id })} />
              <button
                type="button"
                disabled={left === "" && right === ""}
                onClick={() => choose({ left: right, right: left })}
              >
                {texts.swap}
              </button>
            </div>
          )
        }
      </Waiting>
      {left && right ? <Comparison left={left} right={right} /> : null}
    </View>
  );
}

function Choice({
  label,
  items,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly items: readonly EvaluationSummary[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const { texts, language } = usePreferences();
  const names = useNames();
  // A large library lists its newest evaluations; one that the address names is chosen all the same.
  const isListed = chosen === "" || items.some(({ id }) => id === chosen);
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{texts.chooseEvaluation}</option>
          {isListed ? null : <option value={chosen}>{chosen}</option>}
          {items.map((item) => (
            <option key={item.id} value={item.id}>
              {`${item.title} · ${judgeName(item.judge, texts)} · ${names.method(item.method)} · ${moment(item.createdAt, language)}`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Comparison({ left, right }: { readonly left: string; readonly right: string }) {
  const texts = useTexts();
  const asked = useAnswer<ComparisonView>(address("/api/comparisons", { left, right }));
  return (
    <Waiting asked={asked}>
      {(view) => (
        <>
          <div className="comparison-heads">
            <Side name={texts.left} side={view.left} view={view} shown={view.rows[0]?.left} />
            <Side name={texts.right} side={view.right} view={view} shown={view.rows[0]?.right} />
          </div>
          <DifferenceTable view={view} />
          <h2>{texts.notes}</h2>
          <ul>
            {view.otherSettings === null ? null : <li>{texts.otherSettings(view.otherSettings)}</li>}
            {view.notes.map((note) => (
              <li key={note}>{texts[comparisonNotes[note]]}</li>
            ))}
          </ul>
        </>
      )}
    </Waiting>
  );
}

/** Both sides show the scale of the comparison; a score that was converted is there as it was given, too. */
function Side({
  name,
  side,
  view,
  shown = side.overall,
}: {
  readonly name: string;
  readonly side: EvaluationSummary;
  readonly view: ComparisonView;
  readonly shown: Verdict | undefined;
}) {
  const texts = useTexts();
  const { overall, scale } = side;
  const method = useNames().method(side.method);
  return (
    <section className="panel side" aria-label={name}>
      <p className="kicker">{name}</p>
      <h2>
        <a href={to(["evaluations", side.id])}>{side.title}</a>
      </h2>
      <VerdictFigure verdict={shown} scale={view.scale} percentile={null} population={null} />
      {view.isSameScale || overall.kind === "unscored" ? null : (
        <p className="muted">{texts.asGiven(scoreInFigures(overall.score), scale.minimum, scale.maximum)}</p>
      )}
      <Facts
        facts={[
          [texts.judge, <JudgeLabel key="judge" judge={side.judge} />],
          [texts.method, side.runs > 1 ? `${method} × ${side.runs}` : method],
          [texts.cost, spending(side, texts)],
        ]}
      />
    </section>
  );
}
