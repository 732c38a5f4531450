const MONTHS = [
  "jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december",
  "januar|februar|märz|mai|juni|juli|oktober|dezember",
  "janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre",
  "de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)",
  "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|dicembre",
  "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря",
];
const MONTH = new RegExp(`^(?:of )?(?:${MONTHS.join("|")})(?=\\s*(?:$|[.,:;—–-]|\\d))`, "iu");
const NAME_OF_MONTH = new RegExp(`(?<!\\p{L})(?:${MONTHS.join("|")})(?!\\p{L})`, "iu");

/** "3 May. Bistritz." heads an entry of a diary; "3. March of the Dead" is a title. */
export function beginsWithMonth(text: string): boolean {
  return MONTH.test(text);
}

/** "September 2nd", "Bath, 3 June": the head of a letter or an entry, whatever space is above it. */
export function isDate(line: string): boolean {
  // The quick searches first: most lines have no digit, and those of digits alone no month.
  return /\d/.test(line) && /\p{L}{3}/u.test(line) && NAME_OF_MONTH.test(line);
}
