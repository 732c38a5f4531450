import type { ReactNode } from "react";

/** The head of a table whose columns are all alike. */
export function ColumnNames({ names }: { readonly names: readonly ReactNode[] }) {
  return (
    <thead>
      <tr>
        {names.map((name, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name, and their order never changes.
          <th key={column} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
