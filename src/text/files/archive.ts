import { inflateRawSync } from "node:zlib";
import { FabulaError } from "../../core/errors.ts";
import { LIMITS, megabytes } from "./read-file.ts";

/** An entry of a zip archive as its central directory describes it. */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packed: number;
  readonly unpacked: number;
  /** The position of the entry's own header, directly before its bytes. */
  readonly at: number;
}

/**
 * The entries of an archive in the order of its directory, one at a time, so that a reader can refuse the archive before it has
 * listed a million of them. Throws a RangeError if the archive is cut or damaged.
 */
function* zipEntries(bytes: Uint8Array): Generator<ZipEntry> {
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
function packedBytes(bytes: Uint8Array, { at, packed }: ZipEntry): Uint8Array {
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

/** The end record at the end of the archive, before a comment of any length, says where the directory is. */
function directoryIn(view: DataView): { count: number; at: number } {
  const first = Math.max(0, view.byteLength - END_LENGTH - LONGEST_COMMENT);
  let end = view.byteLength - END_LENGTH;
  while (end >= first && view.getUint32(end, true) !== END) end--;
  if (end < first) throw new RangeError("the directory is missing");
  const narrow = { count: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) };
  if (narrow.count !== 0xffff && narrow.at !== WIDE) return narrow;
  // Zip64: the 20 bytes before the end record say where the zip64 end record is.
  const wide = wideNumber(view, end - 12);
  if (view.getUint32(wide, true) !== WIDE_END) return narrow;
  return { count: wideNumber(view, wide + 32), at: wideNumber(view, wide + 48) };
}

/** Sizes and position. A number that does not fit into 32 bits is in the zip64 extra field, in this order. */
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

/** The entries of a zip archive that a reader asks for, unpacked in memory. Nothing is ever written to disk. */
export interface Archive {
  readonly names: readonly string[];
  /** The unpacked bytes of an entry, or null when there is none of that name. */
  bytes(name: string): Uint8Array | null;
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/**
 * Opens an archive of unknown origin. Every name and size of its directory is checked before anything is unpacked, and an
 * entry that unpacks to more than it declares is refused, so memory is bounded by the limits. Entries are unpacked when they
 * are asked for.
 */
export function openArchive(bytes: Uint8Array, file: string, wanted: (name: string) => boolean): Archive {
  const names: string[] = [];
  const entries = new Map<string, ZipEntry>();
  let unpacked = 0;
  withArchiveErrors(file, () => {
    for (const entry of zipEntries(bytes)) {
      checkName(entry.name, file);
      names.push(entry.name);
      if (names.length > LIMITS.archiveEntries) {
        throw new FabulaError(
          "E_ARCHIVE_LIMIT",
          `${file} holds more than ${LIMITS.archiveEntries} files: it is not a book.`,
        );
      }
      if (!wanted(entry.name)) continue;
      unpacked += entry.unpacked;
      checkSize(entry, unpacked, bytes.length, file);
      entries.set(entry.name, entry);
    }
  });
  return {
    names,
    bytes(name) {
      const entry = entries.get(name);
      return entry === undefined ? null : withArchiveErrors(file, () => unpack(bytes, entry));
    },
  };
}

function checkSize(entry: ZipEntry, unpacked: number, archiveBytes: number, file: string): void {
  const isBomb =
    (entry.unpacked > LIMITS.archiveRatioFrom && entry.unpacked > entry.packed * LIMITS.archiveRatio) ||
    (unpacked > LIMITS.archiveRatioFrom && unpacked > archiveBytes * LIMITS.archiveRatio);
  if (isBomb || unpacked > LIMITS.archiveBytes) {
    throw new FabulaError(
      "E_ARCHIVE_LIMIT",
      `${file} would unpack to more than a book can be (${megabytes(unpacked)} and counting): it was left alone.`,
    );
  }
}

function unpack(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.isEncrypted) throw new RangeError("the entry is encrypted");
  const packed = packedBytes(bytes, entry);
  if (entry.method === STORED) return packed;
  if (entry.method !== DEFLATED) throw new RangeError(`compression method ${entry.method} is not known`);
  if (entry.unpacked === 0) return new Uint8Array();
  return inflateRawSync(packed, { maxOutputLength: entry.unpacked, chunkSize: Math.max(64, entry.unpacked) });
}

const STORED = 0;
const DEFLATED = 8;

function withArchiveErrors<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    // A type error is a mistake in this code; a damaged archive leads to an error of zlib or an offset out of range.
    if (cause instanceof FabulaError || cause instanceof TypeError) throw cause;
    throw new FabulaError(
      "E_ARCHIVE",
      `${file} is a damaged archive: unpack and pack it again, or download it again.`,
      {
        cause,
      },
    );
  }
}

/** Longer than the path of any file on a disk; every link of the book would be resolved against it. */
const LONGEST_NAME = 4096;

/** A name that leads out of the archive is refused although nothing here writes files: such an archive is an attack. */
function checkName(name: string, file: string): void {
  if (name.length > LONGEST_NAME) {
    throw new FabulaError(
      "E_ARCHIVE_LIMIT",
      `${file} holds a file whose name is ${name.length} characters long: it is not a book.`,
    );
  }
  const leadsOut =
    name.startsWith("/") ||
    name.includes("\\") ||
    name.includes("\0") ||
    /^[A-Za-z]:/.test(name) ||
    name.split("/").includes("..");
  if (leadsOut) {
    throw new FabulaError(
      "E_ARCHIVE_PATH",
      `${file} holds a path that leads out of the archive (${JSON.stringify(name)}): it was not read.`,
    );
  }
}
