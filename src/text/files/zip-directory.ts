/** An entry of a zip archive as its central directory describes it. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packed: number;
  readonly unpacked: number;
  /** Where the entry's own header stands, right before its bytes. */
  readonly at: number;
}

/**
 * The entries of an archive in the order of its directory, one at a time, so that a reader can refuse the archive before it
 * has listed a million of them. Throws a RangeError where the archive is cut or damaged.
 */
export function* zipEntries(bytes: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let { count, at } = directoryIn(view);
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== ENTRY) throw new RangeError("an entry of the directory is damaged");
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const flags = view.getUint16(at + 8, true);
    const name = bytes.subarray(at + 46, at + 46 + nameLength);
    yield {
      name: (flags & UTF8_NAME) === 0 ? Buffer.from(name).toString("latin1") : Buffer.from(name).toString("utf8"),
      method: view.getUint16(at + 10, true),
      isEncrypted: (flags & 1) !== 0,
      ...wideNumbers(view, at, at + 46 + nameLength, extraLength),
    };
    at += 46 + nameLength + extraLength + view.getUint16(at + 32, true);
  }
}

/** The packed bytes of an entry. */
export function packedBytes(bytes: Uint8Array, { at, packed }: ZipEntry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + packed > bytes.length) throw new RangeError("an entry is cut");
  return bytes.subarray(start, start + packed);
}

const ENTRY = 0x02014b50;
const END = 0x06054b50;
const WIDE_END = 0x06064b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const UTF8_NAME = 0x800;
const WIDE_FIELDS = 1;
const WIDE = 0xffffffff;

/** The directory is named at the end of the archive, before a comment of any length. */
function directoryIn(view: DataView): { count: number; at: number } {
  const first = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT);
  let end = view.byteLength - END_LENGTH;
  while (end >= first && view.getUint32(end, true) !== END) end--;
  if (end < first) throw new RangeError("the directory is missing");
  const narrow = { count: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) };
  if (narrow.count !== 0xffff && narrow.at !== WIDE) return narrow;
  // Zip64: twenty bytes above the end stands where the wide end is.
  const wide = wideNumber(view, end - 12);
  if (view.getUint32(wide, true) !== WIDE_END) return narrow;
  return { count: wideNumber(view, wide + 32), at: wideNumber(view, wide + 48) };
}

/** Sizes and place; where one does not fit into 32 bits, zip64 writes it into the extra field, in this order. */
function wideNumbers(view: DataView, at: number, extra: number, length: number) {
  const numbers = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  for (let field = extra; numbers.includes(WIDE) && field + 4 <= extra + length; ) {
    const isWide = view.getUint16(field, true) === WIDE_FIELDS;
    let value = field + 4;
    field = value + view.getUint16(field + 2, true);
    if (!isWide) continue;
    for (const [index, number] of numbers.entries()) {
      if (number !== WIDE) continue;
      numbers[index] = wideNumber(view, value);
      value += 8;
    }
  }
  const [unpacked, packed, place] = numbers;
  return { unpacked: unpacked!, packed: packed!, at: place! };
}

function wideNumber(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
