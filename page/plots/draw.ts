import type { PlotOptions } from "@observablehq/plot";

export type PlotLibrary = typeof import("@observablehq/plot");

/** Must be stable between renderings (`useCallback`), or the plot is drawn again each time. */
export type Draw = (plot: PlotLibrary, width: number) => PlotOptions;
