/** Characters that take two columns of a terminal: Chinese, Japanese and Korean, and full-width forms. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

function widthOf(character: string): number {
  return WIDE.test(character) || character.codePointAt(0)! > 0x1ffff ? 2 : 1;
}

/** How many columns of a terminal a line takes. */
export function terminalWidth(line: string): number {
  let width = 0;
  for (const character of line) width += widthOf(character);
  return width;
}

/** The line cut or filled with spaces to just this many columns. */
export function inColumns(line: string, columns: number): string {
  let text = "";
  let width = 0;
  for (const character of line) {
    if (width + widthOf(character) > columns) break;
    text += character;
    width += widthOf(character);
  }
  return text + " ".repeat(columns - width);
}
