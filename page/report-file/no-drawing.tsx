/** In a file nothing is drawn later: `StaticDrawing` draws. The build puts this in the place of what draws in a browser. */
export default function Drawing(): null {
  return null;
}
