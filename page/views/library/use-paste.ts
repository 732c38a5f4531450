import { useEffect } from "react";

interface Pasted {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string) => void;
}

/** Files or a text pasted outside a field; what is pasted into a field stays there. */
export function usePaste({ onFiles, onText }: Pasted): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, dialog")) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (files.length > 0) onFiles(files);
      else if (text.trim() !== "") onText(text);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, [onFiles, onText]);
}
