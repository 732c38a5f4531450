import { useState } from "react";
import type { CellCall, CellCalls, CellDetails } from "../../../src/api/cells.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { money } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { VerdictInWords } from "../../parts/verdict.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import type { Texts } from "../../texts/english.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { CellCallText } from "./cell-call-text.tsx";
import { cellId, cellPath, type GridState } from "./grid-state.ts";

/** The calls behind a score; each opens with its prompt, its reply and how it was read. */
export function CellCallList({ cell, state }: { readonly cell: CellDetails; readonly state: GridState }) {
  const texts = useTexts();
  const path = cellPath(cellId(cell, cell.aspect.id));
  const asked = useAnswer<CellCalls>(path === null ? null : `${path}/calls`);
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <h3>{texts.cellCalls}</h3>
      <Waiting asked={asked}>
        {({ kind, calls, total }) => {
          if (kind !== "listed") return <p className="muted">{texts[MISSING[kind]]}</p>;
          return (
            <>
              {total > calls.length ? <p className="muted">{texts.cellCallsOf(calls.length, total)}</p> : null}
              <TableScroller label={texts.cellCalls}>
                <table className="cell-calls">
                  <ColumnNames
                    names={[
                      ...[texts.purpose, texts.cellRead, texts.cellLatency, texts.cellTokens, texts.cost],
                      ...[texts.cellAttempts, texts.outcome],
                    ]}
                  />
                  <tbody>
                    {calls.map((call) => (
                      <CallRow
                        key={call.position}
                        call={call}
                        isOpen={open === call.position}
                        onToggle={() => setOpen(open === call.position ? null : call.position)}
                      />
                    ))}
                  </tbody>
                </table>
              </TableScroller>
              {open === null || path === null ? null : (
                <CellCallText key={open} path={`${path}/calls/${open}`} cell={cell} state={state} />
              )}
            </>
          );
        }}
      </Waiting>
    </>
  );
}

const MISSING = {
  none: "cellCallsNone",
  "not-stored": "cellCallsNotStored",
  shared: "cellCallsShared",
} as const satisfies Readonly<Record<Exclude<CellCalls["kind"], "listed">, string>>;

function CallRow({
  call,
  isOpen,
  onToggle,
}: {
  readonly call: CellCall;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const texts = useTexts();
  const { answer } = call;
  const figure = (value: number | undefined) => value?.toLocaleString("en-GB") ?? "–";
  return (
    <tr>
      <th scope="row">
        <button type="button" className="link" aria-expanded={isOpen} onClick={onToggle}>
          {call.purpose === "summariser" ? texts.cellPurposeSummary : texts.cellPurposeJudge}
          {answer && answer.sample > 0 ? ` ${answer.sample + 1}` : null}
          <span className="visually-hidden"> {texts.cellCallNumber(call.position)}</span>
        </button>
      </th>
      <td>{call.read === null ? "–" : <VerdictInWords verdict={call.read} />}</td>
      <td className="number">{answer ? `${(answer.latencyMilliseconds / 1000).toFixed(1)} s` : "–"}</td>
      <td className="number">
        {figure(answer?.inputTokens)}, {figure(answer?.outputTokens)}
      </td>
      <td className="number">{call.cost === null ? texts.unknown : money(call.cost)}</td>
      <td className="number">{figure(answer?.attempts)}</td>
      <td>
        {outcomeInWords(call, texts)}
        {call.reason ? <small className="doubt"> {call.reason}</small> : null}
      </td>
    </tr>
  );
}

function outcomeInWords({ outcome }: CellCall, texts: Texts): string {
  if (outcome === "asked") return texts.cellOutcomeAsked;
  return outcome === "cached" ? texts.cellOutcomeCached : texts.cellOutcomeFailed;
}
