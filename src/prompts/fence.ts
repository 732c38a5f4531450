import { sha256 } from "../core/hash.ts";

/**
 * Text from outside goes into a prompt between two marks that carry a nonce. The nonce is a hash of that very text, so
 * the same material gives the same prompt (calls stay cacheable and provider prefix caches apply), and yet no author
 * can write it into the text: that would take a text that contains its own SHA-256. A collision with a part of the
 * text is ruled out by looking, not by odds.
 */
export function fence(name: string, material: string): string {
  const content = neutralise(material);
  const nonce = nonceFor(name, content);
  return `<<<${name} ${nonce}>>>\n${content}\n<<<END ${name} ${nonce}>>>`;
}

export function nonceFor(name: string, content: string): string {
  for (let attempt = 0; ; attempt++) {
    const nonce = sha256(`${name}\u0000${attempt}\u0000${content}`).slice(0, 16);
    if (!content.includes(nonce)) return nonce;
  }
}

const OPENING_MARK = /<<<([\w-]+) ([0-9a-f]{16})>>>\n/g;

/** A prompt without the material of one name. Marks inside other material are part of that material. */
export function withoutMaterial(prompt: string, name: string): string {
  const kept: string[] = [];
  let position = 0;
  for (;;) {
    OPENING_MARK.lastIndex = position;
    const mark = OPENING_MARK.exec(prompt);
    const end = mark && `\n<<<END ${mark[1]} ${mark[2]}>>>`;
    const close = mark ? prompt.indexOf(end!, mark.index) : -1;
    if (!mark || close < 0) return kept.join("") + prompt.slice(position);
    const after = close + end!.length;
    kept.push(prompt.slice(position, mark[1] === name ? mark.index : after));
    position = after;
  }
}

/** Characters that a reader never sees but a model does: controls, bidirectional overrides, tag letters, zero-width space. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Marks by which local servers tell one speaker from another: `<|im_start|>`, `<|eot_id|>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`. */
const SPEAKER_MARK =
  /<(?=\|[\w-]{1,40}\|>)|<(?=\/?(?:s|start_of_turn|end_of_turn|bos|eos|pad|unk|think|tool_call)>)|\[(?=\/?(?:INST|SYS|TOOL_CALLS|AVAILABLE_TOOLS)\])|<(?=<\/?SYS>>)|<(?=｜[^｜\n]{1,40}｜>)/g;

/** Text as a judge may see it: nothing hidden, and no mark that a server would read as a change of speaker. */
export function neutralise(material: string): string {
  return material
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(UNSEEN, "")
    .replace(SPEAKER_MARK, (mark) => `${mark} `);
}
