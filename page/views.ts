import type { ComponentType } from "react";
import type { Route, ViewProps } from "./routing.ts";

/** A view that is fetched when it is first wanted, and there from then on. */
export interface ViewFile {
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
const library = viewFile(() => import("./views/library/library-view.tsx"));
const book = viewFile(() => import("./views/book/book-view.tsx"));
const chapters = viewFile(() => import("./views/chapters/chapters-view.tsx"));
const reader = viewFile(() => import("./views/reader/reader-view.tsx"));
const evaluate = viewFile(() => import("./views/evaluate/evaluate-view.tsx"));
const job = viewFile(() => import("./views/job/job-view.tsx"));
const report = viewFile(() => import("./views/report/report-view.tsx"));
const map = viewFile(() => import("./views/map/map-view.tsx"));
const drafts = viewFile(() => import("./views/drafts/drafts-view.tsx"));
const compare = viewFile(() => import("./views/compare/compare-view.tsx"));
const grid = viewFile(() => import("./views/grid/grid-view.tsx"));
const readers = viewFile(() => import("./views/readers/readers-view.tsx"));
const oneReader = viewFile(() => import("./views/readers/one-reader-view.tsx"));
const benchmark = viewFile(() => import("./views/benchmark/benchmark-view.tsx"));
const questions = viewFile(() => import("./views/questions/questions-view.tsx"));
const questionRun = viewFile(() => import("./views/questions/run-view.tsx"));
const rateAnswers = viewFile(() => import("./views/questions/rate-view.tsx"));
const runs = viewFile(() => import("./views/runs/runs-view.tsx"));
const compareRuns = viewFile(() => import("./views/runs/compare-runs-view.tsx"));
const settings = viewFile(() => import("./views/settings/settings-view.tsx"));
const disagreements = viewFile(() => import("./views/disagreements/disagreements-view.tsx"));
const oneRun = viewFile(() => import("./views/runs/one-run-view.tsx"));

export function viewFor({ path: [place, id, part] }: Route): ViewFile | null {
  switch (place) {
    case undefined:
    case "library":
      return library;
    case "books":
      if (id === undefined) return library;
      if (part === "map") return map;
      if (part === "chapters") return chapters;
      return part === "read" ? reader : book;
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
      return part === "rate" ? rateAnswers : questionRun;
    case "disagreements":
      return disagreements;
    case "settings":
      return settings;
    case "runs":
      if (id === undefined) return runs;
      return id === "compare" ? compareRuns : oneRun;
    default:
      return null;
  }
}
