import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type {
  BenchmarkTexts,
  BoardFile,
  BoardMethods,
  NovelPage,
  Work,
  WorkSummary,
  WriterPage,
} from "../../src/api/benchmarks.ts";
import benchmarkStyle from "../lab/benchmark/benchmark.css?inline";
import { AllTexts, NovelBody, WorkBody, type WorkFrame, WriterBody } from "../lab/benchmark/works.tsx";
import base from "../styles/base.css?inline";
import parts from "../styles/parts.css?inline";
import shell from "../styles/shell.css?inline";
import tokens from "../styles/tokens.css?inline";
import { FixedPreferences, useTexts } from "../texts/preferences.tsx";
import { ENGLISH } from "../texts/spoken.ts";
import { CHINESE } from "../texts/spoken-chinese.ts";
import { boardBody, type SiteExtras } from "./board-body.tsx";
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

/** What the page of methods is called and says, beside the methods. */
export interface MethodsWords {
  readonly methods: string;
  readonly settings: string;
  readonly statistics: string;
  readonly statisticsHints: readonly string[];
  readonly criteria: string;
  readonly prompts: string;
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
  const content = (
    <AllTexts
      texts={texts}
      writerAddress={(writer) => `writers/${encodeURIComponent(site.writerFile(writer))}.html`}
      novelAddress={(novel) => `novels/${encodeURIComponent(site.novelFile(novel))}.html`}
    />
  );
  return html(site, site.title, "", content, "texts.html");
}

/** The first page. */
export async function boardHtml(site: SiteFrame, file: BoardFile, extras: SiteExtras): Promise<string> {
  const address = (writer: string) => `writers/${encodeURIComponent(site.writerFile(writer))}.html`;
  return html(site, file.title, "", await boardBody(file, address, extras), "index.html");
}

/** Settings, dimensions and prompts word for word. */
export function methodsHtml(site: SiteFrame, methods: BoardMethods, words: MethodsWords): string {
  const { settings, criteria, prompts } = methods;
  const content = (
    <>
      <h2>{words.settings}</h2>
      <table className="settings">
        <tbody>
          {settings.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{words.statistics}</h2>
      {words.statisticsHints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      <h2>{words.criteria}</h2>
      <dl className="criteria">
        {criteria.map(({ name, definition }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{definition}</dd>
          </div>
        ))}
      </dl>
      <h2>{words.prompts}</h2>
      {prompts.map(({ name, hash, text }) => (
        <section key={name}>
          <h3>
            {name} <small className="muted">{hash}</small>
          </h3>
          <pre className="panel">{text}</pre>
        </section>
      ))}
    </>
  );
  return html(site, words.methods, "", content, "methods.html");
}

/** A benchmark as one file that opens without a network and runs no script. */
export async function benchmarkHtml(file: BoardFile): Promise<string> {
  const body = inLanguage(
    file.language,
    <main className="view broad report-file">
      <header className="view-header">
        <h1>{file.title}</h1>
      </header>
      {await boardBody(file, null, null)}
    </main>,
  );
  return page(
    file.language,
    `${file.title} · Fabula`,
    "style-src 'unsafe-inline'",
    `<style>\n${SITE_STYLE}</style>`,
    body,
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

function inLanguage(language: "en" | "zh", content: ReactNode): string {
  const spoken = language === "zh" ? CHINESE : ENGLISH;
  return renderToStaticMarkup(<FixedPreferences spoken={spoken}>{content}</FixedPreferences>);
}

/** Style and script stand in files beside the pages, so that a browser loads them once; `file:` is for pages opened from a disk. */
function html(site: SiteFrame, heading: string, root: string, content: ReactNode, current?: string): string {
  const body = inLanguage(
    site.language,
    <>
      <nav className="site-nav">
        {site.nav.map(({ href, label }) => (
          <a key={href} href={`${root}${href}`} aria-current={href === current ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <main className={`view report-file${current === "index.html" ? " broad" : ""}`}>
        <header className="view-header">
          <h1>{heading}</h1>
        </header>
        {content}
      </main>
      <footer className="site-footer">{site.footer}</footer>
      <script src={`${root}site.js`} />
    </>,
  );
  return page(
    site.language,
    heading === site.title ? heading : `${heading} · ${site.title}`,
    "style-src 'self' file:; script-src 'self' file:",
    `<link rel="stylesheet" href="${root}site.css">`,
    body,
  );
}

function page(language: "en" | "zh", title: string, sources: string, style: string, body: string): string {
  return `<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${sources}">
${renderToStaticMarkup(<title>{title}</title>)}
${style}
</head>
<body>
${body}
</body>
</html>
`;
}
