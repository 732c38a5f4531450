import { type ComponentType, lazy } from "react";
import type { Route } from "./routing.ts";

export interface ViewProps {
  readonly route: Route;
}

/** Each view is a file of its own that is loaded when it is first opened, so that the first page stays small. */
const library = lazy(() => import("./views/library/library-view.tsx"));
const book = lazy(() => import("./views/book/book-view.tsx"));
const reader = lazy(() => import("./views/reader/reader-view.tsx"));
const evaluate = lazy(() => import("./views/evaluate/evaluate-view.tsx"));
const job = lazy(() => import("./views/job/job-view.tsx"));
const report = lazy(() => import("./views/report/report-view.tsx"));
const compare = lazy(() => import("./views/compare/compare-view.tsx"));
const readers = lazy(() => import("./views/readers/readers-view.tsx"));
const oneReader = lazy(() => import("./views/readers/one-reader-view.tsx"));
const benchmark = lazy(() => import("./views/benchmark/benchmark-view.tsx"));
const questions = lazy(() => import("./views/questions/questions-view.tsx"));
const runs = lazy(() => import("./views/runs/runs-view.tsx"));
const oneRun = lazy(() => import("./views/runs/one-run-view.tsx"));

export function viewFor({ path: [place, id, part] }: Route): ComponentType<ViewProps> | null {
  switch (place) {
    case undefined:
    case "library":
      return library;
    case "books":
      if (id === undefined) return library;
      return part === "read" ? reader : book;
    case "evaluate":
      return evaluate;
    case "jobs":
      return id === undefined ? evaluate : job;
    case "evaluations":
      return id === undefined ? library : report;
    case "compare":
      return compare;
    case "readers":
      return id === undefined ? readers : oneReader;
    case "benchmark":
      return benchmark;
    case "questions":
      return questions;
    case "runs":
      return id === undefined ? runs : oneRun;
    default:
      return null;
  }
}
