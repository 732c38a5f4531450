import { userInfo } from "node:os";
import type { WorkersForTask } from "../../tasks/define/task.ts";
import type { Terminal } from "../terminal.ts";
import type { Flags, FlagWord } from "./flag.ts";

/** What the command line alone has for work that others may do. */
export const SHARING_FLAGS = {
  local: { type: "boolean", help: "with a shared store (postgres://…): work in this process instead of queueing" },
  detach: {
    type: "boolean",
    help: "with a shared store: queue the work and exit; `fabula runs resume` fetches the results",
  },
  priority: {
    type: "number",
    value: "N",
    minimum: -1000,
    maximum: 1000,
    integer: true,
    help: "with a shared store: before your own runs of a lower one [0]; between owners, workers take turns",
  },
} as const satisfies Flags;

export function workersFor(
  { detach, priority }: { readonly detach: FlagWord; readonly priority: FlagWord },
  terminal: Pick<Terminal, "note">,
): WorkersForTask {
  return {
    detach: detach === true,
    priority: typeof priority === "number" ? priority : 0,
    owner: process.env.FABULA_OWNER || userName(),
    onNote: terminal.note,
  };
}

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
