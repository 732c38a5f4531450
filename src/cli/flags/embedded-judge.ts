import { isOfTheJury } from "../../workflows/books/jury/embedded-judge.ts";
import type { FlagWord } from "./flag.ts";

/** Judges that ship inside: they work on this machine, ask no model and cost nothing. `embedded` is the predictor of `reader`. */
export function isEmbedded(judge: string): boolean {
  return isOfTheJury(judge) || judge === "embedded";
}

/** The items of a comma-separated list. */
export function listed(words: string | undefined): string[] {
  return (words ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** The judges that the flags name: the panel, if there is one. */
export function judgesNamed(value: (flag: string) => FlagWord): string[] {
  const [panel, judge] = [value("panel"), value("judge")];
  if (typeof panel === "string") return listed(panel);
  return typeof judge === "string" ? [judge] : [];
}
