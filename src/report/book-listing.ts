import type { createColors } from "picocolors";
import { countOf } from "../core/wording.ts";
import { PART_SEPARATOR } from "../text/book.ts";
import type { BookSummary, ContentsEntry } from "../text/book-summary.ts";
import { plainLine } from "./markup.ts";

type Colors = ReturnType<typeof createColors>;

interface Shown {
  readonly showRemoved?: boolean;
  /** Also show how the chapters were found. */
  readonly why?: boolean;
}

/** The output of `fabula read` for a book: its facts, its warnings, and its contents with the parts as headings. */
export function bookListing(book: BookSummary, { showRemoved = false, why = false }: Shown, colours: Colors): string {
  return [
    colours.bold(plainLine(book.title)) + (book.author ? ` by ${plainLine(book.author)}` : ""),
    facts(book),
    ...book.warnings.map((warning) => colours.yellow(`! ${plainLine(warning)}`)),
    ...(why ? reasons(book) : []),
    ...contents(book.chapters, colours),
    ...(showRemoved ? ["", "Removed:", ...book.removed.map(removal)] : []),
    "",
  ].join("\n");
}

function facts({ chapters, words, tokens, language, format, encoding, recognised }: BookSummary): string {
  const parts = chapters.filter(({ kind }) => kind === "part").length;
  const guessed = recognised?.certainty === "guess" ? ` (guessed from ${recognised.by}: check them)` : "";
  const counted = countOf(chapters.length - parts, "chapter");
  return [
    `${countOf(words, "word")}, about ${countOf(tokens, "token")} in ${counted}${parts > 0 ? ` and ${countOf(parts, "title page")} of parts` : ""}${guessed}`,
    language ? `language ${language}` : "language unknown",
    `${format}, ${encoding}`,
  ].join(" · ");
}

/** Which strategy was used, and what each of them found. */
function reasons({ considered, recognised }: BookSummary): string[] {
  if (!considered) return ["The chapters were corrected by hand.", ""];
  const share = (value: number) => `${Math.round(100 * value)} %`;
  const lines = considered.map((strategy) => {
    const isWinner = strategy.by === recognised?.by;
    if (strategy.chapters === null) return `  ${strategy.by}: none found`;
    const seen = [
      countOf(strategy.chapters, "chapter"),
      `${share(strategy.coverage ?? 0)} of the words`,
      ...(strategy.counting == null ? [] : [`${share(strategy.counting)} count on`]),
      ...(strategy.inNavigation === undefined ? [] : [`${share(strategy.inNavigation)} in the file's navigation`]),
      ...(strategy.unexplained === undefined
        ? []
        : [`${share(strategy.unexplained)} have headings of chapters inside`]),
    ];
    return `${isWinner ? "→" : " "} ${strategy.by} (${strategy.certainty}): ${seen.join(", ")}; score ${strategy.score?.toFixed(2)}`;
  });
  return [`Ways to read the chapters (${recognised ? "→ was chosen" : "none was found"}):`, ...lines, ""];
}

function contents(entries: readonly ContentsEntry[], colours: Colors): string[] {
  const width = String(entries.at(-1)?.index ?? 0).length;
  const listed = new Set(entries.flatMap(({ kind, title }) => (kind === "part" && title !== null ? [title] : [])));
  const shown = new Set<string>();
  /** Parts without a line of their own in the contents are shown above their first chapter. */
  const headings = (path: string | undefined) => {
    if (path === undefined || shown.has(path)) return [];
    shown.add(path);
    const unlisted = path.split(PART_SEPARATOR).filter((part) => !listed.has(part));
    const name = unlisted.join(PART_SEPARATOR);
    if (name === "" || (name !== path && shown.has(name))) return [];
    shown.add(name);
    return [`  ${colours.bold(plainLine(name))}`];
  };
  return entries.flatMap((entry) => {
    const place = `  ${String(entry.index).padStart(width)}  `;
    const title = entry.title === null ? colours.dim("(no title)") : plainLine(entry.title);
    if (entry.kind === "part") return [...headings(entry.part), place + colours.bold(title)];
    const others = entry.includes?.map(plainLine).join(", ");
    const line = `${place}${entry.words.toLocaleString("en-GB").padStart(8)}  ${title}`;
    return [...headings(entry.part), others ? `${line}${colours.dim(` (with ${others})`)}` : line];
  });
}

function removal({ rule, where, text }: BookSummary["removed"][number]): string {
  const line = plainLine(text);
  return `  [${rule}] ${plainLine(where)}: ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`;
}
