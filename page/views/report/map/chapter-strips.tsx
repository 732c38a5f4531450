import type { BookMapAnswer } from "../../../../src/api/map.ts";
import type { BookNotes } from "../../../../src/api/notes.ts";
import { ColumnNames } from "../../../parts/column-names.tsx";
import { chapterInWords } from "../../../parts/formats.ts";
import { TableScroller } from "../../../parts/table-scroller.tsx";
import { to } from "../../../routing.ts";
import { useTexts } from "../../../texts/preferences.tsx";
import { type StripRow, stripRows } from "./strip-rows.ts";

/** One strip per row, chapters from left to right: a column is a chapter. The same figures stand in the table beneath. */
export function ChapterStrips({
  map,
  notes,
  bookId,
  report,
}: {
  readonly map: BookMapAnswer;
  readonly notes: BookNotes | null;
  readonly bookId: string;
  /** The report to go back to. */
  readonly report: string | null;
}) {
  const texts = useTexts();
  const chapters = map.shape.chapters.map(({ chapter, title }) => ({
    name: chapterInWords(chapter, title, texts.chapterNumber),
    href: to(["books", bookId, "read"], { chapter, notes: "open", from: report, tab: report && "map" }),
  }));
  const rows = stripRows(map, notes, texts);
  return (
    <section>
      <h2>{texts.mapChapters}</h2>
      {/* Pictures for the eye and the mouse; the table says the same to everybody else. */}
      <div className="strips" aria-hidden="true">
        {rows.map((row) => (
          <Strip key={row.label} row={row} chapters={chapters} />
        ))}
      </div>
      <details>
        <summary>{texts.showAsTable}</summary>
        <TableScroller label={texts.mapChapters}>
          <table>
            <ColumnNames names={[texts.contents, ...rows.map(({ label }) => label)]} />
            <tbody>
              {chapters.map(({ name, href }, position) => (
                <tr key={href}>
                  <th scope="row">
                    <a href={href}>{name}</a>
                  </th>
                  {rows.map(({ label, cells }) => (
                    <td key={label} className="number">
                      {cells[position]?.said ?? "–"}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      </details>
    </section>
  );
}

function Strip({
  row,
  chapters,
}: {
  readonly row: StripRow;
  readonly chapters: readonly { readonly name: string; readonly href: string }[];
}) {
  const values = row.cells.flatMap(({ value }) => value ?? []);
  const low = Math.min(0, ...values);
  // High enough for the band's lower edge: bars below a band that is not in sight would be coloured for no visible reason.
  const roof = Math.max(1.5 * Math.max(0, ...values), 1.2 * (row.band?.low ?? 0));
  const high = Math.max(row.band ? Math.min(row.band.high, roof) : 0, ...values) || 1;
  const share = (value: number) => Math.min(1, Math.max(0, (value - low) / (high - low)));
  const isOutside = (value: number | null) =>
    value !== null && row.band !== null && (value < row.band.low || value > row.band.high);
  return (
    <div className="strip">
      <span className="strip-label">{row.label}</span>
      <div className={`strip-cells ${row.kind}`}>
        {row.band ? (
          <i
            className="strip-band"
            style={{
              bottom: `${100 * share(row.band.low)}%`,
              height: `${100 * (share(row.band.high) - share(row.band.low))}%`,
            }}
          />
        ) : null}
        {row.cells.map(({ value, said, letters }, position) => {
          const { name, href } = chapters[position]!;
          return (
            <a key={href} href={href} tabIndex={-1} title={`${name}\n${row.label}: ${said}`}>
              {row.kind === "letters" ? (
                letters
              ) : (
                <i
                  className={isOutside(value) ? "outside" : undefined}
                  style={
                    row.kind === "shade"
                      ? { opacity: value === null ? 0 : share(value) }
                      : { height: value === null ? 0 : `${Math.max(2, 100 * share(value))}%` }
                  }
                />
              )}
            </a>
          );
        })}
      </div>
    </div>
  );
}
