import { type ReactNode, useId } from "react";
import { Coded } from "./coded.tsx";

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
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
