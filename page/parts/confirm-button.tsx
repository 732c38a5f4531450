import { type ReactNode, useRef } from "react";
import { useTexts } from "../texts/preferences.tsx";

/** A button that asks once more before something is lost. */
export function ConfirmButton({
  question,
  onConfirm,
  children,
}: {
  readonly question: string;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const texts = useTexts();
  return (
    <>
      <button type="button" className="quiet danger" onClick={() => dialog.current?.showModal()}>
        {children}
      </button>
      <dialog ref={dialog} aria-label={question}>
        <p>{question}</p>
        <div className="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
          <button
            type="button"
            className="primary danger"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {texts.remove}
          </button>
        </div>
      </dialog>
    </>
  );
}
