import type { CellDetails } from "../../../src/api/cells.ts";
import { type AnswerState, useAnswer } from "../../api/use-answer.ts";
import { scoreInFigures } from "../../parts/formats.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { CellPanel } from "./cell-panel.tsx";
import { cellPath, type GridState } from "./grid-state.ts";

/** What is behind the open score, and behind a second one beside it. */
export function CellPanels({
  state,
  onChange,
  onChoose,
}: {
  readonly state: GridState;
  readonly onChange: (changes: Partial<GridState>) => void;
  readonly onChoose: () => void;
}) {
  const texts = useTexts();
  const first = useAnswer<CellDetails>(cellPath(state.cell));
  const second = useAnswer<CellDetails>(state.beside === "" ? null : cellPath(state.beside));
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
