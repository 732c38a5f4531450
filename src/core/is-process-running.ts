import { readFileSync } from "node:fs";

/** Whether a process of this machine runs. One that has ended and waits to be collected by its parent does not. */
export function isProcessRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    // It runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(id);
}

/** In a container without an init process, orphans that ended stay in the table of processes. */
function isZombie(id: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    // The name, in brackets, may hold anything.
    return /\) Z /.test(readFileSync(`/proc/${id}/stat`, "latin1"));
  } catch {
    return false;
  }
}
