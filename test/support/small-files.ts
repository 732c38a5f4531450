import { strToU8, zipSync } from "fflate";

/** Small books of every format, made in memory for tests. */
export const PROSE =
  "The rain had stopped before anyone thought to close the windows, and the house smelled of wet stone.";

/** `guide`: "cover p0.html"; `aside`: pages outside the reading order, apart by spaces. Other extras are files. */
export function epubOf(
  pages: Readonly<Record<string, string>>,
  { guide, aside, ...extras }: Readonly<Record<string, string>> = {},
  title = "Rain",
): Uint8Array {
  const names = Object.keys(pages);
  const manifest = names.map(
    (name, index) => `<item id="p${index}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const asides = new Set(aside?.split(" "));
  const spine = names.map((name, index) => `<itemref idref="p${index}"${asides.has(name) ? ' linear="no"' : ""}/>`);
  const [type, href] = guide?.split(" ") ?? [];
  const guideElement = type ? `<guide><reference type="${type}" href="${href}"/></guide>` : "";
  const ncx = "toc.ncx" in extras ? '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' : "";
  const metadata = `<dc:title>${title}</dc:title><dc:creator>A. Writer</dc:creator><dc:language>en-GB</dc:language>`;
  return zipSync({
    mimetype: strToU8("application/epub+zip"),
    "META-INF/container.xml": strToU8(
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    ),
    "OPS/book.opf": strToU8(
      `<package><metadata>${metadata}</metadata><manifest>${manifest.join("")}${ncx}</manifest><spine toc="ncx">${spine.join("")}</spine>${guideElement}</package>`,
    ),
    ...Object.fromEntries(
      Object.entries({ ...pages, ...extras }).map(([name, text]) => [`OPS/${name}`, strToU8(text)]),
    ),
  });
}

export function docxOf(
  paragraphs: readonly { readonly style?: string; readonly text: string; readonly isBold?: boolean }[],
): Uint8Array {
  const body = paragraphs.map(({ style, text, isBold }) => {
    const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : "";
    return `<w:p>${properties}<w:r>${isBold ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t>${text}</w:t></w:r></w:p>`;
  });
  const styles = ["1", "2"].map(
    (level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  );
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
  return zipSync({
    "[Content_Types].xml": strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/_rels/document.xml.rels": strToU8(
      `<Relationships xmlns="${relations}"><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ),
    "word/styles.xml": strToU8(`<w:styles ${w}>${styles.join("")}</w:styles>`),
    "word/document.xml": strToU8(`<w:document ${w}><w:body>${body.join("")}</w:body></w:document>`),
    "docProps/core.xml": strToU8(
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Rain</dc:title><dc:creator>A. Writer</dc:creator></cp:coreProperties>',
    ),
  });
}

/** A PDF with one font; each page is a list of lines with their size, set from the top. */
export function pdfOf(pages: readonly (readonly { readonly size?: number; readonly text: string }[])[]): Uint8Array {
  const objects: string[] = ["<</Type/Catalog/Pages 2 0 R>>", ""];
  const kids: string[] = [];
  objects.push("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  for (const lines of pages) {
    let y = 760;
    const drawn = lines.map(({ size = 11, text }) => {
      y -= size * 1.4;
      return `BT /F1 ${size} Tf 72 ${y.toFixed(1)} Td (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`;
    });
    const content = drawn.join("\n");
    objects.push(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
    const page = objects.length + 1;
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${page - 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
    );
    kids.push(`${page} 0 R`);
  }
  objects[1] = `<</Type/Pages/Kids[${kids.join(" ")}]/Count ${kids.length}>>`;
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
  return strToU8(file, true);
}
