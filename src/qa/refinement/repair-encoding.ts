/** Windows-1252's own letters for the bytes 80–9F; the rest of the upper half is the same as in Unicode. */
const UPPER = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
const BYTES = new Map<string, number>([...UPPER].map((letter, index) => [letter, 0x80 + index]));
for (let byte = 0x80; byte <= 0xff; byte++) {
  const letter = String.fromCharCode(byte);
  if (!BYTES.has(letter)) BYTES.set(letter, byte);
}
const RUN = new RegExp(`[${UPPER}\u0080-\u00ff]{2,}`, "g");
const strictly = new TextDecoder("utf-8", { fatal: true });

export interface RepairedText {
  readonly text: string;
  /** What was repaired: "Ã©" to "é". */
  readonly changes: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Repairs UTF-8 that was once read as Windows-1252 ("Ã‰variste" for "Évariste"): a run of its letters that is valid UTF-8 when
 * written back as bytes was never meant to be anything else. Text that has lost bytes cannot be repaired and stays.
 */
export function repairEncoding(text: string): RepairedText {
  const changes: { from: string; to: string }[] = [];
  const repaired = text.replace(RUN, (run) => {
    const bytes = Uint8Array.from(run, (letter) => BYTES.get(letter)!);
    try {
      const decoded = strictly.decode(bytes);
      changes.push({ from: run, to: decoded });
      return decoded;
    } catch {
      return run;
    }
  });
  return { text: repaired, changes };
}
