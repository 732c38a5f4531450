/** A small file as somebody might give it, and the chapters a reader would list. */
export interface LayoutCase {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly chapters: readonly (string | null)[];
  readonly parts?: readonly (string | undefined)[];
  /** Passages of the story that must not be lost. */
  readonly contains?: readonly string[];
  /** What is not the story. */
  readonly excludes?: readonly string[];
  readonly title?: string;
  readonly author?: string;
  /** A part of the warning that story may have been removed. */
  readonly removedStory?: string;
  /** A part of a warning; without one the file must be read without warnings. */
  readonly warning?: string;
}

const SENTENCES = [
  "The lamp burned low, and at the harbour no one spoke of the storm that had come in from the west.",
  "He counted the boats until the light was gone, and then he went home by the old road.",
  "“You are late,” she said, and set the kettle on the stove without looking at him.",
  "There was a letter on the table, and he knew the hand before he had taken off his coat.",
  "In the morning the sea was flat and grey, and the gulls stood along the wall like clerks.",
];

/** So many paragraphs of English prose, each one line, no two the same. */
export function paragraphs(count: number, seed = 0): string[] {
  return Array.from({ length: count }, (_, at) => {
    const first = (at + seed) % SENTENCES.length;
    const turned = [...SENTENCES.slice(first), ...SENTENCES.slice(0, first)].join(" ");
    return `${turned} That was on day ${seed * 100 + at}.`;
  });
}

/** The same as a plain text, hard-wrapped. */
export function prose(count: number, seed = 0): string {
  return paragraphs(count, seed)
    .map((paragraph) => paragraph.replace(/(.{55,70}) /g, "$1\n"))
    .join("\n\n");
}

const HAN = [
  "他推开门，看见桌上放着一封信，信封上的字迹他认得。",
  "窗外风雨大作，街上没有一个行人，只有更夫的梆子声。",
  "“你来迟了。”她说着，把灯拨亮了一些。",
  "他没有答话，只是把湿透的斗篷挂在门后。",
];

/** So many paragraphs of Chinese prose. */
export function han(count: number, seed = 0): string[] {
  return Array.from({ length: count }, (_, at) => {
    const first = (at + seed) % HAN.length;
    return `${[...HAN.slice(first), ...HAN.slice(0, first)].join("")}那是第${seed * 100 + at}天的事。`;
  });
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
