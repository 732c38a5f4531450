import { useEffect, useLayoutEffect, useRef } from "react";
import { useTexts } from "../../../texts/preferences.tsx";
import { LiveReading } from "./live-reading.tsx";
import { useParagraphReading } from "./use-paragraph-reading.ts";

/** One paragraph in a field of its own, with what notes, map and jurors make of it while it changes. */
export function ParagraphEditor({
  bookId,
  place,
  original,
  text,
  onText,
  onClose,
  onHeight,
}: {
  readonly bookId: string;
  readonly place: { readonly chapter: number; readonly start: number; readonly end: number };
  readonly original: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
  /** The row may be higher or lower than before. */
  readonly onHeight: () => void;
}) {
  const texts = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const before = useParagraphReading(bookId, place, original);
  const now = useParagraphReading(bookId, place, text);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is as high as what stands in it.
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + 4}px`;
    onHeight();
  }, [text, now, onHeight]);
  return (
    <div className="paragraph-editor">
      <textarea
        ref={field}
        aria-label={texts.editedParagraph}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
      />
      <div className="actions">
        <button type="button" onClick={onClose}>
          {texts.editClose}
        </button>
        <button type="button" className="quiet" disabled={text === original} onClick={() => onText(original)}>
          {texts.editUndo}
        </button>
      </div>
      <LiveReading text={text} before={before} now={now} />
    </div>
  );
}
