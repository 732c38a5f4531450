import { useId } from "react";
import type { ComparisonNote, ComparisonRow, ComparisonView } from "../../../src/api/comparisons.ts";
import type { EvaluationSummary, Verdict } from "../../../src/api/evaluations.ts";
import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Filter } from "../../parts/field.tsx";
import { moment, scoreInFigures, signed, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { VerdictFigure, VerdictInWords } from "../../parts/verdict.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useNames, usePreferences, useTexts } from "../../texts/preferences.tsx";
import "./compare.css";
import { Table } from "../../parts/table.tsx";

/** The texts that explain what may cause a difference. */
const comparisonNotes = {
  "other-scales": "otherScale",
  "other-judges-and-books": "otherJudgesAndBooks",
  "other-methods-and-books": "otherMethodsAndBooks",
  "other-judges": "otherJudges",
  "other-methods": "otherMethods",
  chance: "onlyChance",
  independent: "takenAsIndependent",
} as const satisfies Readonly<Record<ComparisonNote, string>>;

export default function CompareView({ route }: ViewProps) {
  const texts = useTexts();
  const evaluations = useAnswer(api.evaluations, { query: { limit: 200 } });
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
              <SideChoice label={texts.left} items={items} chosen={left} onChoose={(id) => choose({ left: id })} />
              <SideChoice label={texts.right} items={items} chosen={right} onChoose={(id) => choose({ right: id })} />
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

interface SideChoiceProps {
  readonly label: string;
  readonly items: readonly EvaluationSummary[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function SideChoice({ label, items, chosen, onChoose }: SideChoiceProps) {
  const { texts, language } = usePreferences();
  const names = useNames();
  const nameOf = ({ title, judge, method, createdAt }: EvaluationSummary) =>
    [title, judgeName(judge, texts), names.method(method), moment(createdAt, language)].join(" · ");
  // A large library lists its newest evaluations; one that the address names is chosen all the same.
  return (
    <Filter
      label={label}
      any={texts.chooseEvaluation}
      value={chosen}
      options={items.map((item) => [item.id, nameOf(item)])}
      onChoose={onChoose}
    />
  );
}

function Comparison({ left, right }: { readonly left: string; readonly right: string }) {
  const texts = useTexts();
  const asked = useAnswer(api.comparisons, { query: { left, right } });
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
            {view.otherSettings === null ? null : <li>{texts.otherSettings(withoutAddresses(view.otherSettings))}</li>}
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

/** Models by the names that people are shown, not by the servers that run them. */
function withoutAddresses(sentence: string): string {
  return sentence.replace(/@https?:\/\/[^\s,)]+/g, "");
}

/** Row by row, what the right has over the left, drawn from a line in the middle and with its interval. */
function DifferenceTable({ view }: { readonly view: ComparisonView }) {
  const texts = useTexts();
  const names = useNames();
  const caption = useId();
  const { minimum, maximum } = view.scale;
  const nameOf = (row: ComparisonRow) => (row.id === "overall" ? texts.overall : names.aspect(row.id, row.name));
  // Aspects that neither side scored are one line under the table.
  const isEmpty = (row: ComparisonRow) => row.left.kind === "unscored" && row.right.kind === "unscored";
  const rows = view.rows.filter((row) => row.id === "overall" || !isEmpty(row));
  const empty = view.rows.filter((row) => !rows.includes(row));
  const hasIntervals = rows.some(({ interval }) => interval !== null);
  const hasDifferences = rows.some(({ difference }) => difference !== null);
  const reach = Math.max(
    (maximum - minimum) / 20,
    ...view.rows.flatMap((row) => [row.difference ?? 0, ...(row.interval ?? [])].map(Math.abs)),
  );
  return (
    <>
      <p className="hint" id={caption}>
        {view.isSameBook ? texts.sameBook : texts.twoBooks} · {texts.differenceHint(minimum, maximum)}
      </p>
      <Table
        label={texts.difference}
        labelledBy={caption}
        className="differences"
        rows={rows}
        columns={[
          [texts.aspect, nameOf],
          [texts.left, ({ left }) => <VerdictInWords verdict={left} />, "number"],
          [texts.right, ({ right }) => <VerdictInWords verdict={right} />, "number"],
          [texts.difference, ({ difference }) => (difference === null ? "–" : signed(difference)), "number"],
          [texts.interval, (row) => <DifferenceBar row={row} reach={reach} />, "wide"],
          [
            <span key="clear" className="visually-hidden">
              {texts.clear}
            </span>,
            ({ isClear }) =>
              isClear === null ? null : (
                <span className={isClear ? "tag" : "tag quiet"}>{isClear ? texts.clear : texts.notClear}</span>
              ),
          ],
        ]}
      />
      {hasIntervals || !hasDifferences ? null : <p className="hint">{texts.noDifferenceIntervals}</p>}
      {empty.length > 0 ? <p className="muted">{texts.scoredOnNeither(empty.map(nameOf).join(" · "))}</p> : null}
    </>
  );
}

function DifferenceBar({ row, reach }: { readonly row: ComparisonRow; readonly reach: number }) {
  if (row.difference === null) return null;
  const percent = (value: number) => 50 + (Math.max(-reach, Math.min(reach, value)) / reach) * 50;
  const zero = 50;
  const end = percent(row.difference);
  return (
    <>
      <span className="difference-bar" aria-hidden="true">
        <i
          className={row.difference >= 0 ? "fill" : "fill lower"}
          style={{ left: `${Math.min(zero, end)}%`, width: `${Math.abs(end - zero)}%` }}
        />
        {row.interval ? (
          <i
            className="whisker"
            style={{
              left: `${percent(row.interval[0])}%`,
              width: `${percent(row.interval[1]) - percent(row.interval[0])}%`,
            }}
          />
        ) : null}
      </span>
      {row.interval ? (
        <span className="number muted">{`${signed(row.interval[0])} … ${signed(row.interval[1])}`}</span>
      ) : null}
    </>
  );
}
