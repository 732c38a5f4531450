import { type RefObject, useState } from "react";
import type { PastedBook } from "../../../src/api/books.ts";
import { Field } from "../../parts/field.tsx";
import { useTexts } from "../../texts/preferences.tsx";

export function PasteDialog({
  dialog,
  text,
  onText,
  onPaste,
}: {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPaste: (book: PastedBook) => void;
}) {
  const texts = useTexts();
  const [title, setTitle] = useState("");
  return (
    <dialog ref={dialog} aria-label={texts.pasteText}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          dialog.current?.close();
          onPaste({ title: title.trim(), text });
          setTitle("");
          onText("");
        }}
      >
        <Field label={texts.pasteTitle}>
          {(attributes) => (
            <input {...attributes} required value={title} onChange={(event) => setTitle(event.target.value)} />
          )}
        </Field>
        <Field label={texts.pasteBody} hint={texts.pasteHint}>
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={12}
              className="prose"
              value={text}
              onChange={(event) => onText(event.target.value)}
            />
          )}
        </Field>
        <div className="actions">
          <button type="submit" className="primary">
            {texts.pasteAdd}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
