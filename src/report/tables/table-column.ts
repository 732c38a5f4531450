/** A column of a table that other programs read; numbers are doubles, everything else is text. */
export interface TableColumn {
  readonly name: string;
  readonly type: "STRING" | "DOUBLE";
}

export type TableRow = Readonly<Record<string, string | number | null | undefined>>;
