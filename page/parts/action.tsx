import type { ComponentProps, ReactNode } from "react";
import { useAction } from "./use-action.ts";
import { ProblemNotice } from "./waiting.tsx";

/** A button that is busy while its work lasts, and says what went wrong. */
export function ActionButton({
  act,
  busy,
  disabled = false,
  children,
  ...button
}: Omit<ComponentProps<"button">, "type" | "onClick"> & {
  readonly act: () => Promise<unknown>;
  /** What the button says meanwhile. */
  readonly busy?: string;
}) {
  const action = useAction(act);
  return (
    <>
      <button {...button} type="button" disabled={disabled || action.isBusy} onClick={() => void action.run()}>
        {action.isBusy ? (busy ?? children) : children}
      </button>
      <ProblemNotice problem={action.problem} />
    </>
  );
}

interface ActionFormProps {
  readonly label: string;
  /** What the button says. */
  readonly submit: string;
  readonly act: (given: FormData, form: HTMLFormElement) => Promise<unknown>;
  readonly className?: string;
  readonly isReady?: boolean;
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
  /** What stands below the button: how far it is, what came of it. */
  readonly below?: (isBusy: boolean) => ReactNode;
}

/** Fields and the button that sends them; busy while that lasts, with what went wrong below. */
export function ActionForm(props: ActionFormProps) {
  const { label, submit, act, className = "panel", isReady = true, isQuiet = false, children, below } = props;
  const action = useAction(act);
  return (
    <form
      className={className}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(new FormData(event.currentTarget), event.currentTarget);
      }}
    >
      {children}
      <button type="submit" className={isQuiet ? "" : "primary"} disabled={!isReady || action.isBusy}>
        {submit}
      </button>
      {below?.(action.isBusy)}
      <ProblemNotice problem={action.problem} />
    </form>
  );
}

/** The file that was chosen in a form whose field for it must be filled in. */
export function fileIn(given: FormData): File {
  const file = given.get("file");
  if (file instanceof File) return file;
  throw new Error("the form has no file");
}
