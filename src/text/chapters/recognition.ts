/**
 * What a line says it is, read as a heading.
 * `chapter`, `division`: a word and a number. `named`: Prologue, Epilogue.
 * `lead-in`: 楔子, which opens the first chapter. `numeral`: a bare number, perhaps with a title.
 * `paratext`: Contents, Index, Transcriber's Note.
 */
export interface Recognition {
  readonly kind: "chapter" | "division" | "named" | "lead-in" | "numeral" | "paratext";
  /** The word that names the piece ("chapter", "第…回"), so that numbering is checked within one series. */
  readonly series: string;
  readonly number: number | null;
  /** What follows the label on the same line. */
  readonly rest: string;
}
