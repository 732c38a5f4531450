import type { PlotOptions } from "@observablehq/plot";
import { lazy, type ReactNode, Suspense } from "react";
import { useTexts } from "../texts/preferences.tsx";

const Drawing = lazy(() => import("./drawing.tsx"));

export type PlotLibrary = typeof import("@observablehq/plot");
/** Must be stable between renderings (`useCallback`), or the plot is drawn again each time. */
export type Draw = (plot: PlotLibrary, width: number) => PlotOptions;

/** A plot, what it shows in one sentence, and the same figures as a table for whoever cannot see it. */
export function PlotFigure({
  label,
  caption,
  draw,
  children,
}: {
  readonly label: string;
  readonly caption: string;
  readonly draw: Draw;
  readonly children: ReactNode;
}) {
  const texts = useTexts();
  return (
    <figure className="plot-figure">
      <Suspense fallback={<div className="drawing" />}>
        <Drawing label={label} draw={draw} />
      </Suspense>
      <figcaption>{caption}</figcaption>
      <details>
        <summary>{texts.showAsTable}</summary>
        {children}
      </details>
    </figure>
  );
}
