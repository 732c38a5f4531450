import { FabulaError } from "../../core/errors.ts";
import { hasColumn, nameColumn, type Table, valueAt } from "../../core/table/table.ts";
import { countWords } from "../../text/words.ts";
import { readVerdictTable } from "./read-verdicts.ts";
import {
  columnsOfJudge,
  noColumn,
  otherNumbers,
  type ReadJudge,
  ratersOf,
  rowsByText,
  textIn,
  usualRatings,
  verdictJudges,
} from "./trust-judges.ts";

export interface ImportRequest {
  readonly table: string;
  readonly human?: readonly string[];
  readonly judge?: readonly string[];
  readonly rater?: string;
  readonly id?: string;
}

/** Everything a file says about one text. */
export interface ImportedText {
  readonly id: string;
  /** Null if the file does not contain the text. */
  readonly words: number | null;
  readonly judges: readonly ImportedVerdict[];
  readonly people: readonly { readonly name: string; readonly score: number }[];
}

/** A judge's scores, run by run, overall and by aspect. */
export interface ImportedVerdict {
  readonly name: string;
  readonly runs: readonly number[];
  readonly aspects: Readonly<Record<string, readonly number[]>>;
  readonly cost: number | null;
}

/** One person's choice between two judges' verdicts on a text. */
export interface ImportedVote {
  readonly voter: string;
  readonly text: string;
  readonly aspect: string;
  /** The names of the two judges. */
  readonly judges: readonly [string, string];
  readonly choice: "A" | "B" | "tie" | "score";
  readonly score: number | null;
}

export type Imported =
  | { readonly kind: "verdicts"; readonly texts: readonly ImportedText[] }
  | { readonly kind: "votes"; readonly votes: readonly ImportedVote[] };

/** Reads verdicts, ratings or votes made elsewhere, in any form that `fabula trust` and the web app read or write. */
export async function readImport(request: ImportRequest): Promise<Imported> {
  const table = await readVerdictTable(request.table);
  const votes = votesIn(table);
  if (votes) return { kind: "votes", votes };
  const groups = rowsByText(table, request.id);
  const human = request.human ?? usualRatings(table);
  const raters = human === undefined ? [] : ratersOf(table, { ...request, human }, groups);
  const own = verdictJudges(table, groups);
  const named =
    request.judge ?? (own.length > 0 ? [] : otherNumbers(table, { ...request, ...(human && { human }) }, groups));
  const columns = named.map((name) => {
    const found = columnsOfJudge(name, table, groups);
    if (!found) throw noColumn(table, name);
    return found;
  });
  const judges = [...own.filter(({ name }) => !named.includes(name)), ...columns];
  if (judges.length + raters.length === 0) {
    throw new FabulaError(
      "E_TABLE_COLUMN",
      `"${table.source}" holds no scores: name the columns of the judges and of the people. It has the columns ${table.columns.slice(0, 30).join(", ")}.`,
    );
  }
  const aspects = aspectScores(table, groups);
  return {
    kind: "verdicts",
    texts: [...groups].map(([id, rows], at) => {
      const text = textIn(table.rows[rows[0]!]!);
      return {
        id,
        words: text === null ? null : countWords(text),
        judges: judges.flatMap(({ name, runs, cost }): ImportedVerdict[] => {
          const parts = Object.fromEntries(
            [...aspects].flatMap(([aspect, ofJudges]) => {
              const scores = ofJudges.find((one) => one.name === name)?.runs[at] ?? [];
              return scores.length === 0 ? [] : [[aspect, scores]];
            }),
          );
          const isSilent = runs[at]!.length === 0 && Object.keys(parts).length === 0;
          return isSilent ? [] : [{ name, runs: runs[at]!, aspects: parts, cost }];
        }),
        people: raters.flatMap(({ name, scores }) => (Number.isNaN(scores[at]!) ? [] : [{ name, score: scores[at]! }])),
      };
    }),
  };
}

/** Reads rows of one judge, text and aspect each, as written by `fabula score --out FILE.csv`. */
function aspectScores(table: Table, groups: ReturnType<typeof rowsByText>): Map<string, ReadJudge[]> {
  if (!hasColumn(table, "criterion")) return new Map();
  const names = new Set(nameColumn(table, "criterion"));
  names.delete("overall");
  return new Map([...names].map((aspect) => [aspect, verdictJudges(table, groups, aspect)]));
}

/** Reads votes exported by the web app, as a table or as its own JSON lines; null if there are none. */
function votesIn(table: Table): ImportedVote[] | null {
  const has = (...names: string[]) => names.every((name) => table.columns.includes(name));
  const text = (row: Table["rows"][number], name: string) => {
    const value = valueAt(row, name);
    return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  };
  if (has("pair", "sides", "choice")) {
    return table.rows
      .filter((row) => row.retracted === undefined)
      .flatMap((row) => {
        const sides: unknown = row.sides;
        const [first, second] = Array.isArray(sides) ? sides.map((side: unknown) => text({ side }, "side.name")) : [];
        return voteOf(
          row,
          { text: text(row, "title"), judges: [first ?? "", second ?? ""], own: text(row, "score") },
          text,
        );
      });
  }
  if (!has("judge_a", "judge_b") || !(has("choice") || has("winner"))) return null;
  const named = ["book", "title", "id"].find((name) => has(name));
  if (named === undefined) throw noColumn(table, "book");
  return table.rows.flatMap((row) =>
    voteOf(
      row,
      { text: text(row, named), judges: [text(row, "judge_a"), text(row, "judge_b")], own: text(row, "human") },
      text,
    ),
  );
}

function voteOf(
  row: Table["rows"][number],
  known: { readonly text: string; readonly judges: readonly [string, string]; readonly own: string },
  word: (row: Table["rows"][number], name: string) => string,
): ImportedVote[] {
  const said = word(row, "choice") || word(row, "winner");
  const [first, second] = known.judges;
  const score = known.own === "" ? Number.NaN : Number(known.own);
  const isOwn = said.toLowerCase() === "score" && Number.isFinite(score);
  const isOneOf = (...names: string[]) => names.includes(said.toLowerCase());
  const choice = isOwn
    ? "score"
    : isOneOf("a", "first", first.toLowerCase())
      ? "A"
      : isOneOf("b", "second", second.toLowerCase())
        ? "B"
        : isOneOf("tie", "draw", "equal")
          ? "tie"
          : null;
  // An unreadable choice is skipped, not counted as a tie.
  if (choice === null) return [];
  return [
    {
      voter: word(row, "voter") || "unnamed",
      text: known.text,
      aspect: word(row, "aspect") || "overall",
      judges: known.judges,
      choice,
      score: isOwn ? score : null,
    },
  ];
}
