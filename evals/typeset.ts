/**
 * Typesets the bundled story as PDFs, the way LaTeX, a word processor and a layout program set books: the files of
 * `test/fixtures/typeset`, with `expected.json` beside them. Needed again only for a new layout.
 *
 *   npx tsx evals/typeset.ts [FOLDER]    (needs pdflatex, soffice and weasyprint; Debian packages them)
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [folder = "test/fixtures/typeset"] = process.argv.slice(2);
const CHAPTERS = 8;
const NUMBERS = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"];
const ROMAN = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"];
/** A note to each chapter. */
const NOTES = [
  "The register of the department gives another year, and nobody has ever asked which of the two is right.",
  "A stone, on the islands, is two pounds heavier than anywhere else; the fish do not mind.",
  "The word for it in the old tongue means both “scale” and “shame”.",
  "Coll told this differently on Sundays.",
  "See the second volume of the Proceedings, where the same ledger is described by a man who never saw it.",
  "She was wrong about the date, as it turned out, but not about the weather.",
  "There are eleven such averages in the file, and three of them agree.",
  "Skerry is an island word; on the mainland they say rock, and run aground on it.",
];

const CHAPTER_HEADING = /^## Chapter \d+: (.*)$/m;
const story = readFileSync("assets/examples/the-inspector-of-weights.md", "utf8")
  .split(/^(?=## )/m)
  .slice(1, CHAPTERS + 1)
  .map((text, at) => ({
    at,
    title: CHAPTER_HEADING.exec(text)![1]!,
    paragraphs: text
      .split(/\n{2,}/)
      .slice(1)
      .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
      .filter(Boolean),
  }));
type StoryChapter = (typeof story)[number];

/** Typographic quotation marks and dashes, as every typesetter makes them. */
const curled = (text: string) =>
  text
    .replace(/(^|[\s(—])"/g, "$1“")
    .replaceAll('"', "”")
    .replace(/(^|[\s(—“])'/g, "$1‘")
    .replaceAll("'", "’")
    .replaceAll(" -- ", "—");

interface Layout {
  readonly file: string;
  readonly heading: (chapter: StoryChapter) => string;
  readonly hasNotes?: boolean;
  /** Headings of parts before the first and the fifth chapter. */
  readonly parts?: boolean;
  readonly make: (place: string) => string;
}

/** The paragraph of a chapter that a note hangs on. */
const NOTED = 4;

// LaTeX

const tex = (text: string) =>
  curled(text)
    .replace(/[&%$#_{}]/g, "\\$&")
    .replaceAll("“", "``")
    .replaceAll("”", "''")
    .replaceAll("‘", "`")
    .replaceAll("’", "'")
    .replaceAll("—", "---");

function latex(
  head: string,
  chapter: (one: StoryChapter) => string,
  { hasNotes = false, front = "" } = {},
): (place: string) => string {
  return (place) => {
    const body = story.map((one) => {
      const paragraphs = one.paragraphs.map(
        (paragraph, at) => `${tex(paragraph)}${hasNotes && at === NOTED ? `\\footnote{${tex(NOTES[one.at]!)}}` : ""}`,
      );
      return `${chapter(one)}\n\n${paragraphs.join("\n\n")}`;
    });
    writeFileSync(
      join(place, "book.tex"),
      `${head}\n\\begin{document}\n${front}\n${body.join("\n\n")}\n\\end{document}\n`,
    );
    for (let run = 0; run < 2; run++) {
      execFileSync("pdflatex", ["-interaction=batchmode", "book.tex"], { cwd: place, stdio: "ignore" });
    }
    return join(place, "book.pdf");
  };
}
const T1 = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\usepackage[english]{babel}";
const TITLE = "\\title{The Inspector of Weights}\\author{A. Writer}\\date{}";

// HTML and CSS, as print services and layout programs set it

const html = (text: string) => curled(text).replaceAll("&", "&amp;");

function css(
  style: string,
  heading: (one: StoryChapter) => string,
  { hasNotes = false, front = "" } = {},
): (place: string) => string {
  return (place) => {
    const body = story.map(
      (one) =>
        `<section>${heading(one)}${one.paragraphs
          .map(
            (paragraph, at) =>
              `<p${at === 0 ? ' class="first"' : ""}>${html(paragraph)}${hasNotes && at === NOTED ? `<span class="note">${html(NOTES[one.at]!)}</span>` : ""}</p>`,
          )
          .join("")}</section>`,
    );
    writeFileSync(
      join(place, "book.html"),
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The Inspector of Weights</title><style>${style}</style></head><body>${front}${body.join("")}</body></html>`,
    );
    execFileSync("weasyprint", [join(place, "book.html"), join(place, "book.pdf")], { stdio: "ignore" });
    return join(place, "book.pdf");
  };
}

// A word processor

interface WordSetting {
  readonly heading: string;
  readonly body: string;
  readonly page: string;
  readonly columns?: number;
  readonly header?: string;
  readonly footer?: string;
  readonly hasNotes?: boolean;
  readonly front?: string;
  readonly dropCaps?: boolean;
}

/** A flat OpenDocument text, which the word processor exports like any file of its own. */
function word(headingOf: (one: StoryChapter) => readonly string[], setting: WordSetting): (place: string) => string {
  const { heading, body, page, columns = 1, header = "", footer = "", hasNotes = false, front = "" } = setting;
  return (place) => {
    const text = story.map((one) => {
      const headings = headingOf(one).map(
        (line, at) => `<text:p text:style-name="${at === 0 ? "H" : "H2"}">${html(line)}</text:p>`,
      );
      const paragraphs = one.paragraphs.map((paragraph, at) => {
        const note =
          hasNotes && at === NOTED
            ? `<text:note text:id="n${one.at}" text:note-class="footnote"><text:note-citation>${one.at + 1}</text:note-citation><text:note-body><text:p text:style-name="N">${html(NOTES[one.at]!)}</text:p></text:note-body></text:note>`
            : "";
        const style = at === 0 ? (setting.dropCaps ? "D" : "F") : "B";
        return `<text:p text:style-name="${style}">${html(paragraph)}${note}</text:p>`;
      });
      return [...headings, ...paragraphs].join("\n");
    });
    const spaces = ["office", "style", "text", "fo", "svg"]
      .map(
        (name) =>
          `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === "fo" ? "xsl-fo-compatible" : name === "svg" ? "svg-compatible" : name}:1.0"`,
      )
      .join(" ");
    const style = (name: string, properties: string) =>
      `<style:style style:name="${name}" style:family="paragraph">${properties}</style:style>`;
    const cap = body.replace(
      "</style:paragraph-properties>",
      '<style:drop-cap style:lines="3" style:length="1" style:distance="0.05cm"/></style:paragraph-properties>',
    );
    const noIndent = body.replace(/fo:text-indent="[^"]*"/, "");
    const columnsXml = columns > 1 ? `<style:columns fo:column-count="${columns}" fo:column-gap="0.6cm"/>` : "";
    writeFileSync(
      join(place, "book.fodt"),
      `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>${style("B", body)}${style("F", noIndent)}${style("D", cap.replace(/fo:text-indent="[^"]*"/, ""))}${style("H", heading)}${style("H2", heading.replace(/fo:break-before="page"/, "").replace(/fo:margin-top="[^"]*"/, ""))}${style("N", '<style:text-properties style:font-name="Liberation Serif" fo:font-family="Liberation Serif" fo:font-size="8.5pt"/>')}${style("R", '<style:paragraph-properties fo:text-align="end"/><style:text-properties fo:font-family="Liberation Serif" fo:font-size="10pt"/>')}</office:styles><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties ${page}>${columnsXml}</style:page-layout-properties><style:header-style><style:header-footer-properties fo:min-height="0.8cm" fo:margin-bottom="0.5cm"/></style:header-style><style:footer-style><style:header-footer-properties fo:min-height="0.8cm" fo:margin-top="0.5cm"/></style:footer-style></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">${header ? `<style:header><text:p text:style-name="R">${header}</text:p></style:header>` : ""}${footer ? `<style:footer><text:p text:style-name="R">${footer}</text:p></style:footer>` : ""}</style:master-page></office:master-styles><office:body><office:text>${front}${text.join("\n")}</office:text></office:body></office:document>`,
    );
    const profile = `-env:UserInstallation=file://${join(tmpdir(), "fabula-typeset-office")}`;
    execFileSync(
      "soffice",
      [profile, "--headless", "--convert-to", "pdf", "--outdir", place, join(place, "book.fodt")],
      {
        stdio: "ignore",
      },
    );
    return join(place, "book.pdf");
  };
}
const serif = (size: number, more = "") =>
  `<style:text-properties style:font-name="Liberation Serif" fo:font-family="Liberation Serif" fo:font-size="${size}pt" fo:language="en" fo:country="US" fo:hyphenate="true" ${more}/>`;
const mono = (more = "") =>
  `<style:text-properties fo:font-family="Liberation Mono" fo:font-size="12pt" fo:language="en" fo:country="US" ${more}/>`;
const paragraph = (attributes: string) => `<style:paragraph-properties ${attributes}></style:paragraph-properties>`;
const PAGE_NUMBER = '<text:page-number text:select-page="current">1</text:page-number>';

const bare = ({ at }: StoryChapter) => `Chapter ${at + 1}`;
const full = (one: StoryChapter) => `Chapter ${one.at + 1}: ${one.title}`;

const LAYOUTS: readonly Layout[] = [
  {
    file: "latex-book.pdf",
    heading: full,
    hasNotes: true,
    make: latex(`\\documentclass[11pt]{book}${T1}${TITLE}`, ({ title }) => `\\chapter{${tex(title)}}`, {
      hasNotes: true,
      front: "\\frontmatter\\maketitle\\tableofcontents\\mainmatter",
    }),
  },
  {
    file: "latex-old-fonts.pdf",
    heading: ({ title }) => title,
    make: latex(
      `\\documentclass[10pt,a5paper]{book}\\usepackage[utf8]{inputenc}${TITLE}`,
      ({ title }) => `\\chapter*{${tex(title)}}\\markboth{${tex(title)}}{A. Writer}`,
      { front: "\\maketitle" },
    ),
  },
  {
    file: "latex-paperback.pdf",
    heading: (one) => `${NUMBERS[one.at]}`,
    make: latex(
      `\\documentclass[10pt,twoside]{memoir}${T1}\\setstocksize{8.5in}{5.5in}\\settrimmedsize{\\stockheight}{\\stockwidth}{*}\\setlrmarginsandblock{0.8in}{0.6in}{*}\\setulmarginsandblock{0.9in}{0.8in}{*}\\checkandfixthelayout\\makepagestyle{novel}\\makeevenhead{novel}{\\thepage}{A. WRITER}{}\\makeoddhead{novel}{}{THE INSPECTOR OF WEIGHTS}{\\thepage}\\pagestyle{novel}\\aliaspagestyle{chapter}{empty}`,
      ({ at }) =>
        `\\clearpage\\thispagestyle{empty}\\vspace*{8ex}\\begin{center}\\textsc{${NUMBERS[at]!.toLowerCase().replace(/^./, (sign) => sign.toUpperCase())}}\\end{center}\\vspace{4ex}\\noindent`,
    ),
  },
  {
    file: "latex-koma-roman.pdf",
    heading: ({ at }) => ROMAN[at]!,
    make: latex(
      `\\documentclass[11pt,parskip=half,headings=small]{scrbook}${T1}\\usepackage{lmodern}\\pagestyle{headings}${TITLE}`,
      ({ at }) => `\\addchap{${ROMAN[at]}}`,
      { front: "\\maketitle" },
    ),
  },
  {
    file: "latex-two-columns.pdf",
    heading: full,
    hasNotes: true,
    make: latex(
      `\\documentclass[10pt,twocolumn]{report}${T1}\\pagestyle{headings}`,
      ({ title }) => `\\chapter{${tex(title)}}`,
      { hasNotes: true },
    ),
  },
  {
    file: "latex-bookmarks.pdf",
    heading: ({ title }) => title,
    make: latex(
      `\\documentclass[11pt]{article}${T1}\\usepackage{fancyhdr}\\pagestyle{fancy}\\fancyhf{}\\fancyhead[L]{A. Writer}\\fancyhead[R]{The Inspector of Weights}\\fancyfoot[C]{\\thepage}\\usepackage{hyperref}`,
      ({ title, at }) =>
        `\\clearpage\\phantomsection\\pdfbookmark{${tex(title)}}{c${at}}\\begin{center}\\textit{${tex(title)}}\\end{center}`,
    ),
  },
  {
    file: "word-default.pdf",
    heading: full,
    make: word((one) => [full(one)], {
      heading:
        paragraph('fo:margin-top="0.42cm" fo:margin-bottom="0.21cm" fo:keep-with-next="always"') +
        serif(16, 'fo:font-weight="bold"'),
      body: paragraph('fo:margin-bottom="0.28cm" fo:line-height="115%"') + serif(12, ""),
      page: 'fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2.5cm"',
      footer: PAGE_NUMBER,
    }),
  },
  {
    file: "word-submission.pdf",
    heading: (one) => `Chapter ${NUMBERS[one.at]}`,
    make: word((one) => [`Chapter ${NUMBERS[one.at]}`], {
      heading:
        paragraph('fo:break-before="page" fo:margin-top="7cm" fo:margin-bottom="1cm" fo:text-align="center"') + mono(),
      body: paragraph('fo:text-indent="1.27cm" fo:line-height="200%"') + mono(),
      page: 'fo:page-width="21.59cm" fo:page-height="27.94cm" fo:margin="2.54cm"',
      header: `Writer / WEIGHTS / ${PAGE_NUMBER}`,
      front:
        '<text:p text:style-name="F">A. Writer</text:p><text:p text:style-name="F">12 Harbour Road</text:p><text:p text:style-name="F">about 5,600 words</text:p><text:p text:style-name="F"/><text:p text:style-name="F"/><text:p text:style-name="H2">The Inspector of Weights</text:p><text:p text:style-name="H2">by A. Writer</text:p>',
    }),
  },
  {
    file: "word-numbers.pdf",
    heading: ({ at }) => String(at + 1),
    hasNotes: true,
    make: word(({ at }) => [String(at + 1)], {
      heading:
        paragraph('fo:break-before="page" fo:margin-top="3cm" fo:margin-bottom="1cm" fo:text-align="center"') +
        serif(12),
      body: paragraph('fo:text-indent="0.6cm" fo:text-align="justify"') + serif(12),
      page: 'fo:page-width="14cm" fo:page-height="21.6cm" fo:margin="1.8cm"',
      footer: PAGE_NUMBER,
      header: "The Inspector of Weights",
      hasNotes: true,
    }),
  },
  {
    file: "word-two-columns.pdf",
    heading: ({ title }) => title,
    hasNotes: true,
    make: word(({ title }) => [title], {
      heading:
        paragraph('fo:margin-top="0.8cm" fo:margin-bottom="0.4cm" fo:keep-with-next="always"') +
        serif(13, 'fo:font-weight="bold"'),
      body: paragraph('fo:text-indent="0.5cm" fo:text-align="justify"') + serif(10),
      page: 'fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"',
      columns: 2,
      header: `The Inspector of Weights   ${PAGE_NUMBER}`,
      hasNotes: true,
      dropCaps: true,
    }),
  },
  {
    file: "columns-three.pdf",
    heading: ({ title }) => title,
    make: css(
      '@page{size:A4;margin:2cm;@top-center{content:"The Inspector of Weights";font:9pt serif}@bottom-center{content:counter(page);font:9pt serif}}body{font:9.5pt/1.25 serif;columns:3;column-gap:7mm;text-align:justify;hyphens:auto}p{margin:0;text-indent:1.2em}h2{font:bold 14pt sans-serif;margin:1.5em 0 .6em}',
      ({ title }) => `<h2>${html(title)}</h2>`,
    ),
  },
  {
    file: "layout-program.pdf",
    heading: full,
    hasNotes: true,
    make: css(
      '@page{size:140mm 216mm;margin:22mm 16mm 20mm 20mm;@top-left{content:"A. WRITER";font:8pt serif;letter-spacing:.1em}@top-right{content:counter(page);font:8pt serif}}@page:right{@top-left{content:string(chapter);font:italic 8pt serif}}@page:first{@top-left{content:none}@top-right{content:none}}body{font:10.5pt/1.35 serif;text-align:justify;hyphens:auto}p{margin:0;text-indent:1.4em}p.first{text-indent:0}p.first::first-letter{font-size:3.4em;float:left;line-height:.8;padding-right:.06em}p.first::first-line{font-variant:small-caps}section{break-before:page}h2{string-set:chapter content();font:normal 10.5pt serif;letter-spacing:.2em;text-transform:uppercase;text-align:center;margin:4em 0 0}h3{font:italic 16pt serif;text-align:center;margin:.6em 0 3em}.note{float:footnote;font-size:8pt;line-height:1.2}.title{text-align:center;margin-top:60mm;font-size:22pt}',
      ({ at, title }) => `<h2>Chapter ${at + 1}</h2><h3>${html(title)}</h3>`,
      { hasNotes: true, front: '<p class="title">The Inspector of Weights</p>' },
    ),
  },
  {
    file: "printed-page.pdf",
    heading: bare,
    make: css(
      '@page{size:letter;margin:1in;@top-left{content:"11/18/26, 4:20 PM";font:8pt sans-serif}@top-right{content:"The Inspector of Weights";font:8pt sans-serif}@bottom-left{content:"https://example.org/weights.html";font:8pt sans-serif}@bottom-right{content:counter(page) "/" counter(pages);font:8pt sans-serif}}body{font:12pt/1.4 serif}h2{font-size:12pt}',
      ({ at }) => `<h2>Chapter ${at + 1}</h2>`,
    ),
  },
];

mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) rmSync(join(folder, file));
const expected = LAYOUTS.map(({ file, heading, hasNotes = false, make }) => {
  const place = mkdtempSync(join(tmpdir(), "fabula-typeset-"));
  renameSync(make(place), join(folder, file));
  rmSync(place, { recursive: true });
  return { file, titles: story.map(heading), hasNotes };
});
writeFileSync(join(folder, "expected.json"), `${JSON.stringify({ notes: NOTES, files: expected }, null, 1)}\n`);
