import { unzipSync } from "fflate";
import { FabulaError } from "../../core/errors.ts";
import { LIMITS, megabytes } from "./limits.ts";

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
 * entry that unpacks to more than it declares is cut by fflate at the declared size, so memory is bounded by the limits.
 */
export function openArchive(bytes: Uint8Array, file: string, wanted: (name: string) => boolean): Archive {
  const names: string[] = [];
  let unpacked = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(bytes, {
      filter: ({ name, size, originalSize }) => {
        checkName(name, file);
        names.push(name);
        if (names.length > LIMITS.archiveEntries) {
          throw new FabulaError(
            "E_ARCHIVE_LIMIT",
            `${file} holds more than ${LIMITS.archiveEntries} files: it is not a book.`,
          );
        }
        if (!wanted(name)) return false;
        unpacked += originalSize;
        const isBomb =
          (originalSize > LIMITS.archiveRatioFrom && originalSize > size * LIMITS.archiveRatio) ||
          (unpacked > LIMITS.archiveRatioFrom && unpacked > bytes.length * LIMITS.archiveRatio);
        if (isBomb || unpacked > LIMITS.archiveBytes) {
          throw new FabulaError(
            "E_ARCHIVE_LIMIT",
            `${file} would unpack to more than a book can be (${megabytes(unpacked)} and counting): it was left alone.`,
          );
        }
        return true;
      },
    });
  } catch (cause) {
    if (cause instanceof FabulaError) throw cause;
    throw new FabulaError("E_ARCHIVE", `${file} is a damaged archive: unpack and pack it again, or fetch it again.`, {
      cause,
    });
  }
  return {
    names,
    bytes: (name) => (Object.hasOwn(entries, name) ? (entries[name] ?? null) : null),
  };
}

/** A name that leads out of the archive is refused, though nothing here writes files: such an archive is an attack. */
function checkName(name: string, file: string): void {
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
