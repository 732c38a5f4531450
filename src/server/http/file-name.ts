const LONGEST_SHOWN = 200;
const LONGEST_SAVED = 80;

/** A name from outside, to be shown: its last part, without control and direction marks. It never becomes a path. */
export function shownName(name: string | undefined): string {
  const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
  const text = last.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "").trim();
  return [...text].slice(-LONGEST_SHOWN).join("") || "untitled";
}

/** A name for a file to be saved, made of a title that may hold anything: letters, digits and hyphens of any script. */
export function savedName(title: string, extension: string): string {
  const words = title
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const name = [...words].slice(0, LONGEST_SAVED).join("").replace(/-+$/, "") || "report";
  // Names that mean a device on some systems.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name) ? `${name}-report` : name;
  return `${safe}.${extension}`;
}

/** The header that has a browser save what it gets, with a plain name for old ones. */
export function attachment(title: string, extension: string): string {
  const plain = savedName(title.replace(/[^\x20-\x7e]+/g, " "), extension);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(savedName(title, extension))}`;
}
