import { type ComponentProps, type ReactNode, useId } from "react";
import { Coded } from "./coded.tsx";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: (attributes: { id: string; "aria-describedby": string | undefined }) => ReactNode;
}

/** A label, an input and its hint, linked for assistive technology. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": hint ? hintId : undefined })}
      {hint ? (
        <p className="hint" id={hintId}>
          <Coded text={hint} />
        </p>
      ) : null}
    </div>
  );
}

interface Labelled {
  readonly label: string;
  readonly hint?: string | undefined;
}

/** A field that is typed in, or takes a file. */
export function Input({ label, hint, ...input }: Labelled & ComponentProps<"input">) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => <input {...attributes} {...input} />}
    </Field>
  );
}

/** A whole number between two ends; what is typed in beyond them is brought back. */
export function NumberInput({
  value,
  minimum,
  maximum,
  onChange,
  ...labelled
}: Labelled & {
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <Input
      {...labelled}
      type="number"
      min={minimum}
      max={maximum}
      value={value}
      onChange={(event) =>
        onChange(Math.min(maximum, Math.max(minimum, Math.round(event.target.valueAsNumber) || minimum)))
      }
    />
  );
}

/** One of several values, each with its name. */
export function Choice<Value extends string>({
  label,
  hint,
  value,
  options,
  onChoose,
  ...select
}: Labelled &
  Omit<ComponentProps<"select">, "value"> & {
    readonly value: Value;
    readonly options: readonly (readonly [value: Value, name: string])[];
    readonly onChoose: (value: Value) => void;
  }) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select
          {...attributes}
          {...select}
          value={value}
          onChange={(event) => onChoose(options[event.target.selectedIndex]![0])}
        >
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

interface FilterProps extends Labelled {
  /** The name of no choice. */
  readonly any: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

/** One of the options, or any. What the address names and the list lacks is still shown as chosen. */
export function Filter({ any, options, ...choice }: FilterProps) {
  const isListed = choice.value === "" || options.some(([option]) => option === choice.value);
  const unlisted = isListed ? [] : [[choice.value, choice.value] as const];
  return <Choice {...choice} options={[["", any], ...unlisted, ...options]} />;
}
