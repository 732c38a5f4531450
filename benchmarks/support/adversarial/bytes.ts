import { strToU8 } from "fflate";
import { randomInteger, seededRandom } from "../../../src/core/random.ts";
import { filled, type Kinds, SIZE } from "./made-text.ts";

/** Bytes that are text in no single encoding, or in none. */
export const BYTES: Kinds = {
  "bytes at random": () => {
    const random = seededRandom(5);
    return new Uint8Array(SIZE).map(() => 1 + randomInteger(random, 255));
  },
  "mixed encodings": () => {
    const utf8 = strToU8("Il pleuvait à l’aube. ");
    const latin = Buffer.from("Il pleuvait à l'aube. ", "latin1");
    return Buffer.concat(Array.from({ length: SIZE / 45 }, (_, at) => (at % 2 === 0 ? utf8 : latin)));
  },
  "NUL between letters": () => filled("r\0a\0i\0n\0 \0"),
  "NUL between words": () => filled("rain\0and\0wind\0"),
  "half a surrogate": () => Buffer.from("\ud800a".repeat(SIZE / 4), "utf16le"),
  "overlong sequences": () => new Uint8Array(SIZE).fill(0xc0),
  "continuation bytes": () => new Uint8Array(SIZE).fill(0x80),
};
