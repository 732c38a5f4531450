import { useTexts } from "../texts/preferences.tsx";
import { Field } from "./field.tsx";

/** What may be spent at most; empty for no limit. */
export function MaximumCost({
  value,
  onChange,
}: {
  readonly value: number | null;
  readonly onChange: (cost: number | null) => void;
}) {
  const texts = useTexts();
  return (
    <Field label={texts.maximumCost} hint={texts.maximumCostHint}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          min={0}
          step="any"
          value={value ?? ""}
          onChange={(event) => {
            const cost = event.target.valueAsNumber;
            onChange(Number.isFinite(cost) && cost >= 0 ? cost : null);
          }}
        />
      )}
    </Field>
  );
}
