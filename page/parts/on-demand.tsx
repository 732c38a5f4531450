import { useEffect, useState } from "react";
import type { Route } from "../routing.ts";
import { useTexts } from "../texts/preferences.tsx";
import type { ViewFile } from "../views.ts";

/**
 * A view, fetched when it is first shown. React's `lazy` would do, but a boundary that has shown its fallback holds back what
 * has arrived for 300 ms, a third of what opening a book may take.
 */
export function OnDemand({ file, route }: { readonly file: ViewFile; readonly route: Route }) {
  const texts = useTexts();
  const [Loaded, setLoaded] = useState(() => file.loaded);
  const [failure, setFailure] = useState<{ readonly cause: unknown } | null>(null);
  useEffect(() => {
    if (Loaded) return;
    file.load().then(
      (view) => setLoaded(() => view),
      (cause: unknown) => setFailure({ cause }),
    );
  }, [Loaded, file]);
  if (failure) throw failure.cause;
  return Loaded ? <Loaded route={route} /> : <p className="loading">{texts.loading}</p>;
}
