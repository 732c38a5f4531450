import { useEffect, useMemo, useRef } from "react";
import { AnnouncerProvider } from "./parts/announcer.tsx";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { OnDemand } from "./parts/on-demand.tsx";
import { UploadsElsewhere } from "./parts/upload-list.tsx";
import { View } from "./parts/view.tsx";
import { parseRoute, to, useHash } from "./routing.ts";
import { LanguageOptions, ThemeOptions } from "./texts/preference-options.tsx";
import { usePreferences, useTexts } from "./texts/preferences.tsx";
import { viewFor } from "./views.ts";

export function App() {
  const hash = useHash();
  const route = useMemo(() => parseRoute(hash), [hash]);
  const texts = useTexts();
  const file = viewFor(route);
  // A new path is a new view, with the focus on its heading; a new query is the same view looking elsewhere.
  const key = route.path.join("/");
  const isLibrary = (route.path[0] ?? "library") === "library";
  return (
    <AnnouncerProvider>
      <button type="button" className="skip-link" onClick={() => document.getElementById("main")?.focus()}>
        {texts.skipToContent}
      </button>
      <Header place={route.path[0] ?? "library"} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={key} message={texts.unreachable} again={texts.tryAgain}>
          {file ? <OnDemand file={file} route={route} /> : <NotFound />}
        </ErrorBoundary>
      </main>
      {isLibrary ? null : <UploadsElsewhere />}
    </AnnouncerProvider>
  );
}

const placesOf: Readonly<Record<string, string>> = {
  books: "library",
  evaluations: "library",
  drafts: "library",
  jobs: "evaluate",
};

function Header({ place }: { readonly place: string }) {
  const list = useRef<HTMLUListElement>(null);
  const { texts, language, theme, chooseLanguage, chooseTheme } = usePreferences();
  const current = placesOf[place] ?? place;
  const places = [
    "library",
    "evaluate",
    "compare",
    "grid",
    "disagreements",
    "readers",
    "benchmark",
    "questions",
    "runs",
  ] as const;
  useEffect(() => {
    void current;
    if (list.current) showCurrent(list.current);
  }, [current]);
  return (
    <header className="masthead">
      <a className="wordmark" href={to([])}>
        Fabula
      </a>
      <nav aria-label={texts.mainNavigation}>
        <ul ref={list}>
          {places.map((name) => (
            <li key={name}>
              <a href={to([name])} aria-current={current === name ? "page" : undefined}>
                {texts[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="preferences">
        <a className="settings-link" href={to(["settings"])} aria-current={current === "settings" ? "page" : undefined}>
          {texts.settings}
        </a>
        <select
          aria-label={texts.theme}
          value={theme}
          onChange={(event) => chooseTheme(event.target.value as typeof theme)}
        >
          <ThemeOptions />
        </select>
        <select
          aria-label={texts.language}
          value={language}
          onChange={(event) => chooseLanguage(event.target.value as typeof language)}
        >
          <LanguageOptions />
        </select>
      </div>
    </header>
  );
}

/**
 * On a narrow screen the list scrolls, and the current place should be in sight. `scrollIntoView` would do it, but some
 * versions of Chromium then start Tab from that link, and the skip link is no longer the first stop.
 */
function showCurrent(list: HTMLElement): void {
  const link = list.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!link) return;
  const { left, right } = list.getBoundingClientRect();
  if (link.left < left) list.scrollLeft -= left - link.left;
  else if (link.right > right) list.scrollLeft += link.right - right;
}

function NotFound() {
  const texts = useTexts();
  return (
    <View title={texts.notFound}>
      <p>{texts.notFoundHint}</p>
    </View>
  );
}
