import type { LabelReader } from "./aspect-labels.ts";
import type { ReplyLine } from "./reply-lines.ts";
import type { Scoreboard } from "./scoreboard.ts";
import { FORMER, readAlone, scaleInNote, withScale } from "./written-score.ts";

const SCORE_COLUMN = /score|rating|grade|得分|评分|分数/i;
const OTHER_COLUMNS = /weight|share|max|out of|total|no\.?$|#|权重|满分|序号/i;
/** The cell of a row that only counts rows. */
const ROW_NUMBER = /^(?:\d{1,2}|[ivx]{1,4})?[.)、]?$/i;

/** Reads the rows of tables: `| Plot | 85 | A fine plot |`. The heading of a column says whether its numbers are scores. */
export class TableReader {
  #columns: readonly string[] = [];

  /** False when the line is no row. */
  read({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
    if (!/^\|.*\|/.test(text)) {
      this.#columns = [];
      return false;
    }
    const cells = text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (this.#columns.length === 0) this.#columns = cells;
    const first = cells.findIndex((cell) => !ROW_NUMBER.test(cell));
    const meaning = label(cells[first] ?? "");
    if (meaning.kind !== "aspect" && meaning.kind !== "overall") return true;
    const named = this.#columns.map((heading) => SCORE_COLUMN.test(heading) && !isFormer(heading));
    const readings = cells.flatMap((cell, at) => {
      const meant = named.some(Boolean)
        ? named[at]
        : !OTHER_COLUMNS.test(this.#columns[at] ?? "") && !isFormer(this.#columns[at] ?? "");
      return at > first && meant ? (withScale(readAlone(cell), scaleInNote(this.#columns[at] ?? "")) ?? []) : [];
    });
    if (readings.length !== 1) return true;
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", readings[0]!);
    else board.overall("named", readings[0]!);
    return true;
  }
}

/** `Previous Score` beside `Updated Score`: quoted, not given. */
function isFormer(heading: string): boolean {
  return FORMER.test(heading.replace(/\s*(?:scores?|ratings?|grades?|得分|评分|分数)\s*$/i, ""));
}
