import { Field } from "../../parts/field.tsx";

interface ChoiceProps {
  readonly label: string;
  /** The name of no choice. */
  readonly any: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

/** A filter: one of the options, or any. What the address names and the list lacks is still shown as chosen. */
export function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  const isListed = value === "" || options.some(([option]) => option === value);
  return (
    <Field label={label}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChoose(event.target.value)}>
          <option value="">{any}</option>
          {isListed ? null : <option value={value}>{value}</option>}
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
