import type { RatedItem } from "../../api/ratings.ts";
import { FabulaError } from "../../core/errors.ts";
import { readTable } from "../../core/table/read-table.ts";

/** A place in the library: a whole book, or one of its chapters. */
export interface ItemPlace {
  readonly book: string;
  readonly chapter: number | null;
}

export interface ReadItem extends RatedItem {
  readonly judges: Readonly<Record<string, number>>;
  /** Where the text, or both texts of a pair, are in the library. */
  readonly places?: readonly ItemPlace[];
  /** Which system gave an answer: for the export, never shown to raters. */
  readonly system?: string;
}

const NAMED = new Set(["id", "title", "question", "text", "answer", "first", "second"]);

/** A table of things to rate: `text`, or `question` and `answer`, or `first` and `second`; other columns of numbers are judges' scores. */
export async function readItems({ path }: { readonly path: string }): Promise<ReadItem[]> {
  const { rows, source } = await readTable(path);
  const items = rows.map((row, at): ReadItem => {
    const word = (name: string) => {
      const value = row[name];
      return typeof value === "string" && value.trim() !== ""
        ? value
        : typeof value === "number"
          ? String(value)
          : null;
    };
    const shown = word("first") ?? word("answer") ?? word("text");
    const second = word("first") === null ? null : word("second");
    if (shown === null || (word("first") !== null && second === null)) {
      throw new FabulaError(
        "E_TABLE_COLUMN",
        `Row ${at + 1} of "${source}" has nothing to rate: give text, or question and answer, or first and second.`,
      );
    }
    const judges = Object.entries(row).flatMap(([name, value]) => {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return !NAMED.has(name) && typeof number === "number" && Number.isFinite(number) ? [[name, number] as const] : [];
    });
    return {
      id: word("id") ?? `row ${at + 1}`,
      title: word("title"),
      question: word("question"),
      text: shown,
      second,
      judges: Object.fromEntries(judges),
    };
  });
  if (items.length === 0) throw new FabulaError("E_TABLE_EMPTY", `"${source}" holds nothing to rate.`);
  if (new Set(items.map(({ id }) => id)).size < items.length)
    throw new FabulaError("E_TABLE_NAME", `"${source}" has two rows with one id: each item needs its own.`);
  if (new Set(items.map(({ second }) => second === null)).size > 1)
    throw new FabulaError("E_TABLE_COLUMN", `"${source}" mixes pairs with single texts: make a study of each.`);
  return items;
}
