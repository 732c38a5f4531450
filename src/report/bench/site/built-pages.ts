import { pathToFileURL } from "node:url";
import type { BenchmarkTexts, BoardFile, BoardMethods, NovelPage, Work, WriterPage } from "../../../api/benchmarks.ts";
import { builtPath } from "../../../core/assets.ts";

/** The web app's components, built for files by `scripts/build.mjs`. */
export interface SitePages {
  readonly SITE_STYLE: string;
  benchmarkHtml(file: BoardFile): Promise<string>;
  boardHtml(site: object, file: BoardFile, extras: object): Promise<string>;
  methodsHtml(site: object, methods: BoardMethods, words: object): string;
  writerHtml(site: object, page: WriterPage): string;
  novelHtml(site: object, page: NovelPage): string;
  textsHtml(site: object, texts: BenchmarkTexts): string;
  workMarkup(language: "en" | "zh", work: Work): string;
}

/** Loaded when the first file is written. */
export async function builtSitePages(): Promise<SitePages> {
  return import(/* @vite-ignore */ pathToFileURL(builtPath("report-file", "site-pages.js")).href);
}
