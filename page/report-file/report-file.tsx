import type { CSSProperties, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type {
  EvaluationDetails,
  QuotationView,
  ReportCell,
  ReportFile,
  ReportPart,
  ReportPlot,
  ReportSection,
  ReportTable,
  SectionedReport,
} from "../../src/api/evaluations.ts";
import draftStyle from "../desk/drafts/drafts.css?inline";
import { Change, FigureChanges, ScoreChanges } from "../desk/drafts/drafts-view.tsx";
import { Strip } from "../desk/map/chapter-strips.tsx";
import mapStyle from "../desk/map/map.css?inline";
import { Critiques } from "../lab/report/critiques.tsx";
import { JurySection } from "../lab/report/jury-section.tsx";
import reportStyle from "../lab/report/report.css?inline";
import letterStyle from "../lab/report/tabs/letter.css?inline";
import { AspectTable, Changes, LetterTab, PanelSection, Pictures } from "../lab/report/tabs.tsx";
import judgeStyle from "../parts/judges/judge-label.css?inline";
import { Passage } from "../parts/letter-blocks.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { VerdictFigure } from "../parts/verdict.tsx";
import { StaticDrawing } from "../plots/course-plot.tsx";
import base from "../styles/base.css?inline";
import parts from "../styles/parts.css?inline";
import shell from "../styles/shell.css?inline";
import tokens from "../styles/tokens.css?inline";
import { FixedPreferences, useTexts } from "../texts/preferences.tsx";
import { ENGLISH } from "../texts/spoken.ts";
import ownStyle from "./report-file.css?inline";
import { lines, PlotPart } from "./report-plots.tsx";
import { staticDrawing } from "./static-drawing.ts";

const STYLE = [tokens, base, shell, parts, judgeStyle, letterStyle, reportStyle, mapStyle, draftStyle, ownStyle].join(
  "\n",
);
const MOST_CHANGES = 40;
/** So many columns take the room there is. */
const BROAD = 8;

/** An evaluation as one file that looks like the web app, opens without a network and runs no script. */
export function reportFile(file: ReportFile): Promise<string> {
  const { evaluation } = file;
  const hasPlots = evaluation.overallCourse.length > 1 || Boolean(evaluation.population);
  return htmlFile(evaluation.book.title, <Report file={file} />, hasPlots);
}

/** A report of sections as such a file. */
export function sectionedFile({ title, sections }: SectionedReport): Promise<string> {
  const all = sections.flatMap(({ parts: own }) => own);
  const isBroad = all.some((part) => part.kind === "table" && part.headings.length >= BROAD);
  const page = (
    <main className={`view report report-file${isBroad ? " broad" : ""}`}>
      <header className="view-header">
        <h1>{title}</h1>
      </header>
      <Sections sections={sections} />
    </main>
  );
  const hasPlots = all.some(({ kind }) => kind === "plot");
  return htmlFile(title, page, hasPlots);
}

async function htmlFile(title: string, page: ReactNode, hasPlots: boolean): Promise<string> {
  const draw = hasPlots ? await staticDrawing() : () => "";
  const body = renderToStaticMarkup(
    <FixedPreferences spoken={ENGLISH}>
      <StaticDrawing value={draw}>{page}</StaticDrawing>
    </FixedPreferences>,
  );
  const head = renderToStaticMarkup(<title>{`${title} · Fabula`}</title>);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
${head}
<style>
${STYLE}</style>
</head>
<body>
${withoutAddresses(body)}
</body>
</html>
`;
}

/** A plot of lines as an SVG file for a paper. */
export async function plotFile(plot: Extract<ReportPlot, { shape: "lines" }>): Promise<string> {
  const draw = await staticDrawing();
  return draw(plot.caption, lines(plot))
    .replace('font-size="10"', 'font-size="13"')
    .replace(
      /^<svg([^>]*)>/,
      '<svg xmlns="http://www.w3.org/2000/svg"$1><rect width="100%" height="100%" fill="white"/>',
    );
}

/** Places of the web app mean nothing outside of it; what is quoted and drawn stays. Quotation marks in a text are escaped. */
function withoutAddresses(markup: string): string {
  return markup.replace(/<a\b[^>]*>/g, (tag) => tag.replace(/ (?:href="#\/[^"]*"|tabindex="-1")/g, ""));
}

function Report({ file }: { readonly file: ReportFile }) {
  const { evaluation, letter } = file;
  const texts = useTexts();
  // The components of the web app take an evaluation as its server gives it.
  const details = { evaluation, bookId: "", id: "" } as unknown as EvaluationDetails;
  if (file.part === "letter" && letter)
    return (
      <main className="view report report-file">
        <header className="view-header">
          <h1>{evaluation.book.title}</h1>
        </header>
        <p className="muted">{file.byline}</p>
        <LetterTab details={details} letter={letter} />
      </main>
    );
  const isLetterOfJury = letter !== null && evaluation.jury !== undefined;
  return (
    <main className="view report report-file">
      <header className="view-header">
        <div>
          <h1>{evaluation.book.title}</h1>
        </div>
      </header>
      <p className="muted">{file.byline}</p>
      <p>{file.judged}</p>
      {/* With a letter the book comes first and the score after it. */}
      {isLetterOfJury ? null : (
        <div className="report-head">
          <VerdictFigure
            verdict={evaluation.overall}
            scale={evaluation.scale}
            percentile={evaluation.overallPercentile}
            population={evaluation.population?.size ?? null}
          />
          <div>
            <p>{file.sureness}</p>
            {evaluation.assessment ? <p className="prose">{evaluation.assessment}</p> : null}
          </div>
        </div>
      )}
      <Sections sections={file.opening} />
      {letter ? <LetterTab details={details} letter={letter} /> : null}
      {evaluation.changes ? <DraftParts evaluation={evaluation} changes={evaluation.changes} /> : null}
      <Sections sections={file.counted} />
      {evaluation.jury ? <JurySection jury={evaluation.jury} /> : null}
      {evaluation.aspects.length > 0 ? (
        <section>
          <h2>{texts.aspectByAspect}</h2>
          <AspectTable evaluation={evaluation} />
        </section>
      ) : null}
      {file.personal ? <Sections sections={[file.personal]} /> : null}
      {evaluation.panel ? <PanelSection evaluation={evaluation} panel={evaluation.panel} /> : null}
      {file.agreement.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <Pictures details={details} aspect="overall" />
      {isLetterOfJury && evaluation.lineNotes ? null : <Critiques details={details} />}
      <Sections sections={[file.closing]} />
    </main>
  );
}

/** What changed since an earlier draft: scores, figures, and every passage side by side. */
function DraftParts({
  evaluation,
  changes,
}: {
  readonly evaluation: ReportFile["evaluation"];
  readonly changes: NonNullable<ReportFile["evaluation"]["changes"]>;
}) {
  const texts = useTexts();
  const { text } = changes;
  const book = { id: "", language: evaluation.book.language };
  const rest = (text?.changes.length ?? 0) - MOST_CHANGES;
  return (
    <div className="drafts">
      {changes.jurors ? <ScoreChanges changes={changes} /> : <Changes evaluation={evaluation} changes={changes} />}
      {text && text.changes.length > 0 ? (
        <section>
          <h2>{texts.textChanges}</h2>
          <div className="side-by-side side-heads" aria-hidden="true">
            <strong>{texts.earlierDraft}</strong>
            <strong>{texts.laterDraft}</strong>
          </div>
          {text.changes.slice(0, MOST_CHANGES).map((change, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes have no names, and the list never changes.
            <Change key={position} change={change} before={book} after={book} />
          ))}
          {rest > 0 ? <p className="muted">{texts.rowsOf(MOST_CHANGES, text.changes.length)}</p> : null}
        </section>
      ) : null}
      <FigureChanges figures={changes.figures ?? []} />
    </div>
  );
}

function Sections({ sections }: { readonly sections: readonly ReportSection[] }) {
  return sections.map(({ heading, parts: own }, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two sections may have one heading, and a file never changes.
    <section key={position}>
      {heading === null ? null : <h2>{heading}</h2>}
      {own.map((part, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no names, and a file never changes.
        <Part key={position} part={part} label={heading ?? ""} />
      ))}
    </section>
  ));
}

function Part({ part, label }: { readonly part: ReportPart; readonly label: string }) {
  switch (part.kind) {
    case "heading":
      return <h3>{part.text}</h3>;
    case "text":
      return <p>{part.strong ? <strong>{part.text}</strong> : part.text}</p>;
    case "list":
      return (
        <ul>
          {part.entries.map((entry) => (
            <li key={entry}>{entry}</li>
          ))}
        </ul>
      );
    case "quotes":
      return <Quotes quotes={part.quotes} />;
    case "folded":
      return (
        <details>
          <summary>{part.summary}</summary>
          {part.parts.map((inner, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <Part key={position} part={inner} label={part.summary} />
          ))}
        </details>
      );
    case "table":
      return <TablePart table={part} label={label} />;
    case "plot":
      return <PlotPart plot={part} />;
    case "strips": {
      const chapters = part.chapters.map((name, at) => ({ name, href: `#/${at}` }));
      return (
        <figure>
          <div className="strips">
            {part.rows.map((row) => (
              <Strip key={row.label} row={row} chapters={chapters} />
            ))}
          </div>
          <figcaption>{part.caption}</figcaption>
        </figure>
      );
    }
    default:
      return part satisfies never;
  }
}

function TablePart({
  table: { headings, rows, note },
  label,
}: {
  readonly table: ReportTable;
  readonly label: string;
}) {
  return (
    <>
      <Table
        label={label}
        rows={rows}
        columns={headings.map((name, at): Column<readonly ReportCell[]> => {
          const areFigures = at > 0 && rows.every((cells) => isFigure(cells[at] ?? ""));
          return [name, (cells) => <Cell cell={cells[at] ?? ""} />, areFigures ? "number" : undefined];
        })}
      />
      {note ? <p className="hint">{note}</p> : null}
    </>
  );
}

function isFigure(cell: ReportCell): boolean {
  return /^(?:[\d–−+.,%()[\]<: -]|to|of|points)*$/.test(typeof cell === "string" ? cell : cell.text);
}

function Cell({ cell }: { readonly cell: ReportCell }) {
  if (typeof cell === "string") return cell;
  const { text, lines = [], quotes = [], isMarked, shade } = cell;
  if (shade !== undefined)
    return (
      <span className="shade" style={{ "--shade": shade.toFixed(2) } as CSSProperties}>
        {text}
      </span>
    );
  if (lines.length + quotes.length === 0) return isMarked ? <span className="marked">{text}</span> : text;
  return (
    <details>
      <summary>{text}</summary>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <Quotes quotes={quotes} />
    </details>
  );
}

function Quotes({ quotes }: { readonly quotes: readonly QuotationView[] }) {
  return quotes.map((quote, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one passage may be quoted twice, and a file never changes.
    <Passage key={position} quote={quote} book={{ language: null, address: () => "#/" }} isGood />
  ));
}
