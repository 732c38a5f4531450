import { renderToStaticMarkup } from "react-dom/server";
import type { BenchmarkTexts, NovelPage, Work, WorkSummary, WriterPage } from "../../src/api/benchmarks.ts";
import benchmarkStyle from "../lab/benchmark/benchmark.css?inline";
import { AllTexts, NovelBody, WorkBody, type WorkFrame, WriterBody } from "../lab/benchmark/works.tsx";
import base from "../styles/base.css?inline";
import parts from "../styles/parts.css?inline";
import shell from "../styles/shell.css?inline";
import tokens from "../styles/tokens.css?inline";
import { FixedPreferences, useTexts } from "../texts/preferences.tsx";
import { ENGLISH } from "../texts/spoken.ts";
import { CHINESE } from "../texts/spoken-chinese.ts";
import ownStyle from "./report-file.css?inline";

/** What every page of a site needs to know of it. */
export interface SiteFrame {
  readonly title: string;
  readonly language: "en" | "zh";
  readonly footer: string;
  readonly nav: readonly { readonly href: string; readonly label: string }[];
  /** The names of files, without their folder. */
  readonly writerFile: (writer: string) => string;
  readonly novelFile: (novel: string) => string;
}

/** The stylesheet of all pages. */
export const SITE_STYLE = [tokens, base, shell, parts, benchmarkStyle, ownStyle].join("\n");

export function writerHtml(site: SiteFrame, page: WriterPage): string {
  const address = ({ novel }: WorkSummary) => `../novels/${encodeURIComponent(site.novelFile(novel))}.html`;
  return html(site, page.name, "../", <WriterBody page={page} frame={siteFrame(site)} address={address} />);
}

export function novelHtml(site: SiteFrame, page: NovelPage): string {
  const address = ({ writer }: WorkSummary) => `../writers/${encodeURIComponent(site.writerFile(writer))}.html`;
  return html(site, page.title, "../", <NovelBody page={page} frame={siteFrame(site)} address={address} />);
}

/** The page that leads to all others. */
export function textsHtml(site: SiteFrame, texts: BenchmarkTexts): string {
  return html(
    site,
    site.title,
    "",
    <AllTexts
      texts={texts}
      writerAddress={(writer) => `writers/${encodeURIComponent(site.writerFile(writer))}.html`}
      novelAddress={(novel) => `novels/${encodeURIComponent(site.novelFile(novel))}.html`}
    />,
  );
}

/** What a file of texts holds for each work: the page puts it where the reader opens it. */
export function workMarkup(language: "en" | "zh", work: Work): string {
  return inLanguage(language, <WorkBody work={work} />);
}

/** The script of the site fills the box when it is opened. */
function siteFrame({ novelFile, writerFile }: SiteFrame): WorkFrame {
  return ({ writer, novel }, summary) => (
    <details className="work" data-texts={novelFile(novel)} data-work={writerFile(writer)}>
      <summary>{summary}</summary>
      <Box />
    </details>
  );
}

function Box() {
  const texts = useTexts();
  return <div data-missing={texts.workMissing}>{texts.workLoading}</div>;
}

function inLanguage(language: "en" | "zh", content: React.ReactNode): string {
  const spoken = language === "zh" ? CHINESE : ENGLISH;
  return renderToStaticMarkup(<FixedPreferences spoken={spoken}>{content}</FixedPreferences>);
}

/** Style and script stand in files beside the pages, so that a browser loads them once; `file:` is for pages opened from a disk. */
function html(site: SiteFrame, heading: string, root: string, content: React.ReactNode): string {
  const body = inLanguage(
    site.language,
    <>
      <nav className="site-nav">
        {site.nav.map(({ href, label }) => (
          <a key={href} href={`${root}${href}`}>
            {label}
          </a>
        ))}
      </nav>
      <main className="view report-file">
        <header className="view-header">
          <h1>{heading}</h1>
        </header>
        {content}
      </main>
      <footer className="site-footer">{site.footer}</footer>
      <script src={`${root}site.js`} />
    </>,
  );
  return `<!doctype html>
<html lang="${site.language === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:; script-src 'self' file:">
${renderToStaticMarkup(<title>{heading === site.title ? heading : `${heading} · ${site.title}`}</title>)}
<link rel="stylesheet" href="${root}site.css">
</head>
<body>
${body}
</body>
</html>
`;
}
