import type { TableColumn } from "./leaderboard-rows.ts";

/** One row per sentence of a book. */
export const NOTE_COLUMNS = [
  { name: "chapter", type: "DOUBLE" },
  { name: "start", type: "DOUBLE" },
  { name: "end", type: "DOUBLE" },
  { name: "change", type: "DOUBLE" },
  { name: "why", type: "STRING" },
  { name: "sentence", type: "STRING" },
] as const satisfies readonly TableColumn[];
