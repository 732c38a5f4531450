import { type ReactNode, useEffect, useRef, useState } from "react";
import type { GridPage } from "../../../src/api/grid.ts";
import { api } from "../../api/client.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Choice, Filter, Input } from "../../parts/field.tsx";
import { judgeName, speakerOf } from "../../parts/judges/judge-name.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { useNames, usePreferences, useTexts } from "../../texts/preferences.tsx";
import { TINTS } from "./cell-link.tsx";
import { GridExchange } from "./grid-exchange.tsx";
import { cellId, cellParam, type GridState, gridAddress, gridState, SORTS } from "./grid-state.ts";
import { GridTable } from "./grid-table.tsx";
import { useGridRows } from "./use-grid-rows.ts";
import "./grid.css";
import type { CellDetails } from "../../../src/api/cells.ts";
import type { Remark } from "../../../src/api/evaluations.ts";
import { type AnswerState, useAnswer } from "../../api/use-answer.ts";
import { Facts } from "../../parts/facts.tsx";
import { moment, scoreInFigures, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { ScaleBar, VerdictFigure } from "../../parts/verdict.tsx";
import type { Texts } from "../../texts/english.ts";
import { count } from "../../texts/language.ts";
import { CellCallList, CellQuotation, NotStored } from "./cell-call-list.tsx";

export default function GridView({ route }: ViewProps) {
  const texts = useTexts();
  const state = gridState(route);
  const rows = useGridRows(state);
  const [isChoosing, setChoosing] = useState(false);
  const change = (changes: Partial<GridState>) => replaceRoute(gridAddress({ ...state, ...changes }));
  const hrefOf = (cell: string) =>
    gridAddress(isChoosing && cell !== state.cell ? { ...state, beside: cell } : { ...state, cell, beside: "" });
  // The second score was chosen, or the first one closed: the next click opens again.
  useEffect(() => {
    void [state.beside, state.cell];
    setChoosing(false);
  }, [state.beside, state.cell]);
  const isFiltered = [state.search, state.judge, state.method, state.aspect].some((value) => value !== "");
  const { page } = rows;
  const panels =
    state.cell === "" ? null : (
      <CellPanels
        state={state}
        onChange={change}
        onChoose={() => {
          setChoosing(true);
          document.querySelector(".grid-scroller")?.scrollIntoView({ block: "center" });
          document.querySelector<HTMLElement>(".grid-scroller [tabindex='0']")?.focus({ preventScroll: true });
        }}
      />
    );
  return (
    <View title={texts.grid} className="grid-view">
      <p>{texts.gridIntroduction}</p>
      <GridExchange onImported={rows.reload} />
      <ProblemNotice problem={rows.problem} again={rows.reload} />
      {page === null && !rows.problem ? <Skeleton /> : null}
      {page && page.totals.rows === 0 && !isFiltered ? (
        <EmptyState title={texts.gridEmpty} hint={texts.gridEmptyHint} />
      ) : null}
      {page && (page.totals.rows > 0 || isFiltered) ? (
        <>
          <Filters page={page} state={state} onChange={change} />
          <p className="grid-caption">
            <strong>{texts.gridScale(page.scale.minimum, page.scale.maximum)}</strong>{" "}
            {texts.gridCounts(count(page.totals.books), count(page.totals.lines))}
          </p>
          {isChoosing ? (
            <p className="notice" role="status">
              {texts.cellChoosing}{" "}
              <button type="button" className="quiet" onClick={() => setChoosing(false)}>
                {texts.cellStopChoosing}
              </button>
            </p>
          ) : null}
          {page.totals.rows === 0 ? (
            <p className="muted">{texts.gridNoMatch}</p>
          ) : (
            <div className="grid-and-cell">
              <div>
                <GridTable rows={rows} page={page} state={state} hrefOf={hrefOf} />
                <Legend />
              </div>
              {panels}
            </div>
          )}
        </>
      ) : (
        panels
      )}
    </View>
  );
}

function Filters({
  page,
  state,
  onChange,
}: {
  readonly page: GridPage;
  readonly state: GridState;
  readonly onChange: (changes: Partial<GridState>) => void;
}) {
  const texts = useTexts();
  const names = useNames();
  const [words, setWords] = useState(state.search);
  const search = useDebounced(words.trim(), 250);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed goes into the address, and nothing else starts it.
  useEffect(() => {
    if (search !== state.search) onChange({ search });
  }, [search]);
  const aspectName = (id: string, name: string) => (id === "overall" ? texts.overall : names.aspect(id, name));
  return (
    <div className="toolbar grid-filters">
      <Input label={texts.gridSearch} type="search" value={words} onChange={(event) => setWords(event.target.value)} />
      <Choice
        label={texts.gridSort}
        value={state.sort}
        options={(Object.keys(SORTS) as GridState["sort"][]).map((sort) => [sort, texts[SORTS[sort]]])}
        onChoose={(sort) => onChange({ sort })}
      />
      <Filter
        label={texts.judge}
        any={texts.gridAnyJudge}
        value={state.judge}
        options={page.judges.map((judge) => [judge, judgeName(judge, texts)])}
        onChoose={(judge) => onChange({ judge })}
      />
      <Filter
        label={texts.method}
        any={texts.gridAnyMethod}
        value={state.method}
        options={page.methods.map((method) => [method, names.method(method)])}
        onChoose={(method) => onChange({ method })}
      />
      <Filter
        label={texts.aspect}
        any={texts.allAspects}
        value={state.aspect}
        options={page.aspects.map(({ id, name }) => [id, aspectName(id, name)])}
        onChoose={(aspect) => onChange({ aspect })}
      />
    </div>
  );
}

function Legend() {
  const texts = useTexts();
  return (
    <p className="grid-legend">
      {texts.gridLegend}{" "}
      {(["below", "above"] as const).map((side) => (
        <span key={side} className="legend-side">
          {side === "above" ? texts.gridAbove : texts.gridBelow}
          {TINTS.map((points, at) => (
            <span key={points} className={`swatch ${side}-${at + 1}`}>
              {points}+
            </span>
          ))}
        </span>
      ))}
    </p>
  );
}

/** The structure of what is coming. */
function Skeleton() {
  const texts = useTexts();
  return (
    <div className="grid-skeleton" aria-busy="true">
      <p className="loading">{texts.loading}</p>
      {["one", "two", "three", "four", "five"].map((key) => (
        <span key={key} />
      ))}
    </div>
  );
}

/** What is behind the open score, and behind a second one beside it. */
function CellPanels({
  state,
  onChange,
  onChoose,
}: {
  readonly state: GridState;
  readonly onChange: (changes: Partial<GridState>) => void;
  readonly onChoose: () => void;
}) {
  const texts = useTexts();
  const first = useAnswer(api.cells[":evaluation"][":member"][":aspect"], cellParam(state.cell));
  const second = useAnswer(api.cells[":evaluation"][":member"][":aspect"], cellParam(state.beside));
  const isPair = state.beside !== "";
  return (
    <section className="cell-panels" aria-label={texts.cellBehind}>
      <div className="actions">
        <button type="button" onClick={backToGrid}>
          {texts.cellBack}
        </button>
        {isPair ? null : (
          <button type="button" onClick={onChoose}>
            {texts.cellBeside}
          </button>
        )}
      </div>
      <Difference first={first} second={second} />
      <div className={isPair ? "cell-pair" : undefined}>
        <CellPanel
          asked={first}
          state={state}
          name={isPair ? texts.cellFirst : texts.cellBehind}
          onClose={() => onChange({ cell: state.beside, beside: "" })}
        />
        {isPair ? (
          <CellPanel asked={second} state={state} name={texts.cellSecond} onClose={() => onChange({ beside: "" })} />
        ) : null}
      </div>
    </section>
  );
}

/** Both are on the grid's scale, so one may be taken from the other. */
function Difference({
  first,
  second,
}: {
  readonly first: AnswerState<CellDetails>;
  readonly second: AnswerState<CellDetails>;
}) {
  const texts = useTexts();
  if (!first.answer || !second.answer) return null;
  const [from, to] = [first.answer.verdict, second.answer.verdict];
  if (from.kind === "unscored" || to.kind === "unscored") return <p className="notice">{texts.cellNoDifference}</p>;
  const { minimum, maximum } = first.answer.scale;
  const points = to.score - from.score;
  const inFigures = `${points > 0 ? "+" : points < 0 ? "−" : ""}${scoreInFigures(Math.abs(points))}`;
  return (
    <p className="notice">
      {texts.cellDifference(inFigures)} {texts.gridScale(minimum, maximum)}
    </p>
  );
}

function backToGrid(): void {
  const link = document.querySelector<HTMLElement>(".cell-link.open");
  const target = link ?? document.querySelector<HTMLElement>(".grid-scroller [tabindex='0']");
  document.querySelector(".grid-scroller")?.scrollIntoView({ block: "center" });
  target?.focus({ preventScroll: true });
}

/** Everything behind one score, as far as it was stored. */
function CellPanel({
  asked,
  state,
  name,
  onClose,
}: {
  readonly asked: AnswerState<CellDetails>;
  readonly state: GridState;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  return (
    <article className="cell-panel" aria-label={name}>
      <header>
        <p className="kicker">{name}</p>
        <button type="button" className="quiet" onClick={onClose}>
          {texts.cellClose}
        </button>
      </header>
      <Waiting asked={asked}>
        {(cell) => <Behind key={cellId(cell, cell.aspect.id)} cell={cell} state={state} />}
      </Waiting>
    </article>
  );
}

function Behind({ cell, state }: { readonly cell: CellDetails; readonly state: GridState }) {
  const { texts, language } = usePreferences();
  const names = useNames();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { given, scale, verdict, aspect } = cell;
  const speaker = speakerOf(cell.judge, texts);
  const isConverted = given.scale.minimum !== scale.minimum || given.scale.maximum !== scale.maximum;
  const aspectName = aspect.id === "overall" ? texts.overall : names.aspect(aspect.id, aspect.name);
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {aspectName}
        <small>{cell.title}</small>
      </h2>
      <VerdictFigure
        verdict={verdict}
        scale={scale}
        percentile={cell.percentile?.value ?? null}
        population={cell.percentile?.size ?? null}
      />
      <ScaleBar verdict={verdict} scale={scale} />
      {isConverted && given.verdict.kind === "scored" ? (
        <p className="muted">
          {texts.asGiven(scoreInFigures(given.verdict.score), given.scale.minimum, given.scale.maximum)}
        </p>
      ) : null}
      <Facts
        facts={[
          [texts.judge, <JudgeLabel key="judge" judge={cell.judge} />],
          ...(speaker === null ? [] : [[texts.whoSpeaks, speaker] as const]),
          [texts.method, names.method(cell.method)],
          [texts.cellSupport, supportInWords(cell, texts)],
          [texts.cellScores, cell.scores?.map(scoreInFigures).join(", ") || <NotStored />],
          [texts.calls, count(cell.calls)],
          [texts.cost, spending(cell, texts)],
          [texts.date, moment(cell.createdAt, language)],
        ]}
      />
      <p className="cell-links">
        <a href={to(["evaluations", cell.evaluationId], { tab: "verdicts" })}>{texts.cellOpenReport}</a>
        {cell.runId ? <a href={to(["runs", cell.runId])}>{texts.cellOpenRun}</a> : null}
      </p>
      <CellRemarkList cell={cell} state={state} />
      <CellCallList cell={cell} state={state} />
      <h3>{texts.cellSettings}</h3>
      <Settings cell={cell} />
    </>
  );
}

function supportInWords({ support, runs }: CellDetails, texts: Texts): ReactNode {
  return [support && texts.cellSegments(support.scored, support.segments), texts.cellRuns(runs)]
    .filter(Boolean)
    .join(" · ");
}

function Settings({ cell: { settings } }: { readonly cell: CellDetails }) {
  const texts = useTexts();
  if (settings === null) return <NotStored />;
  const yes = (value: boolean) => (value ? texts.settingYes : texts.settingNo);
  return (
    <Facts
      facts={[
        [texts.settingProtocol, settings.protocol],
        [texts.settingRubric, `${settings.rubric.id} ${settings.rubric.version}`],
        [texts.settingTemperature, settings.temperature ?? texts.none],
        [texts.settingDefinitions, yes(settings.definitions)],
        [texts.settingPrompts, settings.language],
        [texts.settingSummariser, settings.summariser ?? texts.none],
        [texts.settingSegmentWords, settings.segmentWords == null ? texts.none : count(settings.segmentWords)],
      ]}
    />
  );
}

/** What the evaluation keeps of what was said: the run nearest to the mean speaks for all; every reply is among the calls. */
function CellRemarkList({ cell, state }: { readonly cell: CellDetails; readonly state: GridState }) {
  const texts = useTexts();
  const { remarks } = cell;
  // The embedded editor quotes sentences by how likely they are to be changed, and says nothing of them.
  const isNoted = remarks?.evidence.some(({ change }) => change !== undefined) ?? false;
  const list = (heading: string, said: readonly Remark[], evidence: NonNullable<typeof remarks>["evidence"]) => (
    <div className="remarks">
      <h4>{heading}</h4>
      {said.length === 0 ? <p className="muted">{texts.nothingFound}</p> : null}
      {said.map((remark, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: remarks have no names, and the list never changes.
        <div key={position}>
          {remark.text ? <p className="prose">{remark.text}</p> : null}
          {remark.absentNames && remark.absentNames.length > 0 ? (
            <p className="doubt">{texts.absentNames(remark.absentNames.join(", "))}</p>
          ) : null}
          {remark.evidence.flatMap((at) => {
            const item = evidence[at];
            return item ? [<CellQuotation key={at} item={item} cell={cell} state={state} />] : [];
          })}
        </div>
      ))}
    </div>
  );
  return (
    <>
      <h3>{texts.cellSaid}</h3>
      {remarks === null ? (
        <p className="muted">{texts.cellNoRemarks}</p>
      ) : (
        <>
          {remarks.isOfPanel ? <p className="muted">{texts.cellPanelRemarks}</p> : null}
          {list(isNoted ? texts.leastChanged : texts.strengths, remarks.strengths, remarks.evidence)}
          {list(isNoted ? texts.mostChanged : texts.weaknesses, remarks.weaknesses, remarks.evidence)}
        </>
      )}
    </>
  );
}
