import type { CellDetails } from "../../../src/api/cells.ts";
import type { Remark } from "../../../src/api/evaluations.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { CellQuotation } from "./cell-quotation.tsx";
import type { GridState } from "./grid-state.ts";

/** What the evaluation keeps of what was said: the run nearest to the mean speaks for all; every reply is among the calls. */
export function CellRemarkList({ cell, state }: { readonly cell: CellDetails; readonly state: GridState }) {
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
