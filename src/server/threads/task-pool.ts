import { type ChildKind, TaskChild } from "./task-child.ts";

/** Starting a process takes as long as reading a short book: it stays a while for the next task. */
const IDLE_MILLISECONDS = 30_000;
const MOST_IDLE = 2;

interface Idle {
  readonly child: TaskChild;
  readonly timer: NodeJS.Timeout;
}

const all = new Set<TaskChild>();
const idle: Record<ChildKind, Idle[]> = { parsing: [], reading: [] };

/** A process for one task: one that has done such tasks before, or a new one. */
export function takeChild(kind: ChildKind): TaskChild {
  for (let rested = idle[kind].pop(); rested; rested = idle[kind].pop()) {
    clearTimeout(rested.timer);
    if (rested.child.isFit) return rested.child;
    endChild(rested.child);
  }
  const child = new TaskChild(kind);
  all.add(child);
  return child;
}

/** Gives a process back that can do another task. */
export function keepChild(child: TaskChild): void {
  if (!child.isFit || idle[child.kind].length >= MOST_IDLE) {
    endChild(child);
    return;
  }
  const timer = setTimeout(() => {
    idle[child.kind] = idle[child.kind].filter((rested) => rested.child !== child);
    endChild(child);
  }, IDLE_MILLISECONDS);
  timer.unref();
  idle[child.kind].push({ child, timer });
}

export function endChild(child: TaskChild): void {
  all.delete(child);
  child.end();
}

/** Ends whatever is still being done, when the server shuts down. */
export function endAllTasks(): void {
  for (const child of all) endChild(child);
}
