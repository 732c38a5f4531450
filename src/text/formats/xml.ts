import { Parser } from "htmlparser2";
import { FabulaError } from "../../core/errors.ts";

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Entities beyond the five of XML are never expanded: htmlparser2 has no notion of a document type's declarations. */
export function parseXml(xml: string, handlers: XmlHandlers): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > DEEPEST_NESTING) {
          throw new FabulaError(
            "E_XML",
            `The file nests elements more than ${DEEPEST_NESTING} deep: it is not a book.`,
          );
        }
        handlers.open?.(name, attributes);
      },
      ontext: (text) => handlers.text?.(text),
      onclosetag: (name) => {
        depth--;
        handlers.close?.(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
}

/** Documents nest a few dozen elements; the parser's cost grows with the depth. */
const DEEPEST_NESTING = 1000;

export function decodeXml(bytes: Uint8Array): string {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(isWide ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
}

/** The text of a small document of metadata by the local names of its elements. */
export function elementTexts(xml: string): (name: string) => string | undefined {
  const found = new Map<string, string>();
  let element = "";
  parseXml(xml, {
    open: (tag) => {
      element = localName(tag);
    },
    text: (text) => {
      found.set(element, (found.get(element) ?? "") + text);
    },
    close: () => {
      element = "";
    },
  });
  return (name) => found.get(name)?.replace(/\s+/g, " ").trim() || undefined;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
