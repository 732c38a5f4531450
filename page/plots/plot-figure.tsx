import { lazy, type ReactNode, Suspense } from "react";
import { useTexts } from "../texts/preferences.tsx";
import type { Draw } from "./draw.ts";

const Drawing = lazy(() => import("./drawing.tsx"));

/** A plot, what it shows in one sentence, and the same figures as a table for readers who cannot see it. */
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
