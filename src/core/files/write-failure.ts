import { FabulaError } from "../errors.ts";

/** Why a file could not be written, with what to do about it; an error that is not the file system's comes back unchanged. */
export function writeFailure(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error && "code" in cause && /^E[A-Z0-9]+$/.test(String(cause.code)))) return cause;
  return new FabulaError("E_FILE_WRITE", `"${path}" could not be written${advice(String(cause.code))}`, { cause });
}

function advice(code: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return ": the disk is full. Free some space and try again.";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return ": its folder is read-only for this user. Make it writable, or choose another.";
    default:
      return ` (${code}): check the folder.`;
  }
}
