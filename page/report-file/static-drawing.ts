import type { Draw } from "../plots/draw.ts";
import { DrawnDocument, type DrawnElement } from "./drawn-elements.ts";

const WIDTH = 720;

/** Draws a plot as text; the plotting library is loaded with the first file that has one. */
export async function staticDrawing(): Promise<(label: string, draw: Draw) => string> {
  const { PLOT: Plot } = await import("./plot-marks.ts");
  return (label, draw) => {
    const document = new DrawnDocument();
    const options = draw(Plot as never, WIDTH);
    const drawing = Plot.plot({ className: "plot", width: WIDTH, ...options, document: document as never });
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", label);
    return (drawing as unknown as DrawnElement).markup();
  };
}
