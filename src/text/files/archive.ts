import { inflateRawSync } from "node:zlib";
import { FabulaError } from "../../core/errors.ts";
import { LIMITS, megabytes } from "./limits.ts";
import { packedBytes, type ZipEntry, zipEntries } from "./zip-directory.ts";

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
  whole(file, () => {
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
      return entry === undefined ? null : whole(file, () => unpack(bytes, entry));
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

function whole<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof FabulaError) throw cause;
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

/** A name that leads out of the archive is refused, though nothing here writes files: such an archive is an attack. */
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
