import * as Plot from "@observablehq/plot";
import { useLayoutEffect, useRef, useState } from "react";
import type { Draw } from "./draw.ts";

/** Draws with Observable Plot. In a separate file, because the library is larger than the rest of the web app. */
export default function Drawing({ label, draw }: { readonly label: string; readonly draw: Draw }) {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);

  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = holder.current;
    if (!element || width === 0) return;
    // Plot writes a <style> into every drawing, which the content security policy would refuse loudly. In a document that
    // is shown nowhere it is never applied, and it is gone before the drawing moves to the page: parts.css says the same.
    const elsewhere = document.implementation.createHTMLDocument();
    const drawing = Plot.plot({ className: "plot", width, ...draw(Plot, width), document: elsewhere });
    for (const style of drawing.querySelectorAll("style")) style.remove();
    // A label on a part of the picture says nothing that the label of the whole and the table do not.
    for (const part of drawing.querySelectorAll("g[aria-label]")) {
      part.setAttribute("data-part", part.getAttribute("aria-label") ?? "");
      part.removeAttribute("aria-label");
    }
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", label);
    element.replaceChildren(drawing);
  }, [draw, label, width]);

  return <div className="drawing" ref={holder} />;
}
