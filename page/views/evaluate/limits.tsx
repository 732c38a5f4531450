import { Field } from "../../parts/field.tsx";
import { MaximumCost } from "../../parts/maximum-cost.tsx";
import { useTexts } from "../../texts/preferences.tsx";

export function Limits({
  runs,
  onRuns,
  maximumCost,
  onMaximumCost,
}: {
  readonly runs: number;
  readonly onRuns: (runs: number) => void;
  readonly maximumCost: number | null;
  readonly onMaximumCost: (cost: number | null) => void;
}) {
  const texts = useTexts();
  return (
    <div className="limits">
      <Field label={texts.chooseRuns} hint={texts.runsHint}>
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={1}
            max={50}
            value={runs}
            onChange={(event) => onRuns(Math.min(50, Math.max(1, Math.round(event.target.valueAsNumber) || 1)))}
          />
        )}
      </Field>
      <MaximumCost value={maximumCost} onChange={onMaximumCost} />
    </div>
  );
}
