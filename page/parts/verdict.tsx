import type { Verdict } from "../../src/api/evaluations.ts";
import { useReason, useTexts } from "../texts/preferences.tsx";
import { intervalOf, position, type Scale, scoreInFigures } from "./formats.ts";

/** The large number of a report or, just as large, that there is none and why. */
export function VerdictFigure({
  verdict,
  scale,
  percentile,
  population,
}: {
  readonly verdict: Verdict;
  readonly scale: Scale;
  readonly percentile: number | null;
  readonly population: number | null;
}) {
  const texts = useTexts();
  const inWords = useReason();
  if (verdict.kind === "unscored")
    return (
      <div className="figure unscored">
        <strong>{texts.unscored}</strong>
        <p>{inWords(verdict.reason)}</p>
      </div>
    );
  const interval = intervalOf(verdict);
  return (
    <div className="figure">
      <strong>{scoreInFigures(verdict.score)}</strong>
      <span>{texts.ofScale(scale.maximum)}</span>
      <p>{interval ? texts.likely(scoreInFigures(interval[0]), scoreInFigures(interval[1])) : texts.noInterval}</p>
      {percentile !== null && population !== null ? (
        <p>{texts.percentileOf(Math.round(percentile), population)}</p>
      ) : null}
    </div>
  );
}

export function VerdictInWords({ verdict }: { readonly verdict: Verdict }) {
  const texts = useTexts();
  const inWords = useReason();
  if (verdict.kind === "unscored")
    return (
      <span className="unscored" title={inWords(verdict.reason)}>
        {texts.unscored}
        <span className="visually-hidden">: {inWords(verdict.reason)}</span>
      </span>
    );
  return <span className="number">{scoreInFigures(verdict.score)}</span>;
}

export function IntervalInWords({ verdict }: { readonly verdict: Verdict }) {
  const interval = intervalOf(verdict);
  if (!interval) return <span className="muted">–</span>;
  return (
    <span className="number">
      {scoreInFigures(interval[0])}–{scoreInFigures(interval[1])}
    </span>
  );
}

/** A score on its scale with its interval; nothing is drawn where there is none. The number stands beside it in words. */
export function ScaleBar({ verdict, scale }: { readonly verdict: Verdict; readonly scale: Scale }) {
  if (verdict.kind === "unscored") return <span className="bar empty" aria-hidden="true" />;
  const interval = intervalOf(verdict);
  return (
    <span className="bar" aria-hidden="true">
      <i className="fill" style={{ width: `${position(verdict.score, scale)}%` }} />
      {interval ? (
        <i
          className="whisker"
          style={{
            left: `${position(interval[0], scale)}%`,
            width: `${position(interval[1], scale) - position(interval[0], scale)}%`,
          }}
        />
      ) : null}
    </span>
  );
}
