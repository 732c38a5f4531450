import type { ReactNode } from "react";
import type { Change } from "../../src/api/evaluations.ts";
import { useTexts } from "../texts/preferences.tsx";
import { scoreInFigures, signed } from "./formats.ts";
import { Table } from "./table.tsx";

export type NamedChange = readonly [ReactNode, Change];

/** Scores before and after, and whether a difference is more than the judge may err by. */
export function ChangeTable({
  label,
  first,
  rows,
}: {
  readonly label: string;
  readonly first: string;
  readonly rows: readonly NamedChange[];
}) {
  const texts = useTexts();
  return (
    <Table
      label={label}
      className="changes"
      rows={rows}
      columns={[
        [first, ([name]) => name],
        [texts.before, ([, { before }]) => figure(before), "number"],
        [texts.after, ([, { after }]) => figure(after), "number"],
        [texts.difference, ([, { difference }]) => (difference === null ? "–" : signed(difference)), "number"],
        [texts.interval, ([, { interval }]) => interval?.map((end) => signed(end)).join(" … ") ?? "–", "number"],
        [texts.meaning, ([, change]) => <Meaning change={change} />],
      ]}
    />
  );
}

/** Without a score on either side nothing is known: that is not "no change". */
function Meaning({ change }: { readonly change: Change }) {
  const texts = useTexts();
  if (change.difference === null) return <span className="unscored">{texts.notComparable}</span>;
  if (change.interval === null && change.difference !== 0) return <span className="unscored">{texts.oneRun}</span>;
  return (
    <span className={change.beyondNoise ? "tag" : "tag quiet"}>
      {change.beyondNoise ? texts.beyondNoise : texts.withinNoise}
    </span>
  );
}

function figure(score: number | null): string {
  return score === null ? "–" : scoreInFigures(score);
}
