import type { ReactNode } from "react";
import type { FigureTable } from "../../src/api/benchmarks.ts";

/** A wide table scrolls by itself on a narrow screen, by keyboard too, and the page does not. */
export function TableScroller({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="table-scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** The head of a table whose columns are all alike. */
export function ColumnNames({ names }: { readonly names: readonly ReactNode[] }) {
  return <Head columns={names.map((name) => [name])} />;
}

/**
 * A column: its name, what stands in it, and its class. "number" aligns figures at the right, in digits of one width; "wide"
 * is left out on a narrow screen.
 */
export type Column<Row> = readonly [
  name: ReactNode,
  cell: (row: Row, at: number) => ReactNode,
  className?: string | ((row: Row) => string) | undefined,
];

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Which column names its row, where that is not the first. */
  readonly header?: number;
  readonly rows: readonly Row[];
  readonly caption?: string | undefined;
  /** What names the table where no caption does. */
  readonly labelledBy?: string;
  readonly className?: string;
  readonly id?: string;
  readonly lang?: string;
  /** Where rows hold something that must stay with them when their order changes. */
  readonly keyOf?: (row: Row) => string;
  readonly rowClass?: (row: Row, at: number) => string | undefined;
}

/** Rows of things of one kind. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, header = 0, rows, caption, labelledBy, className, id, lang, keyOf, rowClass } = props;
  return (
    <TableScroller label={label}>
      <table id={id} className={className} lang={lang} aria-labelledby={labelledBy}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <Head columns={columns.map(([name, , kind]) => [name, typeof kind === "string" ? kind : undefined])} />
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf?.(row) ?? at} className={rowClass?.(row, at)}>
              {columns.map((column, place) =>
                place === header ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places.
                  <th key={place} scope="row" className={classOf(column, row)}>
                    {column[1](row, at)}
                  </th>
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <td key={place} className={classOf(column, row)}>
                    {column[1](row, at)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

function classOf<Row>([, , kind]: Column<Row>, row: Row): string | undefined {
  return typeof kind === "function" ? kind(row) : kind;
}

function Head({
  columns,
}: {
  readonly columns: readonly (readonly [name: ReactNode, className?: string | undefined])[];
}) {
  return (
    <thead>
      <tr>
        {columns.map(([name, className], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name, and their order never changes.
          <th key={at} scope="col" className={className}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A table that the server wrote: names in the first column, figures in the others. */
export function TextTable({ table, hasCaption }: { readonly table: FigureTable; readonly hasCaption?: true }) {
  const { title, headings, rows, note } = table;
  return (
    <>
      <Table
        label={title}
        caption={hasCaption ? title : undefined}
        rows={rows}
        columns={headings.map(
          (name, at): Column<FigureTable["rows"][number]> => [
            name,
            ({ [at]: cell }) => (typeof cell === "object" ? <span title={cell.title}>{cell.text}</span> : cell),
            at > 0 ? "number" : undefined,
          ],
        )}
      />
      {note ? <p className="hint">{note}</p> : null}
    </>
  );
}
