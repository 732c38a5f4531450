/**
 * Control characters that a model's words, a quotation, a title or the name of a file may hold: they could drive the
 * terminal. The last group turns the direction of writing around, so that a text reads as another than it is.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what the reports are painted with, and nothing else.
const OWN_COLOURS = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;

/** Text as it may be written to a terminal: controls are shown as the escapes they have in JSON, so that JSON stays what it was. */
export function plainOutput(text: string, { colours }: { readonly colours: boolean }): string {
  if (!colours) return shown(text);
  return text
    .split(OWN_COLOURS)
    .map((part, at) => (at % 2 === 1 ? part : shown(part)))
    .join("");
}

function shown(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
