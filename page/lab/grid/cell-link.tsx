import type { GridCell, GridPage } from "../../../src/api/grid.ts";
import { intervalOf, position, scoreInFigures, signed } from "../../parts/formats.ts";
import { useReason, useTexts } from "../../texts/preferences.tsx";

/** From how many points above or below the other judges a score is tinted, and how strongly. */
export const TINTS = [5, 12, 25] as const;

interface LinkAttributes {
  readonly "data-row": number;
  readonly "data-column": number;
  readonly tabIndex: number;
  readonly onFocus: () => void;
}

/** One score with its range and what it rests on; what has none says why. */
export function CellLink({
  cell,
  scale,
  name,
  href,
  open,
  attributes,
}: {
  readonly cell: GridCell | null;
  readonly scale: GridPage["scale"];
  readonly name: string;
  readonly href: string;
  readonly open: "first" | "second" | null;
  readonly attributes: LinkAttributes;
}) {
  const texts = useTexts();
  const inWords = useReason();
  if (cell === null)
    return (
      <td className="cell">
        <span className="not-asked" title={texts.cellNotAsked}>
          <span className="visually-hidden">{texts.cellNotAsked}</span>
        </span>
      </td>
    );
  const { verdict, support, beyond } = cell;
  const range = intervalOf(verdict);
  const rangeInWords = range && `${scoreInFigures(range[0])}–${scoreInFigures(range[1])}`;
  const label = [
    name,
    verdict.kind === "scored" ? scoreInFigures(verdict.score) : texts.unscoredBecause(inWords(verdict.reason)),
    rangeInWords && texts.likely(scoreInFigures(range[0]), scoreInFigures(range[1])),
    support && texts.cellSegments(support.scored, support.segments),
    beyond === null || Math.abs(beyond) < TINTS[0] ? null : texts.gridPoints(signed(beyond)),
  ].filter(Boolean);
  return (
    <td className={`cell${tintOf(beyond)}`}>
      <a
        {...attributes}
        className={open === null ? "cell-link" : `cell-link open ${open}`}
        href={href}
        aria-current={open === null ? undefined : "true"}
        title={label.join(" · ")}
      >
        <span className="visually-hidden">{name} </span>
        {verdict.kind === "unscored" ? (
          <span className="unscored">–</span>
        ) : (
          <>
            <span className="cell-score">
              <strong>{scoreInFigures(verdict.score)}</strong>
              {support ? (
                <small>
                  {support.scored}/{support.segments}
                </small>
              ) : null}
            </span>
            <small className="cell-range">{rangeInWords ?? " "}</small>
            <span className="cell-track" aria-hidden="true">
              {range ? (
                <i
                  className="track-range"
                  style={{
                    left: `${position(range[0], scale)}%`,
                    width: `${position(range[1], scale) - position(range[0], scale)}%`,
                  }}
                />
              ) : null}
              <i className="track-score" style={{ left: `${position(verdict.score, scale)}%` }} />
            </span>
          </>
        )}
      </a>
    </td>
  );
}

function tintOf(beyond: number | null): string {
  if (beyond === null) return "";
  const strength = TINTS.filter((points) => Math.abs(beyond) >= points).length;
  return strength === 0 ? "" : ` ${beyond > 0 ? "above" : "below"}-${strength}`;
}
