import { decodeText } from "../../core/encoding.ts";
import type { Format } from "./format.ts";
import { format as markdown } from "./markdown.ts";

/**
 * A document of novelWriter: Markdown whose headings are parts, chapters, scenes and sections, with notes (%) and tags (@) that are
 * not part of the text. A scene's heading is a scene break.
 */
export const format: Format = {
  async read({ bytes, name }) {
    const lines = decodeText(bytes, name).text.split(/\r\n?|\n/);
    const text = lines.flatMap((line) => {
      if (/^(?:%|@\w+:)/.test(line) || /^\[(?:new ?page|vspace.*)\]$/i.test(line.trim())) return [];
      if (/^#{3,4}!? /.test(line)) return ["", "***", ""];
      return [line.replace(/^(#{1,2})! /, "$1 ")];
    });
    return markdown.read({ bytes: new TextEncoder().encode(text.join("\n")), name });
  },
};
