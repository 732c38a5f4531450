import { useEffect, useState } from "react";
import type { GridPage } from "../../../src/api/grid.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Field } from "../../parts/field.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { replaceRoute, type ViewProps } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";
import { TINTS } from "./cell-link.tsx";
import { CellPanels } from "./cell-panels.tsx";
import { type GridState, gridAddress, gridState, SORTS } from "./grid-state.ts";
import { GridTable } from "./grid-table.tsx";
import { useGridRows } from "./use-grid-rows.ts";
import "./grid.css";

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
  return (
    <View title={texts.grid} className="grid-view">
      <p>{texts.gridIntroduction}</p>
      {rows.problem ? <ProblemNotice problem={rows.problem} again={rows.reload} /> : null}
      {page === null && !rows.problem ? <Skeleton /> : null}
      {page && page.totals.rows === 0 && !isFiltered ? (
        <EmptyState title={texts.gridEmpty} hint={texts.gridEmptyHint} />
      ) : null}
      {page && (page.totals.rows > 0 || isFiltered) ? (
        <>
          <Filters page={page} state={state} onChange={change} />
          <p className="grid-caption">
            <strong>{texts.gridScale(page.scale.minimum, page.scale.maximum)}</strong>{" "}
            {texts.gridCounts(page.totals.books.toLocaleString("en-GB"), page.totals.lines.toLocaleString("en-GB"))}
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
            <>
              <GridTable rows={rows} page={page} state={state} hrefOf={hrefOf} />
              <Legend />
            </>
          )}
        </>
      ) : null}
      {state.cell === "" ? null : (
        <CellPanels
          state={state}
          onChange={change}
          onChoose={() => {
            setChoosing(true);
            document.querySelector(".grid-scroller")?.scrollIntoView({ block: "center" });
            document.querySelector<HTMLElement>(".grid-scroller [tabindex='0']")?.focus({ preventScroll: true });
          }}
        />
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
      <Field label={texts.gridSearch}>
        {(attributes) => (
          <input {...attributes} type="search" value={words} onChange={(event) => setWords(event.target.value)} />
        )}
      </Field>
      <Choice
        label={texts.gridSort}
        value={state.sort}
        onChoose={(sort) => onChange({ sort: sort as GridState["sort"] })}
      >
        {Object.entries(SORTS).map(([sort, name]) => [sort, texts[name]])}
      </Choice>
      <Choice label={texts.judge} value={state.judge} onChoose={(judge) => onChange({ judge })}>
        {[["", texts.gridAnyJudge], ...page.judges.map((judge) => [judge, judgeName(judge, texts)] as const)]}
      </Choice>
      <Choice label={texts.method} value={state.method} onChoose={(method) => onChange({ method })}>
        {[["", texts.gridAnyMethod], ...page.methods.map((method) => [method, names.method(method)] as const)]}
      </Choice>
      <Choice label={texts.aspect} value={state.aspect} onChoose={(aspect) => onChange({ aspect })}>
        {[["", texts.allAspects], ...page.aspects.map(({ id, name }) => [id, aspectName(id, name)] as const)]}
      </Choice>
    </div>
  );
}

function Choice({
  label,
  value,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly children: readonly (readonly string[])[];
}) {
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChoose(event.target.value)}>
          {children.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
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
