import { Component, type ComponentType, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { AnnouncerProvider } from "./parts/announcer.tsx";
import { Coded } from "./parts/coded.tsx";
import { UploadsElsewhere } from "./parts/upload-list.tsx";
import { useAddBook } from "./parts/use-add-book.ts";
import { useDrop } from "./parts/use-drop.ts";
import { View } from "./parts/view.tsx";
import { parseRoute, type Route, to, useHash, type ViewProps } from "./routing.ts";
import type { Texts } from "./texts/english.ts";
import { LanguageOptions, ThemeOptions } from "./texts/preference-options.tsx";
import { type Home, usePreferences, useTexts } from "./texts/preferences.tsx";
import { expectFile } from "./uploads.ts";

/** A view that is fetched when it is first wanted, and there from then on. */
interface ViewFile {
  loaded: ComponentType<ViewProps> | null;
  load(): Promise<ComponentType<ViewProps>>;
}

function viewFile(read: () => Promise<{ readonly default: ComponentType<ViewProps> }>): ViewFile {
  return {
    loaded: null,
    async load() {
      this.loaded ??= (await read()).default;
      return this.loaded;
    },
  };
}

/** Each view is a separate file that is loaded when it is first opened, so that the first download stays small. */
const library = viewFile(() => import("./desk/library/library-view.tsx"));
const book = viewFile(() => import("./desk/book/book-view.tsx"));
const chapters = viewFile(() => import("./desk/chapters/chapters-view.tsx"));
const letter = viewFile(() => import("./desk/letter/letter-view.tsx"));
const story = viewFile(() => import("./desk/story/story-view.tsx"));
const ask = viewFile(() => import("./desk/ask/ask-view.tsx"));
const reader = viewFile(() => import("./desk/reader/reader-view.tsx"));
const evaluate = viewFile(() => import("./lab/evaluate/evaluate-view.tsx"));
const job = viewFile(() => import("./lab/job/job-view.tsx"));
const report = viewFile(() => import("./lab/report/report-view.tsx"));
const map = viewFile(() => import("./desk/map/map-view.tsx"));
const drafts = viewFile(() => import("./desk/drafts/drafts-view.tsx"));
const compare = viewFile(() => import("./lab/compare/compare-view.tsx"));
const grid = viewFile(() => import("./lab/grid/grid-view.tsx"));
const readers = viewFile(() => import("./lab/readers/readers-view.tsx"));
const oneReader = viewFile(() => import("./lab/readers/one-reader-view.tsx"));
const benchmark = viewFile(() => import("./lab/benchmark/benchmark-view.tsx"));
const questions = viewFile(() => import("./lab/questions/questions-view.tsx"));
const questionRun = viewFile(() => import("./lab/questions/run-view.tsx"));
const questionSet = viewFile(() => import("./lab/questions/set-view.tsx"));
const auditSet = viewFile(() => import("./lab/questions/audit-view.tsx"));
const rateAnswers = viewFile(() => import("./lab/questions/rate-view.tsx"));
const runs = viewFile(() => import("./lab/runs/runs-view.tsx"));
const settings = viewFile(() => import("./lab/settings/settings-view.tsx"));
const disagreements = viewFile(() => import("./lab/disagreements/disagreements-view.tsx"));
const ratings = viewFile(() => import("./lab/ratings/ratings-view.tsx"));
const trust = viewFile(() => import("./lab/trust/trust-view.tsx"));
const oneRun = viewFile(() => import("./lab/runs/one-run-view.tsx"));

/** What stands behind the address of a book. */
const BOOK_PARTS: Readonly<Record<string, ViewFile>> = { letter, story, ask, map, chapters, read: reader };

/** What stands behind the address of a run of answers or of a set of questions. */
const QUESTION_PARTS: Readonly<Record<string, ViewFile>> = {
  rate: rateAnswers,
  set: questionSet,
  audit: auditSet,
};

function viewFor({ path: [place, id, part] }: Route): ViewFile | null {
  switch (place) {
    case undefined:
    case "library":
      return library;
    case "books":
      if (id === undefined) return library;
      return BOOK_PARTS[part ?? ""] ?? book;
    case "evaluate":
      return evaluate;
    case "jobs":
      return id === undefined ? evaluate : job;
    case "evaluations":
      return id === undefined ? library : report;
    case "compare":
      return compare;
    case "grid":
      return grid;
    case "drafts":
      return drafts;
    case "readers":
      return id === undefined ? readers : oneReader;
    case "benchmark":
      return benchmark;
    case "questions":
      if (id === undefined) return questions;
      return QUESTION_PARTS[part ?? ""] ?? questionRun;
    case "disagreements":
      return disagreements;
    case "ratings":
      return ratings;
    case "trust":
      return trust;
    case "settings":
      return settings;
    case "runs":
      if (id === undefined) return runs;
      return oneRun;
    default:
      return null;
  }
}

interface Props {
  readonly message: string;
  readonly again: string;
  readonly children: ReactNode;
}

/** A view whose file does not arrive (the server was stopped) says so instead of leaving an empty page. */
class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const isMissing = /import|fetch|load/i.test(error.message);
    return (
      <div className="notice problem" role="alert">
        <p>{isMissing ? <Coded text={this.props.message} /> : error.message}</p>
        <button type="button" onClick={() => window.location.reload()}>
          {this.props.again}
        </button>
      </div>
    );
  }
}

export function App() {
  const hash = useHash();
  const { texts, home } = usePreferences();
  const route = useMemo(() => {
    const asked = parseRoute(hash);
    return asked.path.length > 0 ? asked : parseRoute(OPENS[home]);
  }, [hash, home]);
  const file = viewFor(route);
  // A new path is a new view, with the focus on its heading; a new query is the same view looking elsewhere.
  const key = route.path.join("/");
  const place = route.path[0] ?? "library";
  // Who rates is led to their items and nowhere else.
  const isRating = place === "ratings" && route.path[2] === "rate";
  return (
    <AnnouncerProvider>
      <button type="button" className="skip-link" onClick={() => document.getElementById("main")?.focus()}>
        {texts.skipToContent}
      </button>
      {isRating ? null : <Header place={place} />}
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={key} message={texts.unreachable} again={texts.tryAgain}>
          {file ? <OnDemand file={file} route={route} /> : <NotFound />}
        </ErrorBoundary>
      </main>
      {place === "library" || isRating ? null : <UploadsElsewhere />}
      {place === "readers" || isRating ? null : <DropAnywhere />}
    </AnnouncerProvider>
  );
}

const placesOf: Readonly<Record<string, string>> = {
  books: "library",
  drafts: "library",
  jobs: "evaluate",
};

/** Two homes: the desk, where writers work on their books, and the lab, where judges and methods are compared. */
const PLACES = {
  desk: ["library"],
  lab: [
    "evaluate",
    "compare",
    "grid",
    "disagreements",
    "ratings",
    "trust",
    "readers",
    "benchmark",
    "questions",
    "runs",
  ],
} as const satisfies Readonly<Record<Home, readonly (keyof Texts)[]>>;

const HINTS = { desk: "deskHint", lab: "labHint" } as const satisfies Readonly<Record<Home, keyof Texts>>;

/** Where a home opens. */
const OPENS: Readonly<Record<Home, string>> = { desk: to(["library"]), lab: to(["grid"]) };

function homeOf(place: string): Home | null {
  return (["desk", "lab"] as const).find((home) => PLACES[home].some((name) => name === place)) ?? null;
}

function Header({ place }: { readonly place: string }) {
  const list = useRef<HTMLUListElement>(null);
  const { texts, language, theme, home, chooseLanguage, chooseTheme, chooseHome } = usePreferences();
  const current = placesOf[place] ?? place;
  const own = homeOf(current);
  // A report and the settings belong to both: they show the one the reader came from.
  const [last, setLast] = useState(home);
  if (own !== null && own !== last) setLast(own);
  const shown = own ?? last;
  useEffect(() => {
    void current;
    if (list.current) showCurrent(list.current);
  }, [current]);
  return (
    <header className="masthead">
      <a className="wordmark" href={to([])}>
        Fabula
      </a>
      <nav className="homes" aria-label={texts.homes}>
        {(["desk", "lab"] as const).map((name) => (
          <a
            key={name}
            href={OPENS[name]}
            // Only this chooses where Fabula opens: a link from the desk into the lab is a look, not a move.
            onClick={() => chooseHome(name)}
            aria-current={shown === name ? "true" : undefined}
            title={texts[HINTS[name]]}
          >
            {texts[name]}
          </a>
        ))}
      </nav>
      <nav className={`places ${shown}`} aria-label={texts.mainNavigation}>
        <ul ref={list}>
          {PLACES[shown].map((name) => (
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

/** A manuscript may be dropped anywhere; where other files are expected, the view takes them itself. */
function DropAnywhere() {
  const texts = useTexts();
  const { addFiles } = useAddBook();
  const isComing = useDrop(addFiles);
  useEffect(() => {
    if (isComing) expectFile();
  }, [isComing]);
  return isComing ? <div className="drop-curtain">{texts.dropToAdd}</div> : null;
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

/**
 * A view, fetched when it is first shown. React's `lazy` would do, but a boundary that has shown its fallback holds back what
 * has arrived for 300 ms, a third of what opening a book may take.
 */
function OnDemand({ file, route }: { readonly file: ViewFile; readonly route: Route }) {
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
