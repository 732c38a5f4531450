/** What the plots of a report draw with: the rest of the library is left out of the build. */
export { areaY, dot, lineY, plot, rectX, ruleX, ruleY, text } from "@observablehq/plot";
