import { useEffect } from "react";

interface Pasted {
  readonly onFile: (file: File) => void;
  readonly onText: (text: string) => void;
}

/** A file or a text pasted outside a field; what is pasted into a field stays there. */
export function usePaste({ onFile, onText }: Pasted): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, dialog")) return;
      const file = event.clipboardData?.files[0];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (file) onFile(file);
      else if (text.trim() !== "") onText(text);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, [onFile, onText]);
}
