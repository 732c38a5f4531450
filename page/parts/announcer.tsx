import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

const AnnouncerContext = createContext<(text: string) => void>(() => {});

/** One live region for the whole page: a screen reader hears what happened without losing its place. */
export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState("");
  const announce = useCallback((next: string) => setText(next), []);
  return (
    <AnnouncerContext value={announce}>
      {children}
      <div className="visually-hidden" role="status" data-testid="announcer">
        {text}
      </div>
    </AnnouncerContext>
  );
}

export function useAnnouncer(): (text: string) => void {
  return useContext(AnnouncerContext);
}
