/** How a plain text separates paragraphs: by blank lines, by indentation, or one per line. */
export interface Layout {
  readonly paragraphs: "blank" | "indent" | "line";
  /**
   * Null unless words are broken at line ends, as in scanned and typeset books: then the words that keep their hyphen, because
   * the text also has it inside its lines.
   */
  readonly compounds: ReadonlySet<string> | null;
  /** The length of a full line, if lines are wrapped. */
  readonly width?: number;
  /** This many blank lines above a line set it apart. Absent if blank lines are not significant. */
  readonly titleSpace?: number;
}

const SAMPLE_LINES = 20_000;
const WRAP_WIDTH = 100;
/** Blank lines above a title, beyond those above a paragraph. */
const MORE_SPACE = 2;

export function layoutOf(lines: readonly string[]): Layout {
  let filled = 0;
  let blank = 0;
  let long = 0;
  let indented = 0;
  let eastAsian = 0;
  let hyphens = 0;
  let unindentedAfterFilled = 0;
  let wasFilled = false;
  const sample = Math.min(lines.length, SAMPLE_LINES);
  for (let index = 0; index < sample; index++) {
    const line = lines[index]!;
    const width = line.trimEnd().length;
    if (width === 0 || line.trim() === "") {
      blank++;
      wasFilled = false;
      continue;
    }
    filled++;
    if (width > WRAP_WIDTH) long++;
    const first = line.charCodeAt(0);
    const isIndented = first === 32 || first === 9 || first === 0x3000;
    if (isIndented) indented++;
    else if (wasFilled) unindentedAfterFilled++;
    if (line.charCodeAt(width >> 1) >= 0x2e80) eastAsian++;
    // Two hyphens are a dash.
    if (line.charCodeAt(width - 1) === 0x2d && line.charCodeAt(width - 2) !== 0x2d && width > 30) hyphens++;
    wasFilled = true;
  }
  const compounds = hyphens > filled * 0.02 ? compoundsIn(lines) : null;
  const titleSpace = MORE_SPACE + usualSpace(lines);
  // If most lines have no blank line between them, each is a paragraph.
  const lineSpace = blank < filled * 0.5 ? MORE_SPACE : titleSpace;
  if (filled === 0) return { paragraphs: "blank", compounds, titleSpace };
  if (eastAsian > filled * 0.5) {
    // Han texts indent each paragraph; in a wrapped one, the lines that continue a paragraph are not indented.
    const isWrapped = indented > filled * 0.1 && unindentedAfterFilled > filled * 0.3 && long < filled * 0.02;
    return { paragraphs: isWrapped ? "indent" : "line", compounds, titleSpace: lineSpace };
  }
  if (long > filled * 0.15) return { paragraphs: "line", compounds, titleSpace: lineSpace };
  const width = widthOf(lines);
  if (blank < filled * 0.03 && indented > filled * 0.05)
    return { paragraphs: "indent", compounds, titleSpace: lineSpace };
  if (blank < filled * 0.01) return { paragraphs: "line", compounds, titleSpace: lineSpace };
  return { paragraphs: "blank", compounds, width, titleSpace };
}

/** The usual number of blank lines between two paragraphs. */
function usualSpace(lines: readonly string[]): number {
  const runs: number[] = [];
  let run = 0;
  for (let index = 0; index < Math.min(lines.length, SAMPLE_LINES); index++) {
    if (lines[index]!.trim() === "") run++;
    else if (run > 0) {
      runs.push(run);
      run = 0;
    }
  }
  runs.sort((one, other) => one - other);
  return runs[runs.length >> 1] ?? 0;
}

/** The length that nine in ten wrapped lines do not exceed. */
function widthOf(lines: readonly string[]): number {
  const lengths: number[] = [];
  for (let index = 1; index < Math.min(lines.length, SAMPLE_LINES); index++) {
    if (lines[index]!.trim() !== "") lengths.push(lines[index - 1]!.trimEnd().length);
  }
  lengths.sort((one, other) => one - other);
  return lengths[Math.floor(lengths.length * 0.9)] ?? 0;
}

/** Words such as "well-known" inside a line, in lower case; at the end of a line the hyphen may break a word. */
export function compoundsIn(lines: Iterable<string>): ReadonlySet<string> {
  const compounds = new Set<string>();
  for (const line of lines) {
    if (!line.includes("-")) continue;
    for (const [compound] of line.matchAll(/(?<!\p{L})\p{L}+(?:-\p{L}+)+/gu)) compounds.add(compound.toLowerCase());
  }
  return compounds;
}
